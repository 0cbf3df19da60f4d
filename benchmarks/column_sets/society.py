"""Schools, surveys, censuses, courts, meters, vehicles, clubs."""

from __future__ import annotations

from benchmarks.column_sets.labels import (
    IDENTIFIERS,
    KEEP,
    QUASI,
    SENSITIVE,
    TARGET,
    Columns,
    Dialect,
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
    target,
    timed,
)
from benchmarks.column_sets.rows import Rows, spread

GERMAN = Dialect(";", "cp1252", ",")


@column_set("es universidad", "es", 500, Dialect(";", "cp1252", ","))
def spanish_university(r: Rows) -> Columns:
    return {
        "Expediente": person_or_id(r.keys("", 6)),
        "DNI/NIE": secret(r.national("es")),
        "Apellidos": secret(r.names("es", "last")),
        "Año nacimiento": quasi(r.ints(1975, 2005)),
        "Sexo": quasi(r.pick("V|M")),
        "Titulación": quasi(r.zipf("Derecho|Medicina|Ingeniería|Filología|Física")),
        "Vía de acceso": quasi(r.zipf("PAU|FP|Mayores 25|Extranjero")),
        "Nota de acceso": sensitive(r.normal(8.4, 1.6, 3, ","), QUASI),
        "Beca": quasi(r.pick("S|N", 0.25), SENSITIVE),
        "Créditos": quasi(r.ints(0, 240), SENSITIVE),
        "Nota media": sensitive(r.normal(6.9, 1.1, 2, ","), QUASI),
        "Abandono": target(r.pick("S|N", 0.2)),
    }


@column_set("fr eleves college", "fr", 300, Dialect(";", "cp1252", ","))
def french_school(r: Rows) -> Columns:
    return {
        "INE": person_or_id(
            [f"{word}{tail}" for word, tail in zip(r.keys("", 9), r.pick("AB|GK|HC|FE"), strict=True)]
        ),
        "Élève": secret(r.names("fr", "LAST FIRST")),
        "Né(e) le": quasi(r.dates(2008, 2012, "%d/%m/%Y")),
        "Classe": quasi(r.pick("6A|6B|5A|5B|4A|4B|3A|3B")),
        "Responsable légal": secret(r.names("fr", "first last")),
        "Tél. responsable": secret(r.phones("fr")),
        "Boursier": quasi(r.pick("oui|non", 0.25), SENSITIVE),
        "Demi-pension": quasi(r.pick("DP|EXT")),
        "Moyenne maths": sensitive(r.normal(11.5, 3.4, 1, ","), QUASI),
        "Moyenne français": sensitive(r.missing(r.normal(11.9, 3, 1, ","), 0.04, "Abs"), QUASI),
        "Absences (demi-j.)": sensitive(r.counts(6), QUASI),
        "Appréciation": secret(r.notes("fr", 2)),
        "Redoublement": target(r.pick("N|O", 0.94)),
    }


@column_set("pt student performance", "pt", 395, Dialect(";"))
def student_performance(r: Rows) -> Columns:
    few = {
        name: quasi(r.ints(1, 5), SENSITIVE)
        for name in ("famrel", "freetime", "goout", "Dalc", "Walc", "health")
    }
    return {
        "school": quasi(r.pick("GP|MS", 0.88)),
        "sex": quasi(r.pick("F|M")),
        "age": quasi(r.ints(15, 22)),
        "address": quasi(r.pick("U|R", 0.78)),
        "famsize": quasi(r.pick("GT3|LE3", 0.7)),
        "Pstatus": quasi(r.pick("T|A", 0.9), SENSITIVE),
        "Mjob": quasi(r.zipf("other|services|at_home|teacher|health")),
        "reason": quasi(r.zipf("course|home|reputation|other"), KEEP),
        "failures": sensitive(r.pick("0|1|2|3", 0.8), QUASI),
        "romantic": quasi(r.pick("no|yes", 0.67), SENSITIVE),
        **few,
        "absences": quasi(r.counts(5), SENSITIVE),
        "G1": sensitive(r.ints(3, 19), QUASI),
        "G2": sensitive(r.ints(0, 19), QUASI),
        "G3": target(r.ints(0, 20), SENSITIVE, QUASI),
    }


@column_set("en employee survey", "en", 400)
def employee_survey(r: Rows) -> Columns:
    items = ("I am proud of my work", "My manager listens", "I am paid fairly", "I feel safe", "I would stay")
    return {
        "ResponseId": person_or_id([f"R_{word}" for word in r.hashes(15)]),
        "StartDate": timed(r.dates(2023, 2023, "%Y-%m-%d %H:%M:%S")),
        "IPAddress": secret(r.ips()),
        "Duration (in seconds)": quasi(r.skewed(420, 0.6), IDENTIFIERS, KEEP, SENSITIVE),
        "LocationLatitude": quasi(r.normal(51.5, 0.3, 4), IDENTIFIERS),
        "LocationLongitude": quasi(r.normal(0.12, 0.3, 4), IDENTIFIERS),
        "Age": quasi(r.bands(10, 20, 70)),
        "Gender": quasi(r.pick("Woman|Man|Prefer not to say", 0.5, 0.44)),
        "Team": quasi(r.zipf("Ops|Sales|Tech|Legal")),
        **{f"Q{number}: {item}": sensitive(r.likert("en"), QUASI) for number, item in enumerate(items, 1)},
        "Q6: Anything else?": secret(r.missing(r.notes("en", 3), 0.5)),
        "Leaving within a year": target(r.pick("No|Yes|Not sure", 0.6, 0.2), SENSITIVE),
    }


@column_set("de Umfrage", "de", 500, GERMAN)
def german_survey(r: Rows) -> Columns:
    items = {f"F{number:02}": sensitive(r.likert("de"), QUASI) for number in range(1, 7)}
    return {
        "lfdn": secret(r.serial("", 0, 1)),
        "Datum": quasi(r.dates(2023, 2023, "%d.%m.%Y")),
        "Altersgruppe": quasi(r.pick("18-29|30-44|45-59|60-74|75+")),
        "Geschlecht": quasi(r.pick("weiblich|männlich|divers|keine Angabe", 0.5, 0.45)),
        "Bundesland": quasi(r.zipf("Nordrhein-Westfalen|Bayern|Baden-Württemberg|Hessen|Sachsen")),
        "Schulabschluss": quasi(r.zipf("Abitur|Mittlere Reife|Hauptschule|ohne")),
        "Haushaltseinkommen": money(r.pick("unter 1.500 €|1.500-3.000 €|3.000-5.000 €|über 5.000 €|k.A.")),
        **items,
        "Religion": sensitive(r.zipf("keine|katholisch|evangelisch|muslimisch|andere")),
        "Sonstiges": secret(r.missing(r.notes("de", 2), 0.7, "", "-")),
        "Wahlabsicht": target(r.zipf("A-Partei|B-Partei|C-Partei|Nichtwähler"), SENSITIVE),
    }


@column_set("en census microdata", "en", 1_200)
def census_microdata(r: Rows) -> Columns:
    people, owner = r.people(2.5)
    return {
        "SERIALNO": person_or_id(spread(people.serial("2021HU", 10, 60, 7), owner)),
        "SPORDER": quasi(r.ints(1, 5), KEEP),
        "PUMA": quasi(spread(people.zipf(["00101", "00102", "00200", "03701", "05100"]), owner)),
        "ST": quasi(spread(people.zipf("06|48|12|36|17"), owner)),
        "PWGTP": quasi(r.ints(3, 240), KEEP, SENSITIVE),
        "AGEP": quasi(r.ages(0, 95)),
        "SEX": quasi(r.pick("1|2")),
        "MAR": quasi(r.pick("1|5|3|2|4", 0.45, 0.35)),
        "SCHL": quasi(r.missing(r.ints(1, 24), 0.03)),
        "RAC1P": quasi(r.zipf("1|2|6|8|9"), SENSITIVE),
        "OCCP": quasi(r.missing(r.zipf(["0020", "2310", "4720", "9130", "5240", "3255"]), 0.3)),
        "DIS": sensitive(r.pick("2|1", 0.87), QUASI, TARGET),
        "WAGP": money(r.missing(r.skewed(38_000, 0.8), 0.3)),
        "JWMNP": quasi(r.missing(r.ints(1, 120), 0.4)),
    }


@column_set("fr recensement", "fr", 800, Dialect(";", "utf-8", ","))
def french_census(r: Rows) -> Columns:
    return {
        "CANTVILLE": quasi(r.zipf(["0101", "0102", "0198", "6903", "7599", "3107"])),
        "NUMMI": secret(r.serial("", 100, 2)),
        "AGED": quasi(r.ages(0, 99)),
        "SEXE": quasi(r.pick("1|2")),
        "CATL": quasi(r.pick("1|2|3|4", 0.8)),
        "CS1": quasi(r.pick("1|2|3|4|5|6|7|8")),
        "DIPL": quasi(r.zipf(["01", "02", "11", "13", "18", "19", "ZZ"])),
        "IPONDI": quasi(r.normal(4.1, 1.2, 9, ","), KEEP, SENSITIVE, IDENTIFIERS),
        "NENFR": quasi(r.counts(1)),
        "TRANS": quasi(r.pick("1|2|3|4|5|6|Z")),
        "VOIT": quasi(r.pick("0|1|2|3|X")),
        "TACT": target(r.pick("11|12|21|22|23|24|25", 0.5), QUASI),
    }


@column_set("en city crimes", "en", 600)
def city_crimes(r: Rows) -> Columns:
    blocks = [f"{number}XX {side} {name} ST" for number in range(10, 60, 7) for side in "NSEW"
              for name in ["STATE", "LAKE", "OAK", "CLARK"]]  # fmt: skip
    return {
        "ID": secret(r.serial("", 10_000_000, 90)),
        "Case Number": secret(r.keys("HY", 6)),
        "Date": timed(r.dates(2021, 2022, "%m/%d/%Y %I:%M:%S %p")),
        "Block": quasi(r.zipf(blocks), IDENTIFIERS),
        "IUCR": quasi(r.zipf(["0486", "0820", "0460", "1320", "051A"]), SENSITIVE),
        "Primary Type": sensitive(r.zipf("THEFT|BATTERY|CRIMINAL DAMAGE|NARCOTICS|ASSAULT"), QUASI, TARGET),
        "Location Description": quasi(
            r.missing(r.zipf("STREET|RESIDENCE|APARTMENT|SIDEWALK|BAR OR TAVERN"), 0.02)
        ),
        "Domestic": quasi(r.pick("false|true", 0.84), SENSITIVE),
        "District": quasi(r.zipf(["011", "008", "025", "004", "007"])),
        "Latitude": quasi(r.normal(41.85, 0.08, 9), IDENTIFIERS),
        "Longitude": quasi([f"-{word}" for word in r.normal(87.67, 0.06, 9)], IDENTIFIERS),
        "Victim Age": quasi(r.missing(r.ages(10, 90), 0.1)),
        "Arrest": target(r.pick("false|true", 0.75)),
    }


@column_set("pt processos judiciais", "pt", 300, Dialect(";", "cp1252", ","))
def portuguese_courts(r: Rows) -> Columns:
    numbers = r.serial("", 100, 9)
    return {
        "Processo": secret([f"{word}/23.4TBLSB" for word in numbers]),
        "Arguido": secret(r.names("pt", "first last")),
        "CC": secret(r.keys("", 8)),
        "Idade": quasi(r.ages(16, 80)),
        "Sexo": quasi(r.pick("M|F", 0.8)),
        "Nacionalidade": quasi(r.zipf("portuguesa|brasileira|cabo-verdiana|ucraniana")),
        "Tribunal": quasi(r.towns("pt")),
        "Crime": sensitive(r.zipf("Furto|Condução sem carta|Ofensa à integridade|Tráfico|Burla"), QUASI),
        "Data do facto": quasi(r.dates(2019, 2022, "%d-%m-%Y")),
        "Antecedentes": sensitive(r.pick("Não|Sim", 0.7)),
        "Pena (meses)": sensitive(r.counts(14), QUASI),
        "Fundamentação": secret(r.notes("pt", 5)),
        "Condenado": target(r.pick("Sim|Não", 0.6), SENSITIVE),
    }


@column_set("it sondaggio elettorale", "it", 400, Dialect(";", "utf-8", ","))
def italian_poll(r: Rows) -> Columns:
    return {
        "id_intervista": secret(r.serial("INT", 1, 2, 5)),
        "cellulare": secret(r.phones("it")),
        "eta": quasi(r.ages(18, 95)),
        "genere": quasi(r.pick("donna|uomo|altro", 0.51, 0.47)),
        "titolo_studio": quasi(r.zipf("diploma|licenza media|laurea|elementare")),
        "regione": quasi(r.zipf("Lombardia|Lazio|Campania|Sicilia|Veneto|Molise")),
        "pratica_religiosa": sensitive(r.zipf("mai|a volte|ogni settimana|ogni giorno"), QUASI),
        "interesse_politica": quasi(r.likert("it"), SENSITIVE),
        "fiducia_governo": quasi(r.ints(0, 10), SENSITIVE),
        "voto_2018": sensitive(r.missing(r.zipf("Lista A|Lista B|Lista C|Astenuto"), 0.1, "n.r."), TARGET),
        "commento": secret(r.missing(r.notes("it", 1), 0.8)),
        "intenzione_voto": target(r.zipf("Lista B|Lista A|Lista C|Indeciso"), SENSITIVE),
    }


@column_set("nl huurders", "nl", 400, Dialect(";", "utf-8", ","))
def dutch_tenants(r: Rows) -> Columns:
    letters = [
        f"{number} {tail}" for number, tail in zip(r.ints(1_011, 1_050), r.pick("AB|CD|KL|PX"), strict=True)
    ]
    return {
        "Contractnr": secret(r.serial("HC", 9_000, 5)),
        "Huurder": secret(r.names("nl", "LAST I.")),
        "Straat": secret(r.streets("nl")),
        "Postcode": quasi(letters, IDENTIFIERS),
        "IBAN": secret(r.ibans("NL")),
        "Ingangsdatum": quasi(r.dates(1995, 2023, "%d-%m-%Y", "%d/%m/%Y")),
        "Huishouden": quasi(r.zipf("alleenstaand|paar|gezin|eenouder")),
        "Oppervlakte m2": quasi(r.ints(32, 120)),
        "Huur": money(r.normal(640, 120, 2, ",")),
        "Inkomen": money(r.skewed(24_000, 0.4, 0, ",", ".")),
        "Toeslag": quasi(r.pick("WAAR|ONWAAR", 0.55), SENSITIVE),
        "Klachten": quasi(r.counts(0.7), SENSITIVE),
        "Huurachterstand": target(r.pick("ja|nee", 0.15), SENSITIVE),
    }


@column_set("en titanic", "en", 891)
def titanic(r: Rows) -> Columns:
    names = [
        name.replace(", ", f", {title} ")
        for name, title in zip(r.names("en"), r.pick("Mr.|Mrs.|Miss."), strict=True)
    ]
    return {
        "PassengerId": person_or_id(r.serial("", 0, 1)),
        "Survived": target(r.pick("0|1", 0.62)),
        "Pclass": quasi(r.pick("3|1|2", 0.55)),
        "Name": secret(names),
        "Sex": quasi(r.pick("male|female", 0.65)),
        "Age": quasi(r.missing(r.ages(0, 80), 0.2)),
        "SibSp": quasi(r.counts(0.5)),
        "Parch": quasi(r.counts(0.4)),
        "Ticket": secret(r.keys("", 6)),
        "Fare": money(r.skewed(14, 0.9, 4)),
        "Cabin": quasi(r.missing([f"C{number}" for number in r.ints(1, 148)], 0.77), IDENTIFIERS),
        "Embarked": quasi(r.missing(r.pick("S|C|Q", 0.72), 0.002)),
    }


@column_set("de Bibliothek Ausleihen", "de", 800, GERMAN)
def german_library(r: Rows) -> Columns:
    people, owner = r.people(6)
    titles = [f"{one} {two}" for one in ("Der lange", "Das stille", "Die letzte", "Ein kurzer")
              for two in ("Weg nach Hause", "Haus am See", "Nacht im Mai", "Brief an den Vater")]  # fmt: skip
    return {
        "Ausweisnr": person(spread(people.keys("B", 6), owner)),
        "Geburtsjahr": quasi(spread(people.ints(1935, 2015), owner)),
        "Stadtteil": quasi(spread(people.zipf("Altstadt|Nordstadt|Südvorstadt|Löbtau|Plauen"), owner)),
        "Ausleihe": timed(r.dates(2023, 2023, "%d.%m.%Y %H:%M")),
        "Rückgabe": quasi(r.missing(r.dates(2023, 2023, "%d.%m.%Y"), 0.1)),
        "Titel": quasi(r.zipf(titles), SENSITIVE, KEEP),
        "Systematik": quasi(r.zipf("Belletristik|Sachbuch|Kinderbuch|Medizin|Recht"), SENSITIVE, KEEP),
        "Zweigstelle": quasi(r.zipf("Zentral|Nord|Süd"), KEEP),
        "Gebühr": quasi(r.pick("0,00|1,50|3,00", 0.8), SENSITIVE, KEEP),
        "gemahnt": target(r.pick("WAHR|FALSCH", 0.1)),
    }


@column_set("de Sportverein Mitglieder", "de", 250, Dialect(";", "utf-8-sig", ","))
def german_club(r: Rows) -> Columns:
    return {
        "Mitgliedsnr.": person_or_id(r.serial("", 100, 2)),
        "Anrede": quasi(r.pick("Herr|Frau|Familie", 0.5, 0.45)),
        "Name, Vorname": secret(r.names("de")),
        "E-Mail": secret(r.missing(r.emails("de", "example.de"), 0.1)),
        "Telefon": secret(r.phones("de")),
        "Straße/Nr.": secret(r.streets("de")),
        "PLZ": quasi(r.zips("de")),
        "geb.": quasi(r.dates(1940, 2018, "%d.%m.%Y", "%d.%m.%y", "%Y")),
        "Abteilung": quasi(r.zipf("Fußball|Turnen|Tennis|Handball|Schach")),
        "Beitrag": quasi(r.pick("8,50|12,00|17,50|0,00"), SENSITIVE, KEEP),
        "IBAN": secret(r.ibans("DE", spaced=True)),
        "Notiz": secret(r.missing(r.short_notes("de"), 0.4)),
        "ausgetreten": target(r.pick("x|", 0.12), QUASI),
    }


@column_set("nl slimme meter", "nl", 1_000, Dialect(";", "utf-8", ","))
def dutch_meters(r: Rows) -> Columns:
    people, owner = r.people(10)
    return {
        "EAN": person(spread(people.keys("8716871", 11), owner)),
        "Meting": timed(r.dates(2023, 2023, "%d-%m-%Y %H:%M")),
        "Postcode4": quasi(spread(people.zipf(["3511", "3512", "3571", "3581"]), owner)),
        "Woningtype": quasi(spread(people.zipf("appartement|tussenwoning|hoekwoning|vrijstaand"), owner)),
        "Bewoners": quasi(spread(people.ints(1, 5), owner)),
        "Verbruik kWh": measured(r.skewed(0.4, 0.8, 3, ",")),
        "Teruglevering kWh": measured(r.missing(r.skewed(0.2, 1, 3, ","), 0.6)),
        "Gas m3": measured(r.skewed(0.8, 0.9, 3, ",")),
        "Tarief": quasi(r.pick("normaal|laag"), KEEP),
        "Zonnepanelen": target(spread(people.pick("J|N", 0.3), owner), QUASI),
    }


@column_set("en fitness tracker", "en", 900)
def fitness_tracker(r: Rows) -> Columns:
    people, owner = r.people(20)
    return {
        "Id": person_or_id(spread(people.keys("", 10), owner)),
        "ActivityDate": quasi(r.dates(2016, 2016, "%m/%d/%Y")),
        "TotalSteps": measured(r.skewed(7_500, 0.5)),
        "TotalDistance": measured(r.normal(5.4, 2.5, 6)),
        "VeryActiveMinutes": measured(r.counts(21)),
        "SedentaryMinutes": measured(r.ints(300, 1_440)),
        "Calories": measured(r.skewed(2_300, 0.2)),
        "RestingHeartRate": measured(r.missing(r.ints(48, 90), 0.1)),
        "SleepStart": timed(r.dates(2016, 2016, "%m/%d/%Y %I:%M:%S %p")),
        "DeviceSerial": person_or_id(spread(people.hashes(10), owner)),
        "WeightKg": measured(spread(people.normal(74, 13, 1), owner)),
        "Gender": quasi(spread(people.pick("F|M|O", 0.6, 0.38), owner)),
    }


@column_set("en taxi trips", "en", 1_000)
def taxi_trips(r: Rows) -> Columns:
    people, owner = r.people(15)
    return {
        "medallion": person_or_id(spread([word.upper() for word in people.hashes(32)], owner)),
        "hack_license": person_or_id(spread([word.upper() for word in people.hashes(32)], owner)),
        "vendor_id": quasi(r.pick("CMT|VTS"), KEEP),
        "pickup_datetime": timed(r.dates(2013, 2013, "%Y-%m-%d %H:%M:%S")),
        "passenger_count": quasi(r.ints(1, 6), KEEP),
        "trip_time_in_secs": quasi(r.skewed(600, 0.6), SENSITIVE),
        "trip_distance": quasi(r.skewed(1.8, 0.7, 2), SENSITIVE),
        "pickup_longitude": quasi([f"-{word}" for word in r.normal(73.98, 0.03, 6)], IDENTIFIERS),
        "pickup_latitude": quasi(r.normal(40.75, 0.03, 6), IDENTIFIERS),
        "fare_amount": quasi(r.skewed(9, 0.5, 1), SENSITIVE),
        "store_and_fwd_flag": quasi(r.pick("N|Y", 0.98), KEEP, TARGET),
        "payment_type": target(r.pick("CRD|CSH", 0.55), QUASI),
    }


@column_set("es bicicletas viajes", "es", 800, Dialect(";", "utf-8", ","))
def spanish_bikes(r: Rows) -> Columns:
    people, owner = r.people(8)
    return {
        "id_viaje": secret(r.serial("", 500_000, 4)),
        "tarjeta": person(spread(people.hashes(20), owner)),
        "fecha_inicio": timed(r.dates(2023, 2023, "%Y-%m-%dT%H:%M:%S+0200")),
        "estación_inicio": quasi(r.zipf("Sol|Atocha|Retiro|Moncloa|Chamberí")),
        "estación_fin": quasi(r.zipf("Atocha|Sol|Moncloa|Retiro|Usera")),
        "duración_min": quasi(r.skewed(14, 0.5, 1, ","), SENSITIVE),
        "rango_edad": quasi(spread(people.pick("17-18|19-26|27-40|41-65|>65"), owner)),
        "cp": quasi(spread(people.zips("es"), owner)),
        "tipo_usuario": target(spread(people.pick("anual|ocasional", 0.8), owner), QUASI),
    }


@column_set("en web log", "en", 500, Dialect("\t"))
def web_log(r: Rows) -> Columns:
    return {
        "session": secret(r.uuids()),
        "ip": secret(r.ips()),
        "ts": timed(r.dates(2024, 2024, "%Y-%m-%dT%H:%M:%S.000Z")),
        "profile_url": secret([f"https://social.example/u/{word}" for word in r.hashes(8)]),
        "user_agent_family": quasi(r.zipf("Chrome|Safari|Firefox|Edge"), KEEP),
        "country": quasi(r.zipf("US|IN|DE|BR|NG")),
        "pages": quasi(r.counts(5), KEEP, SENSITIVE),
        "bounce": quasi(r.pick("true|false"), KEEP, TARGET),
        "query": secret(r.missing(r.notes("en", 1), 0.3)),
        "lat": quasi(r.normal(48.1, 0.5, 5), IDENTIFIERS),
        "lon": quasi(r.normal(11.5, 0.5, 5), IDENTIFIERS),
        "debug": empty(r.same("")),
        "converted": target(r.pick("0|1", 0.95)),
    }


@column_set("en housing applicants", "en", 300)
def housing_applicants(r: Rows) -> Columns:
    return {
        "App #": person_or_id(r.serial("", 1, 2, 5)),
        "Applicant": secret(r.names("en", "LAST I.")),
        "NI no.": secret(r.missing(r.national("nino"), 0.05, "tbc")),
        "Address": secret(r.streets("en")),
        "Phone": secret(r.missing(r.phones("uk"), 0.1)),
        "Household size": quasi(r.counts(2)),
        "Wheelchair": sensitive(r.pick("N|Y", 0.95), QUASI),
        "Weekly income": money([f"£{word}" for word in r.skewed(380, 0.4, 2, ".", ",")]),
        "Local connection": quasi(r.pick("TRUE|FALSE", 0.8)),
        "Waiting since": quasi(r.dates(2012, 2023, "%d/%m/%Y", "%Y-%m-%d", "%d.%m.%Y")),
        "Officer notes": secret(r.notes("en", 3)),
        "Scheme": constant(r.same("General")),
        "Priority": target(r.pick("A|B|C|D"), QUASI),
    }


@column_set("nl belastingdienst", "nl", 400, Dialect(";", "utf-8", ",", "'", quotes_all=True))
def dutch_tax(r: Rows) -> Columns:
    return {
        "bsn": person_or_id(r.national("nl", 0.03)),
        "voorletters": secret(r.pick([f"{a}.{b}." for a in "ABCDEFGHJKMPRSTW" for b in "ABCDEFGHJKMPRSTW"])),
        "achternaam": secret(r.names("nl", "last")),
        "geboortejaar": quasi(r.ints(1935, 2005)),
        "gemeente": quasi(r.towns("nl")),
        "burgerlijke staat": quasi(r.zipf("gehuwd|ongehuwd|gescheiden|weduwe")),
        "loon": money(r.skewed(31_000, 0.5, 0, ",", ".")),
        "woz_waarde": money(r.missing(r.skewed(290_000, 0.4, 0, ",", "."), 0.3)),
        "giften": money(r.missing(r.skewed(180, 1, 0), 0.6)),
        "toelichting": secret(r.missing(r.notes("nl", 2), 0.7)),
        "controle": target(r.pick("0|1", 0.92)),
    }
