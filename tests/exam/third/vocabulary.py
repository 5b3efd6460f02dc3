"""Words, times and addresses that the third parties' records are made of."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from random import Random
from uuid import UUID


def listed(text: str, by: str = "|") -> list[str]:
    """The words of a text."""
    return text.split(by)


FIRST = listed(
    "Ann Björn Chloé Diego Emre Fatima Grace Håkon Inês Jürgen Kasia Liam María Nils Olga Paul Quentin Renée "
    "Søren Tomás Ursula Víctor Wanda Xenia Yusuf Zoë",
    " ",
)
LAST = listed(
    "O'Neil McArthur Müller Łukasz Ødegård García Smith Johnson DeVries Peña Çelik Nguyen Brown Åkesson "
    "Schäfer Rossi D'Angelo Kowalczyk Lindqvist Hansen",
    " ",
)
STEMS = listed(
    "Nordlys|Blue Harbor|Øresund|MacAllister|Café Zürich|Red Pine|Société Lumière|Tōkyō Denki|Grüne Wiese|"
    "Iron Gate|eBay Street|São Bento|McKinley|Quick Fox|Lago d'Oro|Aurora|Stonebridge|DataForge|Kraków Digital|"
    "West End|Sunrise|O'Hara|Żubr|Atlas|Big Sky|Old Mill|NextWave|Vega|Brown, Jones|Pure+Simple"
)
TRADES = listed(
    "Logistics|Foods & Beverages|Consulting|Software|Textiles|Machine Works|Partners|Energy|Health Care|"
    "Hotels & Resorts|Design Studio|Insurance|Media|Farms|Shipping|Biotech|Recycling|Data Systems"
)
FORMS = ("Inc.", "LLC", "GmbH", "AB", "Ltd", "S.A.", "AS", "& Sons", "GmbH & Co. KG", "Sp. z o.o.")
LONG = "International Holding and Property Management Company of the Northern Provinces"

PLACES = (
    ("Boston", "MA", "02139", "United States", "US", "+1 617 555 "),
    ("Newark", "NJ", "07102", "United States", "US", "+1 973 555 "),
    ("Austin", "TX", "73301", "United States", "US", "+1 512 555 "),
    ("San José", "CA", "95112", "United States", "US", "+1 408 555 "),
    ("Dresden", "Sachsen", "01067", "Germany", "DE", "+49 351 20"),
    ("Köln", "Nordrhein-Westfalen", "50667", "Germany", "DE", "+49 221 94"),
    ("Malmö", "Skåne", "211 20", "Sweden", "SE", "+46 40 61"),
    ("Kraków", "Małopolskie", "30-001", "Poland", "PL", "+48 12 39"),
    ("Leeds", "West Yorkshire", "LS1 4DY", "United Kingdom", "GB", "+44 113 49"),
    ("Lyon", "Auvergne-Rhône-Alpes", "69002", "France", "FR", "+33 4 72 "),
)
STREETS = (
    "Elm Street",
    "Hauptstraße",
    "Storgatan",
    "Rue de l'Église",
    "Mill Lane",
    "ul. Długa",
    "5th Avenue",
)
SECOND = ("Suite 400", "Floor 2", "c/o Björk & Co", "Building C", "Apt. 7")
SENTENCES = (
    "Long-standing customer, renewed twice.",
    "Asked for “net 60” terms; see the contract.",
    "Prefers calls before 10:00 – never on Fridays.",
    "Budget: 5% of revenue, i.e. <2M a year & growing.",
    'They call the product "the box".',
    "Café-Kette mit 40 Filialen, größter Kunde im Süden.",
    "Met at the fair 🎉 and wants a demo.",
    "Backup C:\\shared\\plans is theirs.",
    "No news since the merger.",
    "Tax id on file; VAT-free deliveries only.",
)
HTML = (
    "<p>We are looking for <b>you</b> &amp; your ideas.</p><p>Apply now!</p>",
    "<h2>Om rollen</h2><ul><li>Ansvar</li><li>Utveckling</li></ul>",
)


def person(rng: Random) -> str:
    """A name of two words, seldom of three."""
    third = f" {rng.choice(LAST)}" if rng.random() < 0.15 else ""
    return f"{rng.choice(FIRST)} {rng.choice(LAST)}{third}"


def address_of(name: str, domain: str) -> str:
    """The e-mail address of a person: plain letters, and the apostrophe that some have."""
    plain = name.lower().translate(str.maketrans("öéåêíñüłçøøäżó", "oeaeinulcooazo")).split(" ")
    return f"{re.sub(r'[^a-z]', '', plain[0])}.{re.sub(r'''[^a-z']''', '', plain[1])}@{domain}"


def company(rng: Random) -> str:
    """A company's name: some not ASCII, some with an ampersand, a few very long."""
    name = f"{rng.choice(STEMS)} {rng.choice(TRADES)}"
    if rng.random() < 0.06:
        name = f"{name} {LONG}"
    return f"{name} {rng.choice(FORMS)}" if rng.random() < 0.6 else name


def slug(name: str) -> str:
    """What a company's domain is made of."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:24].strip("-")


def prose(rng: Random, most: int = 3) -> str:
    """A few sentences, some in lines."""
    parts = rng.sample(SENTENCES, rng.randint(1, most))
    return ("\n" if rng.random() < 0.4 else " ").join(parts)


def guid(rng: Random) -> str:
    return str(UUID(int=rng.getrandbits(128), version=4))


def hexadecimal(rng: Random, digits: int = 24) -> str:
    return f"{rng.getrandbits(4 * digits):0{digits}x}"


def moment(rng: Random, first: int = 2018, last: int = 2023) -> datetime:
    """A time, to the millisecond; leap days, the ends of years and late evenings are not rare."""
    start = datetime(first, 1, 1, tzinfo=UTC)
    seconds = int((datetime(last, 10, 1, tzinfo=UTC) - start).total_seconds())
    drawn = start + timedelta(seconds=rng.randrange(seconds), milliseconds=rng.randrange(1000))
    luck = rng.random()
    if luck < 0.04:
        return drawn.replace(year=rng.choice((2018, 2019, 2021)), month=12, day=rng.choice((30, 31)))
    if luck < 0.07:
        return drawn.replace(year=2020, month=2, day=29)
    return drawn


def later(rng: Random, than: datetime, days: float = 500) -> datetime:
    """Some time after another one, mostly soon."""
    return than + timedelta(
        seconds=int(86400 * days * rng.random() ** 2) + 1, milliseconds=rng.randrange(1000)
    )


def seconds(at: datetime) -> str:
    """``2024-03-01T09:12:33Z``."""
    return f"{at:%Y-%m-%dT%H:%M:%SZ}"


def millis(at: datetime) -> str:
    """``2024-03-01T09:12:33.512Z``."""
    return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03}Z"
