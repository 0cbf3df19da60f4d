# ruff: noqa: E501 - lists of words
"""Hobbies, clubs, harbours, graves: a second collection, labelled without seeing how roles are decided."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Callable
from re import sub

from benchmarks.column_sets.labels import (
    IDENTIFIERS,
    KEEP,
    QUASI,
    SENSITIVE,
    TARGET,
    Columns,
    Dialect,
    Maker,
    clock,
    column_set,
    constant,
    empty,
    measured,
    money,
    person,
    person_or_id,
    quasi,
    secret,
    sensitive,
    staff,
    target,
    timed,
)
from benchmarks.column_sets.nameless import unknown
from benchmarks.column_sets.national import luhn
from benchmarks.column_sets.rows import Rows, Words, spread
from benchmarks.column_sets.unseen_values import (
    durations,
    families,
    given,
    initials,
    joined,
    shuffled,
    signs,
    spelled_dates,
    wrapped,
)


def second_set(
    name: str, language: str, n_rows: int, dialect: Dialect | None = None
) -> Callable[[Maker], Maker]:
    return column_set(f"second {name}", language, n_rows, dialect, is_unseen=True)


PT_MONTHS = "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"


# --- Columns that these sets need --------------------------------------------------------------------------


def told(r: Rows, parts: str, names: str | Words) -> Words:
    """Free text: one of each group (``a|b##c|d``), with ``{n}`` and ``{name}`` filled in."""
    groups = [r.pick(group) for group in parts.split("##")]
    who = r.pick(names)
    numbers = r.ints(2, 75)
    return [
        sub(r" ([,.;!])", r"\1", " ".join(part for part in row if part)).format(n=n, name=name)
        for row, n, name in zip(zip(*groups, strict=True), numbers, who, strict=True)
    ]


def either(r: Rows, one: Words, two: Words, share: float) -> Words:
    """The cell of the second column in this share of the rows."""
    is_two = (r.rng.random(r.n_rows) < share).tolist()
    return [b if second else a for a, b, second in zip(one, two, is_two, strict=True)]


def written(r: Rows, first: int, last: int, pattern: str, months: str = PT_MONTHS) -> Words:
    """Dates with the words of a language: ``{m}`` a month, ``{w}`` a German weekday."""
    names, weekdays = months.split(), ["Mo", "Di", "Mi", "Do", "Fr", "Sa", "So"]
    return [
        pattern.format(day, d=day.day, m=names[day.month - 1], w=weekdays[day.weekday()])
        for day in r.moments(first, last)
    ]


def imeis(r: Rows) -> Words:
    words = r.keys("35", 12)
    return [word + str(luhn([int(sign) for sign in word])) for word in words]


def macs(r: Rows) -> Words:
    return [":".join(word[at : at + 2] for at in range(0, 12, 2)).upper() for word in r.hashes(12)]


def six_addresses(r: Rows) -> Words:
    return [f"2001:db8:{word[:4]}:{word[4:8]}::{word[8:11]}" for word in r.hashes(11)]


def tokens(r: Rows) -> Words:
    """Keys as web services make them, eleven signs of base 64."""
    return [urlsafe_b64encode(bytes.fromhex(word)).decode()[:11] for word in r.hashes(18)]


def positions(r: Rows, north: float, east: float, pattern: str = "{:.5f},{:.5f}") -> Words:
    found = r.rng.normal((north, east), (0.06, 0.09), (r.n_rows, 2)).tolist()
    return [pattern.format(*row) for row in found]


def epochs(r: Rows, first: int, last: int) -> Words:
    """Milliseconds since 1970, as apps export moments."""
    extra = r.rng.integers(0, 1000, r.n_rows).tolist()
    moments = r.moments(first, last)
    return [
        str(1000 * int((day - day.replace(1970, 1, 1, 0, 0, 0)).total_seconds()) + ms)
        for day, ms in zip(moments, extra, strict=True)
    ]


def hungarian_health(r: Rows) -> Words:
    """TAJ numbers: weights 3 and 7, modulo 10."""
    words = []
    for body in r.keys("", 8):
        check = sum(int(sign) * (7 if place % 2 else 3) for place, sign in enumerate(body)) % 10
        words.append(f"{body[:3]} {body[3:6]} {body[6:]}{check}")
    return words


def greek_tax(r: Rows) -> Words:
    """ΑΦΜ: powers of two, modulo 11, modulo 10."""
    words = []
    for body in r.keys("", 8):
        words.append(f"{body}{sum(int(s) << (8 - at) for at, s in enumerate(body)) % 11 % 10}")
    return words


HU_LAST = "Nagy|Kovács|Tóth|Szabó|Horváth|Varga|Kiss|Molnár|Németh|Farkas|Balogh|Papp|Lakatos|Takács|Juhász|Mészáros|Oláh|Simon|Rácz|Fekete|Szilágyi|Győri|Bíró|Vörös|Orsós|Kálmán|Bodnár|Sipos|Lengyel|Gál"
HU_FIRST = "László|István|Zoltán|Gábor|Attila|Éva|Ildikó|Katalin|Zsuzsanna|Mária|Tünde|Réka|Bence|Dávid|Eszter|Ágnes|Levente|Csaba|Györgyi|Imre|Piroska|Ferenc|Szilvia|Boglárka"
EL_LAST = "Παπαδόπουλος|Βλάχος|Αγγελόπουλος|Νικολαΐδης|Γεωργίου|Πετράκης|Μακρής|Καραγιάννης|Οικονόμου|Δημητρίου|Κουτσός|Ράπτης|Σαμαράς|Χατζής|Λιανός|Ζαφειρίου|Μαυρίδης|Θεοδώρου|Κωστάκης|Ψαρράς|Τσάκαλος|Αλεξίου"
EL_FIRST = "Γεώργιος|Ιωάννης|Κωνσταντίνος|Δημήτριος|Νικόλαος|Παναγιώτης|Βασίλειος|Χρήστος|Αθανάσιος|Μιχαήλ|Ευάγγελος|Σπυρίδων|Μαρία|Ελένη|Στυλιανός|Ανδρέας|Εμμανουήλ|Φώτιος"
EN_WHO = "Mr Oduya|Gran|Jess|Mrs Pellow|his wife|Bryn|Father Keane|Dr Lal|Tess Varga|the Hodges boy|Kit|Ms Achebe|Aunt Bea|old Mr Tranter|Priya|Hamish"
DE_WHO = "Hr. Brandl|Fr. Ostermann|Enkel Timo|Witwe Kranz|Pfr. Lenz|Sohn Malte|Fam. Özkan|Schwester Ruth|Kati|Dr. Wiegand|Opa Sepp|Nichte Jana"
FR_WHO = (
    "M. Lacaze|Mme Quéré|sa sœur Inès|Papy Roger|Nadia|le petit Tom|M. Oumar|Mme Vasseur|tonton Gilles|Élodie"
)
ES_WHO = (
    "D. Anselmo|la Sra. Quiroga|su hijo Borja|Doña Remedios|Yolanda|el del 3º|Sr. Baeza|Paqui|Letrado Amo"
)
IT_WHO = "sig. Tonelli|don Piero|la nonna Assunta|Comm. Bellini|zia Pina|Sig.ra Zanon|Gino|Fam. Dalla Costa"
NL_WHO = "mw. Terpstra|Opa Henk|dhr. Bouwman|buurvrouw Toos|Fatima|zoon Niels|mr. Van Rhijn|Joke"
PT_WHO = "Sr. Barbosa|Dona Fernanda|mestre Zeca|o primo Quim|Sra. Paiva|Cabo Meireles|Tó"


# --- English -----------------------------------------------------------------------------------------------


@second_set("en lost property", "en", 520)
def lost_property(r: Rows) -> Columns:
    text = (
        "Small|Large|Battered|Child's|Handmade|Nearly new|Wet##rucksack|umbrella|violin case|trainers, size {n}|walking"
        " stick|phone with cracked corner|wedding ring|teddy|denture in a cup|lunch box|wallet##with initials|left on seat"
        " {n}|name tape {name}|handed in by {name}|smells of dog|photo of {name} inside|under table|with ticket to Leeds|"
    )
    headcodes = signs(Rows(r.rng, 28), "9A99")
    contact = either(r, r.phones("uk"), r.emails("en"), 0.4)
    return {
        "Tag": secret(r.serial("LP/23/", 410, 3, 5)),
        "Found": timed(r.dates(2023, 2023, "%d-%b-%y %H%M")),
        "Station": quasi(
            r.zipf("York|Leeds|Selby|Hull Paragon|Malton|Garforth|Seamer|Scarborough|Church Fenton")
        ),
        "Headcode": quasi(r.pick(headcodes), KEEP),
        "Category": quasi(r.zipf("bag|phone|clothing|umbrella|jewellery|toy|mobility aid|instrument")),
        "Colour": quasi(r.zipf("black|blue|grey|red|multi|green|n/k"), KEEP),
        "Item description": secret(told(r, text, EN_WHO)),
        "Claimed by": secret(r.missing(r.names("en", "LAST I."), 0.6)),
        "Reach on": secret(r.missing(contact, 0.6)),
        "Est. worth": money(wrapped("£{}", r.skewed(18, 0.9))),
        "Shelf": quasi(joined("{}{}", r.pick("A|B|C|D"), r.pick("1|2|3|4|5")), KEEP),
        "Days held": quasi(r.counts(19), KEEP, SENSITIVE),
        "Disposal": target(r.zipf("unclaimed|returned|charity|auction|destroyed")),
    }


@second_set("en allotments", "en", 300)
def allotments(r: Rows) -> Columns:
    text = (
        "Knotweed|Bees|Overgrown again|Bonfire|New greenhouse|Shares with {name}|Hens##near the gate|on {n} ft of path|since"
        " the hip operation|after divorce|against rule {n}|by the brook##- spoke to {name}|; letter sent|, {name} will"
        " strim|; gave {n} weeks|"
    )
    return {
        "Plot": quasi(shuffled(r, r.serial("", 0, 1)), IDENTIFIERS),
        "Tenant": secret(
            joined(
                "{} {} {}",
                r.pick("Mr|Mrs|Ms|Mr & Mrs|Dr", 0.4, 0.3),
                initials(r, "{}.", 1),
                families(r, "en"),
            )
        ),
        "Site": quasi(r.zipf("Brook Lane|Quarry Fields|Station Rd|Hangman's Piece|St Anne's")),
        "Postcode": quasi(signs(r, "BA9 9AA"), IDENTIFIERS),
        "Age": quasi(r.ages(24, 93)),
        "Joined list": quasi(r.dates(2008, 2023, "%b-%y")),
        "Rods": quasi(r.pick("5|2.5|10|7.5", 0.5, 0.3), KEEP),
        "Rent p.a.": money(wrapped("£{}", r.pick("37.50|19.00|71.00|54.25", 0.5, 0.3))),
        "Concession": quasi(r.missing(r.pick("65+|Universal Credit|PIP"), 0.6, "none"), SENSITIVE),
        "Fob": secret(signs(r, "A99999")),
        "Year": constant(r.same("2023/24")),
        "Structures": quasi(r.pick("none|shed|shed + glass|polytunnel", 0.3, 0.4), KEEP),
        "Inspection": target(r.pick("good|fair|warning|notice to quit", 0.5, 0.3), SENSITIVE),
        "Steward's note": secret(r.missing(told(r, text, EN_WHO), 0.4)),
    }


@second_set("en climbing wall", "en", 640)
def climbing_wall(r: Rows) -> Columns:
    people, owner = r.people(4)
    kin = joined(
        "{} ({}) {}", given(people, "en"), people.pick("mum|dad|partner|flatmate"), people.phones("uk")
    )
    return {
        "member": person(spread(people.keys("BW", 5), owner)),
        "climber": secret(spread(people.names("en", "first last"), owner)),
        "dob": quasi(spread(people.dates(1962, 2014, "%d/%m/%Y"), owner)),
        "ice_contact": secret(spread(kin, owner)),
        "checkin": timed(r.dates(2022, 2023, "%Y-%m-%dT%H:%M:%SZ")),
        "pass_type": quasi(r.zipf("10-visit|monthly|day|staff guest|student day"), KEEP),
        "lead_grade": quasi(spread(people.zipf("6a|5c|6a+|6b|6c|5a|7a|7b+"), owner), SENSITIVE, TARGET),
        "height_cm": measured(spread(people.normal(171, 11, 0), owner)),
        "ape_index": measured(spread(people.normal(1.01, 0.02, 3), owner)),
        "shoe_eu": quasi(spread(people.pick("37|38|39|40|41|41.5|42|43|44.5"), owner)),
        "injury": sensitive(
            r.missing(r.zipf("finger pulley|ankle|shoulder|rotator cuff|concussion"), 0.85, "none")
        ),
        "locker": quasi(r.ints(1, 60), KEEP, IDENTIFIERS),
        "waiver_pdf": secret(wrapped("https://waivers.example/d/{}.pdf", r.hashes(20))),
    }


@second_set("en dating app", "en", 800, Dialect("\t"))
def dating_app(r: Rows) -> Columns:
    text = (
        "Just moved here|Love|Ask me about|Recovering|Proud mum of {n}|Two truths:|Looking for##my whippet|sourdough|Leeds"
        " United|my year in Peru|wild swimming|vinyl|{name}'s pub quiz|karaoke##. No smokers|. insta is the.real.{n}|. 6ft{n}"
        " if it matters|, swipe left if not|. Divorced {n} months|!!|"
    )
    inches = joined("{}'{}\"", r.pick("5|6|4", 0.8, 0.15), r.ints(0, 11))
    handles = joined(
        "{}{}{}",
        r.pick("salty|loopy|kayak|moth|velvet|gruff|neon|plum"),
        r.pick(["_", "", "x"]),
        r.ints(1, 999),
    )
    return {
        "uid": person_or_id(tokens(r)),
        "handle": secret(handles),
        "gender": quasi(r.pick("woman|man|nonbinary|prefer not", 0.45, 0.48)),
        "age": quasi(r.ages(18, 66)),
        "seeking": sensitive(r.pick("men|women|everyone", 0.44, 0.43), QUASI),
        "height": measured(inches),
        "lat_lng": quasi(positions(r, 53.8, -1.55), IDENTIFIERS),
        "faith": sensitive(r.zipf("none|Christian|Muslim|Sikh|Jewish|spiritual|Hindu")),
        "drinks": quasi(r.pick("never|socially|often|sober", 0.2, 0.6), SENSITIVE),
        "occupation": quasi(
            r.zipf(
                "nurse|teacher|student|chef|barista|engineer|police officer|vet|roofer|solicitor|vicar|farrier|actuary"
            )
        ),
        "about_me": secret(r.missing(told(r, text, EN_WHO), 0.2)),
        "idfa": secret([word.upper() for word in r.uuids()]),
        "last_active_ms": timed(epochs(r, 2023, 2023)),
        "reported": sensitive(r.counts(0.15), QUASI),
        "paid_tier": target(r.pick("free|plus|gold", 0.8, 0.15), KEEP),
    }


# --- German ------------------------------------------------------------------------------------------------


@second_set("de Friedhof", "de", 380, Dialect(";", "cp1252", ","))
def cemetery(r: Rows) -> Columns:
    text = (
        "Umbettung|Stein wackelt|Efeu über Weg|Urne aus Übersee|Pflege durch {name}|Schrift fehlt|Verlängerung##erbeten|bis"
        " {n} J.|abgelehnt|laut {name}|nach Frost##, Rückruf {name}|, Rechnung an {name}|; Fotos im Ordner {n}|"
    )
    return {
        "Grabstelle": quasi(
            joined("{}/{}/{}", r.pick("A|B|C|D|U"), r.ints(1, 22), r.ints(1, 18)), IDENTIFIERS
        ),
        "Verstorbene(r)": secret(r.names("de", "last, first")),
        "geb.": quasi(r.dates(1921, 1990, "%d.%m.%Y")),
        "gest.": quasi(r.dates(2003, 2023, "%d.%m.%Y")),
        "Beisetzung": timed(r.dates(2003, 2023, "%d.%m.%Y, %H.%M Uhr")),
        "Konf.": sensitive(r.pick("ev.|rk.|o.B.|isl.|orth.", 0.4, 0.35, 0.18)),
        "Grabart": quasi(
            r.zipf("Reihengrab|Urnenwahlgrab|Wahlgrab 2-stellig|Baumgrab|anonym|Kindergrab"), KEEP
        ),
        "Nutzungsber.": secret(joined("{} {}", r.pick("Fam.|Eheleute|Frau|Herr"), families(r, "de"))),
        "Ruhefrist": quasi(r.dates(2024, 2048, "%m/%Y"), KEEP),
        "Gebühr": money(wrapped("{} EUR", r.skewed(1_320, 0.4, 2, ",", "."))),
        "Bestatter": quasi(r.zipf("Pietät Hahn|Bestattungen Kröger|Ahorn Trauerhilfe|Städt. Institut"), KEEP),
        "Bemerkung": secret(r.missing(told(r, text, DE_WHO), 0.5)),
        "Standsicher": target(r.pick("ja|nein|nicht geprüft", 0.8, 0.12)),
    }


@second_set("de Skiverleih", "de", 450, Dialect(";", "utf-8", ","))
def ski_rental(r: Rows) -> Columns:
    skis = "Atomic Redster 156|Head Shape 163|Rossignol Kid 120|Fischer RC 170|Völkl Deacon 168|K2 Mindbender 172"
    return {
        "Schein": secret(r.serial("", 200_310, 5)),
        "Gast": secret(joined("{}, {}", families(r, "de"), initials(r, "{}.", 1))),
        "Unterkunft": quasi(r.zipf("Alpenrose|Gasthof Post|FeWo Huber|Jufa|Sonnblick|Tagesgast")),
        "Zi.": quasi(r.missing(r.ints(101, 348), 0.25), IDENTIFIERS),
        "Alter": quasi(r.ages(4, 78)),
        "Größe": measured(wrapped("{} m", r.normal(1.68, 0.16, 2, ","))),
        "Gewicht": measured(wrapped("{} kg", r.normal(71, 15, 0))),
        "Sohle": quasi(wrapped("{} mm", r.ints(245, 335)), SENSITIVE, KEEP),
        "Z-Wert": measured(r.normal(5.6, 1.6, 1, ",")),
        "Typ": quasi(r.pick("1 vorsichtig|2 normal|3 sportlich", 0.3, 0.5), SENSITIVE, KEEP),
        "Ski": quasi(r.zipf(skis), KEEP),
        "Etikett": secret(signs(r, "SK99999")),
        "ab": quasi(written(r, 2023, 2023, "{w} {0:%d.%m.%y}")),
        "Tage": quasi(r.pick("6|3|1|7|5", 0.4, 0.2), KEEP),
        "Summe": money(wrapped("{} €", r.skewed(112, 0.5, 2, ","))),
        "Rückgabe": target(r.pick("i.O.|Kantenschaden|verspätet|fehlt", 0.86, 0.07)),
    }


@second_set("de Schiedsrichter", "de", 560, Dialect(";", "utf-8-sig", ","))
def referees(r: Rows) -> Columns:
    people, owner = r.people(7)
    text = (
        "Laufwege gut|Zu viel Diskussion|Strafstoß Min. {n} falsch|Karten konsequent|Pfiff zu leise|Übergewicht sichtbar##,"
        " Absprache mit {name}|, Bank nicht im Griff|, Vorteil erkannt|, kam {n} Min. zu spät##. Förderkader?|. Gespräch mit"
        " {name} folgt|. Nochmal ansehen|"
    )
    return {
        "Ausweis": person(spread(people.keys("0032-", 4), owner)),
        "SR": secret(spread(joined("{} {}", given(people, "de"), families(people, "de")), owner)),
        "Jg.": quasi(spread(people.ints(1958, 2008), owner)),
        "Verein": quasi(
            spread(people.zipf("TSV Aue|SC Borbeck|FC Linde|SV Rot-Weiß|VfB Hude|DJK Nord"), owner)
        ),
        "Spielkennung": secret(r.keys("", 9)),
        "Anstoß": timed(written(r, 2023, 2023, "{w}, {0:%d.%m.%y %H:%M}")),
        "Klasse": quasi(r.zipf("Kreisliga B|Kreisliga A|A-Jugend|Bezirksliga|Frauen-Landesliga|Ü40"), KEEP),
        "km": quasi(r.skewed(24, 0.6), KEEP, SENSITIVE),
        "Spesen": money(r.skewed(38, 0.3, 2, ",")),
        "Cooper": sensitive(spread(people.normal(2_380, 260, 0), owner), QUASI),
        "Regeltest": sensitive(spread(wrapped("{}/30", people.ints(16, 30)), owner), QUASI),
        "Note": sensitive(r.missing(r.normal(8.0, 0.3, 1, ","), 0.6), QUASI, TARGET),
        "Beob.": staff(r.missing(r.pick("Krull|Ising|Vahle|Böing"), 0.6)),
        "Text Beob.": secret(r.missing(told(r, text, DE_WHO), 0.6)),
        "Ansetzung zurückgegeben": target(r.pick("nein|ja", 0.9)),
    }


# --- French ------------------------------------------------------------------------------------------------


@second_set("fr covoiturage", "fr", 700, Dialect(";", "utf-8", ","))
def car_sharing(r: Rows) -> Columns:
    people, owner = r.people(4)
    text = (
        "Bonjour,|Coucou|Salut {name}|Rdv|Attention##je peux passer au km {n}|devant la gare|mon chien vient aussi|j'ai {n}"
        " valises|parking Leclerc|péage sortie {n}##, merci !|, appelez {name}|, voiture grise|, pas de détour|"
    )
    return {
        "trajet": secret(r.hashes(12)),
        "conducteur": person(spread(people.keys("c_", 6), owner)),
        "prenom": secret(spread(given(people, "fr"), owner)),
        "immat": secret(spread(signs(people, "AA-999-AA"), owner)),
        "modele": quasi(spread(people.zipf("Clio|208|C3|Sandero|Zoé|Golf|Kangoo|Model 3|2CV"), owner)),
        "depart": quasi(r.zipf("Rennes|Vannes|Nantes|Laval|Quimper|Saint-Malo|Redon")),
        "arrivee": quasi(r.zipf("Paris|Nantes|Brest|Lorient|Angers|Caen|Le Mans")),
        "heure_depart": timed(r.dates(2023, 2023, "%Y-%m-%dT%H:%M+02:00")),
        "places": quasi(r.pick("3|2|1|4", 0.5, 0.25), KEEP),
        "prix": money(wrapped("{} €", r.skewed(13, 0.5, 2, ","))),
        "bavard": quasi(spread(people.pick("Bla|BlaBla|BlaBlaBla", 0.2, 0.6), owner), SENSITIVE, KEEP),
        "fumeur": quasi(spread(people.pick("non|oui", 0.85), owner), SENSITIVE),
        "avis": quasi(r.missing(r.pick("5|4|3|2|1", 0.6, 0.25), 0.3), SENSITIVE, TARGET),
        "message": secret(r.missing(told(r, text, FR_WHO), 0.3)),
        "annule": target(r.pick("0|1", 0.91)),
    }


@second_set("fr conservatoire", "fr", 330, Dialect(";", "cp1252", ","))
def music_school(r: Rows) -> Columns:
    text = (
        "Doit|Absences :|Très doué,|Souhaite|Maman signale##changer de prof|{n} fois|travailler la lecture|dyslexie|une"
        " place en orchestre|archet à refaire##, voir {name}|. Appeler {name}|, demande dérogation|"
    )
    slots = joined("{} {}h{}", r.pick("lun.|mar.|mer.|jeu.|sam."), r.ints(9, 19), r.pick("00|15|30|45"))
    return {
        "N° élève": person_or_id(shuffled(r, r.serial("E", 2_300, 4))),
        "Élève": secret(r.names("fr", "LAST FIRST")),
        "Naissance": quasi(spelled_dates(r, 2004, 2017, "{d} {m} {y}", "fr")),
        "Commune": quasi(r.zipf("Annonay|Davézieux|Boulieu|Roiffieux|Serrières|Félines|hors agglo")),
        "Instrument": quasi(r.zipf("piano|violon|guitare|flûte|saxophone|harpe|batterie|cor|viole de gambe")),
        "Cycle": quasi(joined("{}C{}", r.pick("1|2|3", 0.6, 0.3), r.ints(1, 4)), KEEP),
        "Professeur": staff(r.pick("M. Aubert|Mme Sato|Mme Lenoir|M. Kovac|M. Ruiz|Mme Oury")),
        "Créneau": clock(slots),
        "QF CAF": money(r.missing(r.skewed(1_040, 0.5, 0, ",", " "), 0.2, "non fourni")),
        "Instr. loué": secret(r.missing(signs(r, "VL-9999-A"), 0.5)),
        "FM /20": sensitive(r.normal(13.4, 2.6, 1, ","), QUASI),
        "Tél. resp.": secret(r.phones("fr")),
        "Observations": secret(r.missing(told(r, text, FR_WHO), 0.5)),
        "Examen": target(r.pick("AB|B|TB|ajourné", 0.3, 0.35, 0.2), SENSITIVE),
    }


# --- Spanish -----------------------------------------------------------------------------------------------


@second_set("es oposiciones", "es", 600, Dialect(";", "cp1252", ","))
def civil_service_exam(r: Rows) -> Columns:
    text = (
        "Solicita|Impugna|Pide|No conforme con##la pregunta {n}|revisión del ejercicio|copia del acta|cambio de fecha por"
        " parto|el baremo, apdo. {n}##; firma {name}|. Adjunta {n} folios|, recurso de {name}|"
    )
    return {
        "DNI": person_or_id(wrapped("***{}**", r.keys("", 4))),
        "Apellidos y nombre": secret(r.names("es", "double")),
        "Orden": person_or_id(shuffled(r, r.serial("", 0, 2))),
        "Turno": quasi(r.pick("libre|prom. interna|reserva discap.", 0.75, 0.18), SENSITIVE),
        "F. nac.": quasi(r.dates(1964, 2003, "%d/%m/%Y")),
        "Prov.": quasi(r.zipf("Madrid|Sevilla|Valencia|Zaragoza|A Coruña|Las Palmas|Badajoz|Ceuta")),
        "Titulación": quasi(r.zipf("Derecho|ADE|Historia|Bachiller|Filología|Psicología|CC. Políticas")),
        "Aula": quasi(wrapped("A-{}", r.pick("01|02|03|11|12|13|21")), KEEP, IDENTIFIERS),
        "Llamam.": quasi(r.pick("9:00|9:30|16:00"), KEEP, IDENTIFIERS),
        "1er ej.": sensitive(r.normal(5.6, 1.5, 2, ","), QUASI),
        "2º ej.": sensitive(r.missing(r.normal(6.1, 1.2, 2, ","), 0.4, "NP"), QUASI),
        "Méritos": sensitive(r.skewed(8, 0.6, 3, ","), QUASI),
        "Adaptación": sensitive(r.missing(r.pick("tiempo extra|braille|lactancia"), 0.94, "no"), QUASI),
        "Alegaciones": secret(r.missing(told(r, text, ES_WHO), 0.8)),
        "Resultado": target(r.pick("no apto|apto|apto sin plaza", 0.6, 0.25), SENSITIVE),
    }


@second_set("es comunidad vecinos", "es", 260, Dialect(";", "utf-8-sig", ","))
def owners(r: Rows) -> Columns:
    text = (
        "Gotera|Ruido del 3º|Obra sin permiso|Impago desde {n}|Perro en zonas comunes|Alquila a {name}##; avisado|; burofax"
        " n.º {n}|; lo lleva {name}|; vive fuera|##, enviar copia a {name}|, pendiente junta|"
    )
    return {
        "Finca": quasi(
            joined("Esc. {} {}º {}", r.pick("1|2|3|4"), r.ints(1, 12), r.pick("A|B|C|D")), IDENTIFIERS
        ),
        "Propietario": secret(r.names("es", "first last")),
        "NIF": person_or_id(r.national("es")),
        "Ref. catastral": secret(signs(r, "9999999AA9999A9999AA")),
        "Coef.": quasi(wrapped("{} %", r.normal(0.41, 0.09, 3, ",")), SENSITIVE),
        "m² útiles": quasi(r.normal(84, 17, 0)),
        "Uso": quasi(r.pick("habitual|alquiler|2ª residencia|local|vacío", 0.6, 0.2)),
        "Garaje": quasi(r.pick("0|1|2", 0.4, 0.5)),
        "Cuota": money(r.normal(78, 18, 2, ",")),
        "Deuda": money(r.missing(wrapped("{} €", r.skewed(310, 1.0, 2, ",", ".")), 0.7, "0,00 €")),
        "Cargo en": secret(r.ibans("ES", spaced=True)),
        "Avisos a": secret(r.emails("es")),
        "Derrama ascensor": sensitive(r.pick("a favor|en contra|abst.|ausente", 0.45, 0.2), TARGET),
        "Moroso": target(r.pick("NO|SÍ", 0.88), SENSITIVE),
        "Obs.": secret(r.missing(told(r, text, ES_WHO), 0.5)),
    }


# --- Italian -----------------------------------------------------------------------------------------------


@second_set("it battesimi", "it", 320, Dialect(";", "utf-8", ","))
def parish_register(r: Rows) -> Columns:
    text = (
        "Matrimonio|Legittimazione|Nulla osta|Adozione|Cambio cognome|Sbattezzo##a Loreto|con {name}|prot. {n}|decreto"
        " vescovile {n}##, testimone {name}|, v. fascicolo {n}|"
    )
    volume = joined("Vol. {}, f. {}, n. {}", r.pick("XI|XII|XIII"), r.ints(1, 190), r.ints(1, 8))
    return {
        "Registro": secret(volume),
        "Battezzato/a": secret(joined("{} {}", given(r, "it"), families(r, "it"))),
        "M/F": quasi(r.pick("M|F")),
        "Nascita": quasi(r.dates(1985, 2022, "%d-%m-%Y")),
        "Battesimo": quasi(spelled_dates(r, 1986, 2023, "{d} {m} {y}", "it")),
        "Padre": secret(given(r, "it")),
        "Madre": secret(joined("{} {}", given(r, "it"), families(r, "it"))),
        "Padrino": secret(r.names("it", "LAST FIRST")),
        "Unione": quasi(r.pick("religioso|civile|conviventi|madre nubile", 0.6, 0.2), SENSITIVE),
        "Frazione": quasi(r.zipf("Capoluogo|Pieve|San Rocco|Molino|Ca' Bianca|Monte")),
        "Celebrante": staff(r.pick("don Carlo|don Luigi|P. Anselmo|mons. Righi")),
        "Offerta": money(r.missing(wrapped("€ {}", r.pick("50|100|20|30|150|200")), 0.3)),
        "Note marginali": secret(r.missing(told(r, text, IT_WHO), 0.6)),
    }


@second_set("it porto turistico", "it", 290, Dialect(";", "cp1252", ","))
def marina(r: Rows) -> Columns:
    boats = "Stella Maris|Nina|Vento di Mare|Blue Moon|Aurora|Gabbiano II|Sirena|La Vagabonda|Ulisse|Tramontana|Mistral|Lupo di Mare"
    return {
        "Contratto": secret(r.serial("PT-", 3_071, 6)),
        "Armatore": secret(r.names("it", "last, first")),
        "C.F.": person_or_id(r.national("it")),
        "Cell.": secret(r.phones("it")),
        "Unità": quasi(r.zipf(boats), IDENTIFIERS, KEEP),
        "Matricola": secret(signs(r, "4AA 9999 D")),
        "L.f.t.": quasi(wrapped("{} m", r.normal(11.2, 2.9, 2, ",")), KEEP),
        "Posto": quasi(joined("{}{}", r.pick("A|B|C|D|E"), r.ints(1, 48)), IDENTIFIERS),
        "Bandiera": quasi(r.zipf("ITA|FRA|DEU|NLD|GBR|POL|MLT")),
        "Arrivo": quasi(r.dates(2022, 2023, "%d/%m/%y")),
        "Notti": quasi(r.skewed(6, 0.8), KEEP, SENSITIVE),
        "Tariffa": quasi(r.pick("transito|stagionale|annuale|cantiere", 0.6, 0.25), KEEP),
        "kWh": quasi(r.skewed(34, 0.9, 1, ","), KEEP, SENSITIVE),
        "Totale": money(r.skewed(640, 0.9, 2, ",", ".")),
        "Saldato": target(r.pick("sì|no|acconto", 0.8, 0.08), SENSITIVE),
    }


# --- Dutch -------------------------------------------------------------------------------------------------


@second_set("nl repair cafe", "nl", 400, Dialect(";", "utf-8", ","))
def repair_cafe(r: Rows) -> Columns:
    text = (
        "Doet niks meer|Lekt|Snoer stuk|Rookt|Knop los|Ritst niet|Piept elke {n} sec##na val|sinds {name} hem leende|erfstuk"
        " van {name}|na {n} jaar||bij inschakelen##, lief aub|, haast|, al bij {name} geweest|"
    )
    return {
        "Bonnr": secret(r.serial("RC", 118, 2, 4)),
        "Bezoeker": secret(given(r, "nl")),
        "Buurt": quasi(r.zipf("Overvecht|Lombok|Zuilen|Tuindorp|Kanaleneiland|De Meern")),
        "Voorwerp": quasi(
            r.zipf("stofzuiger|lamp|koffiezetter|broek|naaimachine|radio|fiets|knuffel|gehoorapparaat")
        ),
        "Merk": quasi(
            r.missing(r.zipf("Philips|Miele|Bosch|Inventum|Singer|Sony|Gazelle"), 0.2, "onb."), KEEP
        ),
        "Bouwjr": quasi(r.missing(r.ints(1958, 2022), 0.3, "?"), KEEP),
        "Serienr.": secret(r.missing(signs(r, "A9999-99999"), 0.3)),
        "Klacht": secret(told(r, text, NL_WHO)),
        "Hersteller": staff(r.pick("Ton|Ria|Achmed|Wim|Lidy")),
        "Bezig": quasi(durations(r, 38, 0.5, "{t} min"), KEEP, SENSITIVE),
        "Gift": money(wrapped("€ {}", r.pick("0,00|5,00|2,50|10,00|20,00", 0.2, 0.4))),
        "Via": quasi(r.zipf("huis-aan-huisblad|buren|bieb|Facebook"), KEEP),
        "Gelukt?": target(r.pick("ja|nee|half", 0.58, 0.3)),
    }


@second_set("nl waterschap bezwaar", "nl", 350, Dialect(";", "utf-8-sig", ","))
def water_board(r: Rows) -> Columns:
    text = (
        "Betrokkene stelt|Volgens {name}|Belanghebbende vindt|Hoorzitting:##dat het huis leegstaat|taxatie {n} duizend te"
        " hoog|alleenwonend sinds scheiding|sloot is niet van hem|verkeerd aantal bewoners##. Stukken {n} bijgevoegd|."
        " Telefonisch toegelicht door {name}|. Termijn {n} dagen|"
    )
    return {
        "Dossier": secret(joined("BZ{}.{}", r.pick("22|23"), r.serial("", 510, 7, 5))),
        "BSN": person_or_id(r.national("nl")),
        "Naam": secret(joined("{} {}", initials(r, "{}.{}.", 2), families(r, "nl"))),
        "PC6": quasi(signs(r, "3999 AA"), IDENTIFIERS),
        "Gemeente": quasi(r.zipf("Tiel|Culemborg|Buren|Zaltbommel|Neder-Betuwe|West Maas en Waal")),
        "Object": quasi(r.pick("woning|bedrijf|weiland|woonboot", 0.75, 0.12)),
        "WOZ": money(wrapped("€ {}", r.skewed(318_000, 0.35, 0, ",", "."))),
        "Bewoners": quasi(r.pick("1|2|3|4|5", 0.35, 0.35)),
        "Aanslag": money(r.skewed(342, 0.3, 2, ",")),
        "Binnen": quasi(r.dates(2022, 2023, "%d-%m-%Y")),
        "Grond": quasi(r.zipf("waarde|aantal bewoners|eigendom|kwijtschelding|dubbel"), KEEP, SENSITIVE),
        "Ink. p/m": money(r.missing(r.skewed(1_790, 0.3, 0, ",", "."), 0.4)),
        "Rek.nr.": secret(r.ibans("NL")),
        "Beh.": staff(r.pick("jvd|mko|sbe|lro")),
        "Motivering": secret(told(r, text, NL_WHO)),
        "Uitspraak": target(r.pick("ongegrond|gegrond|deels|ingetrokken", 0.5, 0.25), SENSITIVE),
    }


# --- Portuguese --------------------------------------------------------------------------------------------


@second_set("pt pesca ludica", "pt", 360, Dialect(";", "utf-8", ","))
def fishing_licences(r: Rows) -> Columns:
    text = (
        "Apreendido|Fiscalizado|Pescava|Aviso verbal##robalo abaixo da medida|sem colete|{n} kg de lapas|na reserva, boia"
        " {n}|de noite com {name}##; auto n.º {n}|, confirmou {name}|, colaborou|"
    )
    return {
        "Licença": person_or_id(r.keys("PL", 7)),
        "Titular": secret(r.names("pt", "first last")),
        "NIF": person_or_id(r.national("pt")),
        "Nasc.": quasi(r.dates(1941, 2006, "%d/%m/%Y")),
        "Concelho": quasi(r.zipf("Peniche|Sesimbra|Cascais|Sines|Olhão|Nazaré|Vila do Bispo")),
        "CP7": quasi(signs(r, "2599-999"), IDENTIFIERS),
        "Modalidade": quasi(r.zipf("apeada|embarcada|submarina|apanha"), KEEP),
        "Emitida": quasi(written(r, 2022, 2023, "{d} de {m} de {0:%Y}")),
        "Taxa": quasi(r.pick("7,45 €|14,90 €|37,20 €|74,40 €", 0.4, 0.3), KEEP, SENSITIVE),
        "Conj. ident.": secret(r.missing(signs(r, "PE-9999-A"), 0.6)),
        "Telem.": secret(r.phones("pt")),
        "Infrações": sensitive(r.counts(0.3), QUASI),
        "Coima": money(r.missing(wrapped("{} €", r.skewed(210, 0.4, 0)), 0.8)),
        "Ocorrência": secret(r.missing(told(r, text, PT_WHO), 0.75)),
        "Renovou": target(r.pick("S|N", 0.64)),
    }


# --- Other languages ---------------------------------------------------------------------------------------


@second_set("hu allaskeresok", "other", 420, Dialect(";", "utf-8", ","))
def job_centre(r: Rows) -> Columns:
    text = (
        "Beteg|Nem jelent meg|Vállalna|Visszautasította|Gyermeke született|Hitele van##a {n}. héten|éjszakai műszakot|{name}"
        " szerint|ingázni {n} km-t|orvosi papírral##, hívja {name}|, újra {n} nap múlva|"
    )
    who = "Erzsi néni|Pista|Bognárné|a polgármester|Dr. Kun|Sanyi|Marika"
    return {
        "Ügyfélszám": person_or_id(r.serial("K-", 81_020, 9)),
        "Név": secret(joined("{} {}", r.zipf(HU_LAST), r.pick(HU_FIRST))),
        "TAJ": person_or_id(hungarian_health(r)),
        "Anyja neve": secret(joined("{} {}", r.pick(HU_LAST), r.pick(HU_FIRST))),
        "Szül.": quasi(r.dates(1960, 2004, "%Y. %m. %d.")),
        "Lakóhely": quasi(r.zipf("Ózd|Kazincbarcika|Miskolc|Putnok|Edelény|Borsodnádasd|Sajószentpéter")),
        "Végzettség": quasi(r.zipf("8 általános|szakmunkás|érettségi|főiskola|egyetem")),
        "Szakma": quasi(
            r.missing(r.zipf("kőműves|varrónő|hegesztő|eladó|szakács|lakatos|óvónő"), 0.2, "nincs")
        ),
        "Utolsó bér": money(wrapped("{} Ft", r.skewed(296_000, 0.3, 0, ",", " "))),
        "Belépett": quasi(r.dates(2021, 2023, "%Y.%m.%d")),
        "Ellátás": quasi(r.zipf("nincs|álláskeresési járadék|FHT|nyugdíj előtti"), SENSITIVE),
        "Egészségkárosodás": sensitive(r.pick("nem|igen", 0.86), QUASI),
        "Feljegyzés": secret(r.missing(told(r, text, who), 0.4)),
        "Elhelyezkedett": target(r.pick("nem|igen|közmunka", 0.5, 0.3)),
    }


@second_set("el naftologio", "other", 310, Dialect(";", "utf-8-sig", ","))
def ship_crew(r: Rows) -> Columns:
    text = (
        "Ζήτησε|Αρνήθηκε|Καθυστέρησε|Τραυματίστηκε##άδεια {n} ημερών|στο αμπάρι {n}|μετά τον Πειραιά|βάρδια με τον {name}##,"
        " ενημερώθηκε ο {name}|, βλ. ημερολόγιο {n}|"
    )
    return {
        "Α/Α": person_or_id(r.serial("", 0, 1)),
        "Ονοματεπώνυμο": secret(joined("{} {}", r.zipf(EL_LAST), r.zipf(EL_FIRST))),
        "Φυλλάδιο": person_or_id(signs(r, "Μ.Ε.Θ. 99999")),
        "ΑΦΜ": person_or_id(greek_tax(r)),
        "Γέννηση": quasi(r.dates(1958, 2003, "%d/%m/%Y")),
        "Ειδικότητα": quasi(
            r.zipf("ναύτης|θαλαμηπόλος|Γ' μηχανικός|μάγειρας|ναύκληρος|υποπλοίαρχος|πλοίαρχος")
        ),
        "Ιθαγένεια": quasi(r.pick("ΕΛΛ|ΦΙΛ|ΟΥΚ|ΓΕΩ|ΑΙΓ", 0.5, 0.25)),
        "Πλοίο": quasi(r.zipf("Άγιος Νικόλαος|Αίγλη|Blue Carrier|Θάλεια"), KEEP),
        "Ναυτολόγηση": quasi(r.dates(2021, 2023, "%d-%m-%Y")),
        "Λιμάνι": quasi(r.zipf("Πειραιάς|Βόλος|Πάτρα|Ραφήνα|Καβάλα")),
        "Μισθός": money(wrapped("{} €", r.skewed(1_980, 0.4, 2, ",", "."))),
        "Ομάδα αίματος": sensitive(r.pick("A+|O+|B+|AB+|O-|A-", 0.35, 0.36, 0.12), QUASI),
        "Τηλ. οικείων": secret(wrapped("69{}", r.keys("", 8))),
        "Παρατηρήσεις": secret(r.missing(told(r, text, EL_FIRST), 0.5)),
        "Κατάσταση": target(r.pick("εν πλω|άδεια|αποναυτολόγηση", 0.6, 0.25)),
    }


# --- Headers without a meaning -----------------------------------------------------------------------------


@second_set("xx Expr1000", "none", 470)
def access_query(r: Rows) -> Columns:
    people, owner = r.people(3)
    text = "left message|wants refund|moved to {name}'s|see file {n}|no answer|gate code {n}##again|re {name}|, {n} days late||ok"
    return {
        "Expr1000": secret([f"{{{word.upper()}}}" for word in r.uuids()]),
        "Expr1001": person_or_id(spread(people.keys("", 6), owner)),
        "Expr1002": secret(spread(people.names("en", "LAST FIRST"), owner)),
        "Expr1003": timed(r.dates(2021, 2023, "%m/%d/%Y %I:%M:%S %p")),
        "Expr1004": secret(macs(r)),
        "Expr1005": unknown(r.pick("-1|0", 0.3)),
        "Expr1006": unknown(r.pick("TX|QP|LL|ZR", 0.5)),
        "Expr1007": measured(r.normal(46.2, 8.1, 2)),
        "Expr1008": quasi(wrapped("${}", r.skewed(75, 0.6, 2)), SENSITIVE),
        "Expr1009": secret(r.missing(told(r, text, EN_WHO), 0.3)),
        "Expr1010": secret(either(r, r.emails("en"), r.phones("us"), 0.2)),
        "Expr1011": constant(r.same("N")),
        "Expr1012": quasi(positions(r, 40.1, -83.0, "{:.6f} / {:.6f}"), IDENTIFIERS),
        "Expr1013": unknown(r.pick("1|2|3", 0.6, 0.3)),
    }


@second_set("xx keyboard row", "none", 360, Dialect("|"))
def keyboard_row(r: Rows) -> Columns:
    text = (
        "dizzy|rash|tired|no show|late|sad|better|fell##both|since {n}|w/ {name}|pm|x{n}##|call {name}|!|tbc"
    )
    return {
        "q": secret(r.hashes(10)),
        "w": secret(imeis(r)),
        "e": unknown(r.pick("A|B|C", 0.5, 0.3)),
        "r": quasi(r.dates(2020, 2023, "%Y%m%d")),
        "t": secret(told(r, text, EN_WHO)),
        "y": secret(six_addresses(r)),
        "u": quasi(r.ages(18, 90), SENSITIVE),
        "i": unknown(r.pick("J|N|?", 0.7, 0.25)),
        "o": measured(wrapped("{}%", r.normal(62, 11, 1))),
        "p": secret(r.national("card", 0)),
        "a": empty(r.same("")),
        "s": secret(joined("{} {}", given(r, "en"), families(r, "en"))),
        "d": unknown(r.pick("0|1", 0.78)),
    }
