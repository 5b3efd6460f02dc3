"""Codes: currencies of ISO 4217 with the decimals of an amount; countries of ISO 3166 by code and English name."""

from __future__ import annotations

_TWO = """
AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY
COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ILS
INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD
NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP
SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG ZWL
"""
_OTHERS = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
    3: "BHD IQD JOD KWD LYD OMR TND",
    4: "CLF UYW",
}
_DECIMALS = dict.fromkeys(_TWO.split(), 2) | {
    code: decimals for decimals, codes in _OTHERS.items() for code in codes.split()
}


def is_currency(code: str) -> bool:
    """Whether ``code`` is one of ISO 4217, in capitals."""
    return code in _DECIMALS


def decimals_of(code: str | None) -> int:
    """How many decimals an amount of that currency has; two where the currency is not known."""
    return _DECIMALS.get((code or "").upper(), 2)


_TOLD = """\
AE United Arab Emirates/UAE|AF Afghanistan|AL Albania|AM Armenia|AO Angola|AR Argentina|AT Austria|\
AU Australia|AZ Azerbaijan|BA Bosnia and Herzegovina|BB Barbados|BD Bangladesh|BE Belgium|BF Burkina Faso|\
BG Bulgaria|BH Bahrain|BI Burundi|BJ Benin|BN Brunei|BO Bolivia|BR Brazil|BS Bahamas|BT Bhutan|BW Botswana|\
BY Belarus|BZ Belize|CA Canada|CF Central African Republic|CH Switzerland|CI Ivory Coast/Côte d'Ivoire|\
CL Chile|CM Cameroon|CN China|CO Colombia|CR Costa Rica|CU Cuba|CV Cape Verde|CY Cyprus|\
CZ Czechia/Czech Republic|DE Germany|DJ Djibouti|DK Denmark|DO Dominican Republic|DZ Algeria|EC Ecuador|\
EE Estonia|EG Egypt|ER Eritrea|ES Spain|ET Ethiopia|FI Finland|FJ Fiji|FO Faroe Islands|FR France|GA Gabon|\
GB United Kingdom/Great Britain/UK|GE Georgia|GH Ghana|GI Gibraltar|GL Greenland|GM Gambia|GN Guinea|\
GQ Equatorial Guinea|GR Greece|GT Guatemala|GW Guinea-Bissau|GY Guyana|HK Hong Kong|HN Honduras|HR Croatia|\
HT Haiti|HU Hungary|ID Indonesia|IE Ireland|IL Israel|IM Isle of Man|IN India|IQ Iraq|IR Iran|IS Iceland|\
IT Italy|JE Jersey|JM Jamaica|JO Jordan|JP Japan|KE Kenya|KG Kyrgyzstan|KH Cambodia|KP North Korea|\
KR South Korea|KW Kuwait|KZ Kazakhstan|LA Laos|LB Lebanon|LI Liechtenstein|LK Sri Lanka|LR Liberia|\
LS Lesotho|LT Lithuania|LU Luxembourg|LV Latvia|LY Libya|MA Morocco|MC Monaco|MD Moldova|ME Montenegro|\
MG Madagascar|MK North Macedonia|ML Mali|MN Mongolia|MR Mauritania|MT Malta|MU Mauritius|MV Maldives|\
MW Malawi|MX Mexico|MY Malaysia|MZ Mozambique|NA Namibia|NE Niger|NG Nigeria|NI Nicaragua|\
NL Netherlands/The Netherlands|NO Norway|NP Nepal|NZ New Zealand|OM Oman|PA Panama|PE Peru|\
PG Papua New Guinea|PH Philippines|PK Pakistan|PL Poland|PR Puerto Rico|PT Portugal|PY Paraguay|QA Qatar|\
RO Romania|RS Serbia|RU Russia/Russian Federation|RW Rwanda|SA Saudi Arabia|SC Seychelles|SD Sudan|\
SE Sweden|SG Singapore|SI Slovenia|SK Slovakia|SL Sierra Leone|SM San Marino|SN Senegal|SO Somalia|\
SR Suriname|SS South Sudan|SV El Salvador|SY Syria|SZ Eswatini|TD Chad|TG Togo|TH Thailand|TJ Tajikistan|\
TM Turkmenistan|TN Tunisia|TR Turkey/Türkiye|TT Trinidad and Tobago|TW Taiwan|TZ Tanzania|UA Ukraine|\
UG Uganda|US United States/United States of America/USA|UY Uruguay|UZ Uzbekistan|VA Vatican City|\
VE Venezuela|VN Vietnam/Viet Nam|XK Kosovo|YE Yemen|ZA South Africa|ZM Zambia|ZW Zimbabwe"""
_CODES = {name.casefold(): one[:2] for one in _TOLD.split("|") for name in (one[:2], *one[3:].split("/"))}


def country_of(value: object) -> str:
    """The code of the country that a text names, by its code or in English; empty where it names none that is known."""
    return _CODES.get(" ".join(value.split()).casefold(), "") if isinstance(value, str) else ""
