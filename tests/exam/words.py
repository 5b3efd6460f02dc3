"""Words of which raw records are made: several scripts, long and short, with what breaks careless code."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import TypeVar

T = TypeVar("T")

TITLES = (
    "Software Engineer",
    "Data Engineer",
    "Account Executive, Mid-Market",
    "R&D Technician",
    "Sales Development Representative (DACH)",
    'Engineer "Platform & Tools"',
    "Product Manager – Payments",
    "Leiter Qualitätssicherung",
    "Bürokauffrau / Bürokaufmann",
    "Ingénieur·e d’études",
    "Chargé de clientèle à Genève",
    "Técnico de soporte",
    "Engenheira de Produção",
    "Инженер по тестированию",
    "Бухгалтер",
    "ソフトウェアエンジニア",
    "営業マネージャー",
    "高级产品经理",
    "数据分析师",
    "مهندس برمجيات",
    "מפתח תוכנה",
    "Kıdemli Yazılım Mühendisi",
    "Księgowa",
    "Vedoucí směny",
    "QA",
    "Nurse <ICU> nights",
    "C++ Developer",
    "Warehouse associate 50% / part time",
    "Director, Trust & Safety, Europe, Middle East and Africa (maternity cover until the end of next year)",
    "VP Marketing",
    "Barista",
    "Customer Success Manager",
)
LEVELS = ("", "", "", "Senior ", "Junior ", "Staff ", "Lead ", "Interim ")

GIVEN = (
    "Anna", "José", "Søren", "Zoë", "Łukasz", "Ольга", "Дмитрий", "健太", "美咲", "伟", "فاطمة", "דוד", "Nguyễn",
    "Maria", "John", "Aoife", "Chloë", "François", "Jürgen", "Priya", "Kwame", "Ivana", "Mary Ann", "D’Angelo",
)  # fmt: skip
FAMILY = (
    "Müller", "García Márquez", "O'Neill", "Østergård", "Nowak", "Иванова", "Петров", "佐藤", "鈴木", "王", "الزهراء",
    "כהן", "Smith", "van der Berg", "Trần", "Okafor", "Sharma", "Novák", "Dubois-Lefèvre", "Jones", "Lee", "Ng",
)  # fmt: skip
LATIN = (
    "anna",
    "jose",
    "soren",
    "zoe",
    "lukasz",
    "olga",
    "dmitri",
    "kenta",
    "misaki",
    "wei",
    "fatima",
    "david",
    "mary",
)
DOMAINS = (
    "example.com",
    "acme.example",
    "nordwind.example",
    "muller-partner.example",
    "kaisha.example",
    "tienda.example",
)

CITIES = (
    ("New York", "NY", "United States", "10001"),
    ("Cambridge", "MA", "United States", "02139"),
    ("San Francisco", "CA", "United States", "94107"),
    ("Newark", "NJ", "United States", "07102"),
    ("München", "Bayern", "Germany", "80331"),
    ("Dresden", "Sachsen", "Germany", "01067"),
    ("Zürich", "ZH", "Switzerland", "8001"),
    ("Genève", "GE", "Switzerland", "1201"),
    ("São Paulo", "SP", "Brazil", "01310-100"),
    ("東京", "東京都", "日本", "100-0001"),
    ("Москва", "Москва", "Россия", "101000"),
    ("London", "England", "United Kingdom", "SW1A 1AA"),
    ("Kraków", "Małopolskie", "Poland", "30-001"),
    ("Bengaluru", "Karnataka", "India", "560001"),
)
DEPARTMENTS = (
    "Engineering", "Sales", "Finance & Legal", "People", "Marketing", "Forschung", "Opérations", "開発部", "Support",
    "Product", "Security", "Design", "Data", "IT", "Facilities", "Клиентский сервис",
)  # fmt: skip
COMPANIES = (
    "Acme", "Nordwind", "Müller & Partner", "Café Noisette", "株式会社サンライズ", "ООО Ромашка", "Globex", "Initech",
    "Umbrella", "Tienda del Sur", "Blå Bølge", "Hooli", "O'Brien Bros.", "شركة النور", "Stark", "Wayne", "Soylent",
    "Vandelay", "Wonka", "Zażółć",
)  # fmt: skip
FORMS = ("Inc.", "GmbH", "AG", "S.A.", "Ltd", "LLC", "", "Holding", "BV")
SENTENCES = (
    "We build tools that people like to use.",
    "You report to the head of the department & work with two teams.",
    "Gehalt: 60.000 € bis 75.000 €, je nach Erfahrung.",
    "Le poste est à pourvoir dès que possible.",
    "在宅勤務も可能です。",
    "Опыт работы от трёх лет.",
    'He said: "call me back on Monday" <later than 9 am>.',
    "Budget 2024/25 is 100% approved; see page 7.",
    "Met at the fair in Köln, wants an offer by the end of the quarter.",
    "No calls before noon.",
)


def text(rng: Random, most: int = 6) -> str:
    """One to `most` sentences, now and then with a line break between them."""
    return rng.choice((" ", " ", "\n")).join(rng.choices(SENTENCES, k=rng.randint(1, most)))


def title(rng: Random) -> str:
    return rng.choice(LEVELS) + rng.choice(TITLES)


def person(rng: Random) -> tuple[str, str]:
    return rng.choice(GIVEN), rng.choice(FAMILY)


def email(rng: Random, number: int) -> str:
    return f"{rng.choice(LATIN)}.{number}@{rng.choice(DOMAINS)}"


def guid(rng: Random) -> str:
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


def token(
    rng: Random, length: int, letters: str = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz0123456789"
) -> str:
    return "".join(rng.choices(letters, k=length))


def moment(rng: Random, first: int = 2019, last: int = 2024) -> datetime:
    """A moment in these years, to the millisecond."""
    start = datetime(first, 1, 1, tzinfo=UTC)
    span = (datetime(last, 12, 28, tzinfo=UTC) - start).total_seconds()
    return start + timedelta(milliseconds=rng.randrange(int(span * 1000)))


def later(rng: Random, than: datetime, days: float = 200) -> datetime:
    """A moment after this one, by some hours to `days`."""
    return than + timedelta(milliseconds=rng.randrange(3_600_000, int(days * 86_400_000)))


def iso(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%S.") + f"{at.microsecond // 1000:03d}Z"


def iso_seconds(at: datetime) -> str:
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def parsed(text: str) -> datetime:
    return datetime.fromisoformat(text)


def millis(at: datetime) -> int:
    return round(at.timestamp() * 1000)


def often(rng: Random, share: float, value: T) -> T | None:
    """The value in this share of cases, else null."""
    return value if rng.random() < share else None


def few(rng: Random, of: Sequence[T], least: int, most: int) -> list[T]:
    return rng.sample(of, rng.randint(least, min(most, len(of))))
