"""Headers that say nothing, and languages the draft knows no words of: only the values can tell."""

from __future__ import annotations

from benchmarks.column_sets.labels import (
    IDENTIFIERS,
    KEEP,
    PERSON,
    QUASI,
    SENSITIVE,
    TARGET,
    Column,
    Columns,
    Dialect,
    column_set,
    measured,
    money,
    person,
    person_or_id,
    quasi,
    secret,
    sensitive,
    target,
    timed,
)
from benchmarks.column_sets.rows import Rows, Words, spread


def unknown(words: Words) -> Column:
    """A category whose meaning nobody can guess: a quasi-identifier, or the class."""
    return quasi(words, SENSITIVE, TARGET)


def any_key(words: Words) -> Column:
    """A key of something; whether of a person cannot be told."""
    return Column(words, (IDENTIFIERS, PERSON), is_secret=True)


@column_set("xx V1 to V11", "none", 500)
def numbered(r: Rows) -> Columns:
    made = [
        any_key(r.keys("", 9)),
        secret(r.names("en", "last, first")),
        quasi(r.ages(18, 90)),
        unknown(r.pick("0|1", 0.5)),
        quasi(r.zips("us")),
        quasi(r.dates(1940, 2005, "%m/%d/%Y")),
        secret(r.emails("en")),
        quasi(r.skewed(40_000, 0.5, 2), SENSITIVE),
        secret(r.notes("en", 3)),
        unknown(r.icd10()),
        unknown(r.pick("Y|N", 0.2)),
    ]
    return {f"V{number}": column for number, column in enumerate(made, 1)}


@column_set("xx col_0 to col_11", "none", 600, Dialect(";", "cp1252", ","))
def columns_of_a_database(r: Rows) -> Columns:
    people, owner = r.people(3)
    made = [
        any_key(r.serial("", 7_000_000, 6)),
        any_key(spread(people.keys("K", 8), owner)),
        secret(spread(people.names("de", "LAST FIRST"), owner)),
        quasi(spread(people.dates(1935, 2012, "%d.%m.%Y"), owner)),
        unknown(spread(people.pick("1|2"), owner)),
        timed(r.dates(2023, 2023, "%d.%m.%Y %H:%M")),
        measured(r.censored(r.skewed(12, 1, 1, ","), 5, "<5", ",")),
        unknown(r.icd10()),
        secret(r.missing(r.short_notes("de"), 0.3)),
        secret(spread(people.phones("de"), owner)),
        unknown(r.zipf("A|B|C|D")),
        unknown(r.pick("J|N", 0.15)),
    ]
    return {f"col_{number}": column for number, column in enumerate(made)}


@column_set("xx x y z", "none", 300, Dialect("\t"))
def letters(r: Rows) -> Columns:
    return {
        "x": any_key(r.uuids()),
        "y": secret(r.ips()),
        "z": quasi(r.normal(48.2, 0.2, 6), IDENTIFIERS, SENSITIVE),
        "t": timed(r.dates(2022, 2022, "%Y-%m-%dT%H:%M:%S")),
        "u": measured(r.normal(70.3, 11, 2)),
        "v": secret(r.ibans("ES")),
        "w": unknown(r.pick("a|b|c")),
        "q": secret(r.notes("ru", 2)),
    }


@column_set("xx wrong names", "none", 500, Dialect(";"))
def wrong_names(r: Rows) -> Columns:
    return {
        "age": secret(r.names("en", "first last")),
        "sex": secret(r.emails("en")),
        "zip": secret(r.notes("en", 2)),
        "note": quasi(r.ages(18, 90)),
        "name": unknown(r.pick("male|female")),
        "diagnosis": any_key(r.serial("P", 100_000)),
        "income": secret(r.phones("us")),
        "email": quasi(r.zips("us"), IDENTIFIERS),
        "phone": quasi(r.dates(1940, 2010), IDENTIFIERS),
        "comment": unknown(r.icd10()),
        "id": unknown(r.pick("yes|no", 0.2)),
        "target": secret(r.national("ssn")),
    }


@column_set("pl przychodnia", "other", 400, Dialect(";", "utf-8-sig", ","))
def polish_clinic(r: Rows) -> Columns:
    return {
        "PESEL": any_key(r.national("pl")),
        "Nazwisko i imię": secret(r.names("pl", "LAST FIRST")),
        "Wiek": quasi(r.ages()),
        "Płeć": quasi(r.pick("K|M")),
        "Kod pocztowy": quasi([f"{word[:2]}-{word[2:]}" for word in r.zips("pl")]),
        "Data wizyty": quasi(r.dates(2022, 2023, "%d.%m.%Y")),
        "Rozpoznanie": sensitive(r.icd10(), QUASI),
        "Cholesterol": measured(r.normal(5.1, 1, 1, ",")),
        "Uwagi": secret(r.missing(r.notes("pl", 3), 0.2, "brak")),
        "Palacz": unknown(r.pick("tak|nie", 0.25)),
    }


@column_set("se vardkontakter", "other", 600, Dialect(";", "utf-8", ","))
def swedish_care(r: Rows) -> Columns:
    people, owner = r.people(3)
    return {
        "Personnummer": person(spread(people.national("se"), owner)),
        "Namn": secret(spread(people.names("se", "first last"), owner)),
        "Kön": quasi(spread(people.pick("Man|Kvinna"), owner)),
        "Kommun": quasi(spread(people.zipf("Malmö|Umeå|Gävle|Örebro|Växjö"), owner)),
        "Postnummer": quasi(spread([f"{word[:3]} {word[3:]}" for word in people.zips("se")], owner)),
        "Besöksdatum": timed(r.dates(2022, 2023, "%Y-%m-%d %H:%M")),
        "Diagnoskod": sensitive(r.icd10(dots=False), QUASI),
        "Blodtryck": measured(r.ints(95, 190)),
        "Anteckning": secret(r.notes("se", 3)),
        "Återinlagd": unknown(r.pick("Ja|Nej", 0.12)),
    }


@column_set("tr musteri kayip", "other", 400, Dialect(";", "utf-8", ","))
def turkish_customers(r: Rows) -> Columns:
    return {
        "TC Kimlik No": any_key(r.national("tr")),
        "Ad Soyad": secret(r.names("tr", "first last")),
        "Doğum tarihi": quasi(r.dates(1945, 2004, "%d.%m.%Y")),
        "Cinsiyet": quasi(r.pick("Kadın|Erkek")),
        "İl": quasi(r.zipf("İstanbul|Ankara|İzmir|Bursa|Konya")),
        "Tarife": quasi(r.pick("Eko|Süper|Sınırsız"), KEEP, TARGET),
        "Aylık tutar": money(r.skewed(240, 0.4, 2, ",", ".")),
        "Şikayet": secret(r.missing(r.notes("tr", 2), 0.5)),
        "Ayrıldı mı": unknown(r.pick("Evet|Hayır", 0.2)),
    }


@column_set("jp kokyaku", "other", 300)
def japanese_customers(r: Rows) -> Columns:
    return {
        "顧客番号": any_key(r.serial("C", 4_000, 3, 8)),
        "氏名": secret(r.names("jp", "LAST FIRST")),
        "マイナンバー": secret(r.national("jp")),
        "電話番号": secret(r.phones("jp")),
        "生年月日": quasi(r.dates(1945, 2004, "%Y/%m/%d")),
        "性別": quasi(r.pick("男|女")),
        "都道府県": quasi(r.zipf("東京都|大阪府|北海道|愛知県|福岡県")),
        "購入金額": money(r.skewed(5_400, 0.8)),
        "備考": secret(r.notes("jp", 2)),
        "解約": unknown(r.pick("はい|いいえ", 0.2)),
    }


@column_set("br beneficiarios", "pt", 500, Dialect(";", "cp1252", ","))
def brazilian_benefits(r: Rows) -> Columns:
    return {
        "CPF": person_or_id(r.national("br", 0.04)),
        "Nome do beneficiário": secret(r.names("pt", "LAST FIRST")),
        "UF": quasi(r.zipf("SP|BA|MG|PE|CE|RJ")),
        "Município": quasi(r.towns("pt")),
        "Nascimento": quasi(r.dates(1950, 2005, "%d/%m/%Y")),
        "Cor/raça": quasi(r.zipf("Parda|Branca|Preta|Amarela|Indígena"), SENSITIVE),
        "Filhos": quasi(r.counts(1.6)),
        "Renda per capita": money(r.skewed(180, 0.6, 2, ",", ".")),
        "Valor do benefício": money(r.pick("600,00|750,00|900,00|1.050,00", 0.5)),
        "Suspenso": target(r.pick("SIM|NAO", 0.07)),
    }
