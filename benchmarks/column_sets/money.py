"""Banks, insurers, tax offices, employers, shops."""

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
    staff,
    target,
    timed,
)
from benchmarks.column_sets.rows import Rows, spread

GERMAN = Dialect(";", "cp1252", ",")


@column_set("fr banque clients", "fr", 400, Dialect(";", "cp1252", ","))
def french_bank(r: Rows) -> Columns:
    return {
        "Identifiant": person_or_id(r.keys("C", 8)),
        "Titulaire": secret(r.names("fr", "LAST FIRST")),
        "IBAN": secret(r.ibans("FR", spaced=True)),
        "Adresse": secret(r.streets("fr")),
        "Code postal": quasi(r.zips("fr")),
        "Date de naissance": quasi(r.dates(1935, 2003, "%d/%m/%Y")),
        "Situation familiale": quasi(r.zipf("Célibataire|Marié(e)|Divorcé(e)|Pacsé(e)|Veuf(ve)")),
        "Profession": quasi(r.zipf("Employé|Cadre|Retraité|Ouvrier|Étudiant|Artisan|Sans emploi")),
        "Solde moyen": money(r.skewed(2_400, 1, 2, ",", "\u00a0")),
        "Revenu mensuel": money(r.skewed(2_100, 0.4, 0, ",", "\u00a0")),
        "Incident de paiement": target(r.pick("O|N", 0.08), SENSITIVE),
    }


@column_set("en german credit", "en", 1_000)
def german_credit(r: Rows) -> Columns:
    return {
        "checking_status": money(r.pick("A11|A12|A13|A14")),
        "duration": quasi(r.pick("6|12|18|24|36|48"), SENSITIVE),
        "credit_history": sensitive(r.pick("A32|A34|A33|A31|A30", 0.5, 0.3), QUASI),
        "purpose": quasi(r.zipf("A43|A40|A42|A41|A49|A46|A45"), SENSITIVE),
        "credit_amount": money(r.ints(250, 18_424)),
        "savings_status": money(r.pick("A61|A65|A62|A63|A64", 0.6)),
        "employment": quasi(r.pick("A73|A75|A74|A72|A71")),
        "personal_status": quasi(r.pick("A93|A92|A94|A91", 0.55, 0.3)),
        "age": quasi(r.ages(19, 75)),
        "housing": quasi(r.pick("A152|A151|A153", 0.7)),
        "num_dependents": quasi(r.pick("1|2", 0.85)),
        "own_telephone": quasi(r.pick("A191|A192")),
        "foreign_worker": quasi(r.pick("A201|A202", 0.96), SENSITIVE),
        "class": target(r.pick("1|2", 0.7)),
    }


@column_set("es solvencia", "es", 400, Dialect(";", "utf-8", ","))
def spanish_scoring(r: Rows) -> Columns:
    return {
        "NIF": person_or_id(r.national("es")),
        "Nombre": secret(r.names("es", "first last")),
        "Correo": secret(r.emails("es", "example.es")),
        "Edad": quasi(r.ages(18, 85)),
        "Estado civil": quasi(r.zipf("casado|soltero|divorciado|viudo")),
        "Provincia": quasi(r.towns("es")),
        "Hijos": quasi(r.counts(1)),
        "Antigüedad laboral": quasi(r.counts(7)),
        "Ingresos anuales": money(r.skewed(23_000, 0.5, 2, ",", ".")),
        "Deuda": money(r.skewed(8_000, 1, 2, ",", ".")),
        "Vivienda": quasi(r.pick("propia|alquiler|familiar")),
        "Impago": target(r.pick("S|N", 0.1)),
    }


@column_set("en consumer loans", "en", 500)
def consumer_loans(r: Rows) -> Columns:
    return {
        "id": person_or_id(r.keys("", 8)),
        "member_id": empty(r.same("")),
        "loan_amnt": money([f"{500 * int(word)}" for word in r.ints(2, 80)]),
        "term": quasi(r.pick(" 36 months| 60 months", 0.7), KEEP),
        "int_rate": quasi([f"{word}%" for word in r.normal(13, 4, 2)], SENSITIVE, KEEP),
        "emp_title": quasi(
            r.missing(r.zipf("Teacher|Manager|Nurse|Driver|Owner|RN|Sales|Clerk"), 0.1), IDENTIFIERS
        ),
        "emp_length": quasi(r.pick("10+ years|< 1 year|2 years|3 years|5 years|n/a", 0.35)),
        "home_ownership": quasi(r.zipf("MORTGAGE|RENT|OWN|OTHER")),
        "annual_inc": money(r.skewed(65_000, 0.5, 2)),
        "zip_code": quasi([f"{word[:3]}xx" for word in r.zips("us")]),
        "addr_state": quasi(r.zipf("CA|NY|TX|FL|IL|NJ|PA|OH")),
        "dti": measured(r.normal(18, 8, 2)),
        "issue_d": quasi(r.dates(2014, 2016, "%b-%Y")),
        "desc": secret(r.missing(r.notes("en", 3), 0.4)),
        "url": secret([f"https://www.example.org/loan?id={word}" for word in r.keys("", 8)]),
        "loan_status": target(r.pick("Fully Paid|Charged Off", 0.8)),
    }


@column_set("it assicurazione auto", "it", 400, Dialect(";", "cp1252", ","))
def italian_car_insurance(r: Rows) -> Columns:
    return {
        "Polizza": secret(r.serial("POL/", 700_000, 11)),
        "Contraente": secret(r.names("it", "first last")),
        "Targa": secret(r.plates("it")),
        "Età": quasi(r.ages(18, 90)),
        "Sesso": quasi(r.pick("M|F", 0.6)),
        "Provincia": quasi(r.zipf("RM|MI|NA|TO|BO|PA")),
        "Classe di merito": quasi(r.ints(1, 18)),
        "Marca": quasi(r.zipf("Fiat|Volkswagen|Ford|Renault|BMW")),
        "Anno immatricolazione": quasi(r.ints(1998, 2023)),
        "Premio": money(r.skewed(480, 0.4, 2, ",", ".")),
        "Km annui": quasi(r.skewed(11_000, 0.5, 0, ",", "."), SENSITIVE),
        "Sinistro": target(r.pick("SI|NO", 0.12)),
    }


@column_set("de Versicherung Schaden", "de", 500, GERMAN)
def german_claims(r: Rows) -> Columns:
    return {
        "Schadennummer": secret(r.serial("S-2023-", 1, 2, 6)),
        "Versicherungsnehmer": secret(r.names("de", "first last")),
        "Kennzeichen": secret(r.plates("de")),
        "Bankverbindung": secret(r.ibans("DE")),
        "Straße": secret(r.streets("de")),
        "Ort": quasi(r.towns("de")),
        "Schadentag": quasi(r.dates(2023, 2023, "%d.%m.%Y")),
        "Sparte": quasi(r.zipf("Kfz|Haftpflicht|Hausrat|Leben")),
        "Schadenhöhe": money(r.skewed(1_900, 1.1, 2, ",", ".")),
        "Schadenhergang": secret(r.notes("de", 4)),
        "Sachbearbeiter": staff(r.pick("Brandt, S.|Vogt, M.|Özer, D.|Haas, T.")),
        "Betrugsverdacht": target(r.pick("ja|nein", 0.06), SENSITIVE),
    }


@column_set("pt irs declaracoes", "pt", 400, Dialect(";", "utf-8", ","))
def portuguese_tax(r: Rows) -> Columns:
    return {
        "NIF": person_or_id(r.national("pt")),
        "Contribuinte": secret(r.names("pt", "LAST FIRST")),
        "Morada": secret(r.streets("pt")),
        "Código postal": quasi(
            [f"{word}-{tail}" for word, tail in zip(r.ints(1_000, 1_060), r.ints(100, 140), strict=True)]
        ),
        "Estado civil": quasi(r.zipf("Casado|Solteiro|Divorciado|Viúvo|União de facto")),
        "Dependentes": quasi(r.counts(0.9)),
        "Ano": constant(r.same("2022")),
        "Rendimento bruto": money(r.skewed(14_500, 0.6, 2, ",", ".")),
        "Retenções": money(r.skewed(1_800, 0.7, 2, ",", ".")),
        "Despesas de saúde": money(r.skewed(350, 0.9, 2, ",", ".")),
        "Reembolso": target(r.pick("Sim|Não", 0.6), SENSITIVE),
    }


@column_set("en adult income", "en", 1_500, Dialect(","))
def adult(r: Rows) -> Columns:
    return {
        "age": quasi(r.ages(17, 90)),
        "workclass": quasi(r.missing(r.zipf("Private|Self-emp-not-inc|Local-gov|State-gov"), 0.05, "?")),
        "fnlwgt": quasi(r.keys("", 6), IDENTIFIERS),
        "education": quasi(r.zipf("HS-grad|Some-college|Bachelors|Masters|11th|Doctorate")),
        "education-num": quasi(r.ints(1, 16)),
        "marital-status": quasi(r.zipf("Married-civ-spouse|Never-married|Divorced|Widowed")),
        "occupation": quasi(r.missing(r.zipf("Prof-specialty|Craft-repair|Sales|Armed-Forces"), 0.05, "?")),
        "relationship": quasi(r.zipf("Husband|Not-in-family|Own-child|Wife")),
        "race": quasi(r.pick("White|Black|Asian-Pac-Islander|Other", 0.85, 0.1), SENSITIVE),
        "sex": quasi(r.pick("Male|Female", 0.67)),
        "capital-gain": money(r.pick("0|7688|3103|15024|99999", 0.92)),
        "hours-per-week": quasi(r.ints(1, 99)),
        "native-country": quasi(r.zipf("United-States|Mexico|Philippines|Germany|Canada")),
        "income": target(r.pick("<=50K|>50K", 0.76)),
    }


@column_set("pt bank marketing", "pt", 700, Dialect(";", quotes_all=True))
def bank_marketing(r: Rows) -> Columns:
    return {
        "age": quasi(r.ages(18, 95)),
        "job": quasi(r.zipf("blue-collar|management|technician|admin.|services|retired|unknown")),
        "marital": quasi(r.zipf("married|single|divorced")),
        "education": quasi(r.zipf("secondary|tertiary|primary|unknown")),
        "default": sensitive(r.pick("no|yes", 0.98), QUASI, TARGET),
        "balance": money([f"{int(word) - 900}" for word in r.skewed(1_800, 0.9)]),
        "housing": quasi(r.pick("yes|no"), SENSITIVE),
        "loan": sensitive(r.pick("no|yes", 0.85), QUASI),
        "contact": quasi(r.zipf("cellular|unknown|telephone"), KEEP),
        "day": quasi(r.ints(1, 31)),
        "month": quasi(r.pick("may|jul|aug|jun|nov|apr|feb|jan")),
        "duration": quasi(r.skewed(180, 0.8), SENSITIVE, KEEP),
        "campaign": quasi(r.counts(2), KEEP),
        "poutcome": quasi(r.pick("unknown|failure|other|success", 0.8), SENSITIVE),
        "y": target(r.pick("no|yes", 0.88)),
    }


@column_set("en human resources", "en", 500)
def human_resources(r: Rows) -> Columns:
    return {
        "EmployeeNumber": person_or_id(r.serial("", 1, 3)),
        "Full Name": secret(r.names("en", "first last")),
        "Work Email": secret(r.emails("en", "corp.example")),
        "SSN": secret(r.national("ssn")),
        "Age": quasi(r.ages(18, 65)),
        "Gender": quasi(r.ragged(r.pick("Male|Female|Non-binary", 0.55, 0.43))),
        "Department": quasi(r.zipf("Sales|R&D|HR|Finance")),
        "JobRole": quasi(r.zipf("Sales Executive|Research Scientist|Technician|Manager|Director")),
        "Manager": staff(r.pick("Jane Otis|Omar Reyes|Lucy Chen|Tom Baker|Ivy Stone|Raj Mehta")),
        "DistanceFromHome": quasi(r.ints(1, 29), SENSITIVE),
        "MonthlyIncome": money(r.ints(1_009, 19_999)),
        "HireDate": quasi(r.dates(2005, 2023, "%m/%d/%Y")),
        "JobSatisfaction": sensitive(r.ints(1, 4), QUASI),
        "OverTime": quasi(r.pick("Yes|No", 0.3)),
        "Over18": constant(r.same("Y")),
        "StandardHours": constant(r.same("80")),
        "Attrition": target(r.pick("Yes|No", 0.16)),
    }


@column_set("de Personal Gehalt", "de", 400, GERMAN)
def german_payroll(r: Rows) -> Columns:
    return {
        "Personalnummer": person_or_id(r.serial("", 300, 2, 6)),
        "Nachname": secret(r.names("de", "last")),
        "Vorname": secret(r.names("de", "first")),
        "Steuer-ID": secret(r.national("de")),
        "Eintritt": quasi(r.dates(1990, 2023, "%d.%m.%Y", "%d.%m.%y")),
        "Abteilung": quasi(r.zipf("Vertrieb|Produktion|IT|Einkauf|Geschäftsführung")),
        "Tätigkeitsschlüssel": quasi(r.zipf(["43414", "25102", "71302", "61122", "11101"])),
        "Steuerklasse": quasi(r.zipf("1|4|3|5|2"), SENSITIVE),
        "Konfession": sensitive(r.zipf("--|rk|ev|vd")),
        "Bruttogehalt": money(r.skewed(3_600, 0.35, 2, ",", ".")),
        "Krankheitstage": sensitive(r.counts(9), QUASI),
        "Schwerbehindert": sensitive(r.pick("nein|ja", 0.93)),
        "Gekündigt": target(r.pick("nein|ja", 0.85)),
    }


@column_set("en online retail", "en", 1_500)
def online_retail(r: Rows) -> Columns:
    people, owner = r.people(8)
    products = [f"{colour} {thing}" for colour in ["WHITE", "RED", "VINTAGE", "BLUE"]
                for thing in ("HEART T-LIGHT", "METAL LANTERN", "PARTY BUNTING", "LUNCH BOX")]  # fmt: skip
    which = r.zipf([str(at) for at in range(16)])
    return {
        "InvoiceNo": secret(spread(people.serial("", 536_000, 30), owner)),
        "StockCode": quasi([f"{85_000 + 7 * int(at)}" for at in which], KEEP),
        "Description": quasi([products[int(at)] for at in which], KEEP),
        "Quantity": quasi(r.counts(9), KEEP),
        "InvoiceDate": timed(r.dates(2010, 2011, "%m/%d/%Y %H:%M")),
        "UnitPrice": quasi(r.pick("2.55|3.39|1.85|4.25|0.85|12.75"), KEEP),
        "CustomerID": person(spread(people.keys("", 5), owner)),
        "Country": quasi(spread(people.zipf("United Kingdom|Germany|France|EIRE|Spain"), owner)),
    }


@column_set("fr boutique en ligne", "fr", 600, Dialect(";", "utf-8", ","))
def french_shop(r: Rows) -> Columns:
    people, owner = r.people(3)
    return {
        "commande": secret(r.serial("CMD", 2_023_000, 4)),
        "client": person_or_id(spread(people.hashes(16), owner)),
        "courriel": person_or_id(spread(people.emails("fr", "example.fr"), owner)),
        "date_commande": timed(r.dates(2023, 2023, "%d/%m/%Y %H:%M")),
        "ville": quasi(spread(people.towns("fr"), owner)),
        "âge": quasi(spread(people.ages(18, 80), owner)),
        "catégorie": quasi(r.zipf("Mode|Maison|High-tech|Jardin|Beauté"), KEEP),
        "montant": quasi(r.skewed(45, 0.8, 2, ","), SENSITIVE, KEEP),
        "paiement": quasi(r.zipf("Carte|PayPal|Virement"), KEEP),
        "commentaire": secret(r.missing(r.notes("fr", 2), 0.6)),
        "retourné": target(r.pick("oui|non", 0.2)),
    }


@column_set("en telco churn", "en", 1_000)
def telco_churn(r: Rows) -> Columns:
    letters = r.hashes(9)
    return {
        "customerID": person_or_id([f"{word[:4]}-{word[4:].upper()}" for word in letters]),
        "gender": quasi(r.pick("Male|Female")),
        "SeniorCitizen": quasi(r.pick("0|1", 0.84)),
        "Partner": quasi(r.pick("Yes|No")),
        "Dependents": quasi(r.pick("No|Yes", 0.7)),
        "tenure": quasi(r.ints(0, 72)),
        "PhoneService": quasi(r.pick("Yes|No", 0.9)),
        "InternetService": quasi(r.pick("Fiber optic|DSL|No")),
        "Contract": quasi(r.pick("Month-to-month|Two year|One year")),
        "PaperlessBilling": quasi(r.pick("Yes|No")),
        "PaymentMethod": quasi(r.pick("Electronic check|Mailed check|Bank transfer (automatic)")),
        "MonthlyCharges": money(r.normal(65, 30, 2)),
        "TotalCharges": money(r.missing(r.skewed(1_400, 1, 2), 0.01, " ")),
        "Churn": target(r.pick("No|Yes", 0.73)),
    }


@column_set("it call center", "it", 500, Dialect(";", "utf-8", ","))
def italian_calls(r: Rows) -> Columns:
    return {
        "ID chiamata": secret(r.uuids()),
        "Numero chiamante": secret(r.phones("it")),
        "Operatore": staff(r.pick("Rossi M.|Bianchi L.|Greco S.|Conti A.")),
        "Inizio": timed(r.dates(2023, 2023, "%d/%m/%Y %H:%M:%S")),
        "Durata (s)": quasi(r.skewed(240, 0.8), SENSITIVE, KEEP),
        "Attesa (s)": quasi(r.skewed(60, 0.9), SENSITIVE, KEEP),
        "Motivo": quasi(r.zipf("Fattura|Guasto|Disdetta|Informazioni|Reclamo"), SENSITIVE, TARGET),
        "Regione": quasi(r.zipf("Lazio|Lombardia|Sicilia|Veneto|Puglia")),
        "Fascia d'età": quasi(r.pick("18-29|30-44|45-59|60+")),
        "Annotazioni": secret(r.notes("it", 2)),
        "Soddisfatto": target(r.pick("1|0", 0.7)),
    }


@column_set("en support tickets", "en", 500)
def support_tickets(r: Rows) -> Columns:
    people, owner = r.people(2)
    return {
        "ticket": secret([f"#{word}" for word in r.serial("", 48_000, 2)]),
        "requester": person(spread(people.emails("en"), owner)),
        "subject": secret(r.short_notes("en")),
        "body": secret(r.notes("en", 5)),
        "product": quasi(r.zipf("Cloud|Desktop|Mobile"), KEEP),
        "priority": quasi(r.pick("low|normal|high|urgent"), SENSITIVE, TARGET, KEEP),
        "created": timed(r.dates(2023, 2023, "%Y-%m-%dT%H:%M:%SZ")),
        "first_response_min": quasi(r.skewed(90, 1), SENSITIVE, KEEP),
        "reopens": quasi(r.counts(0.4), SENSITIVE, KEEP),
        "language": quasi(r.zipf("en|de|fr|es")),
        "plan": quasi(r.zipf("free|team|enterprise")),
        "csat": target(r.pick("good|bad", 0.8)),
    }


@column_set("es hotel reservas", "es", 500, Dialect(";", "cp1252", ","))
def spanish_hotel(r: Rows) -> Columns:
    return {
        "Localizador": secret([word.upper() for word in r.hashes(6)]),
        "Huésped": secret(r.names("es", "first last")),
        "Pasaporte": secret(r.keys("AA", 7)),
        "Tarjeta": secret(r.national("card")),
        "Móvil": secret(r.phones("es")),
        "País": quasi(r.zipf("ESP|GBR|DEU|FRA|PRT|NLD")),
        "Entrada": quasi(r.dates(2023, 2023, "%d/%m/%Y")),
        "Noches": quasi(r.counts(3)),
        "Adultos": quasi(r.ints(1, 3)),
        "Niños": quasi(r.counts(0.4)),
        "Régimen": quasi(r.pick("AD|MP|PC|SA", 0.6), KEEP),
        "Precio noche": money(r.skewed(95, 0.4, 2, ",")),
        "Peticiones": secret(r.missing(r.notes("es", 1), 0.7)),
        "Cancelada": target(r.pick("0|1", 0.65)),
    }


@column_set("en hotel bookings", "en", 800)
def hotel_bookings(r: Rows) -> Columns:
    return {
        "hotel": quasi(r.pick("City Hotel|Resort Hotel", 0.66), KEEP),
        "is_canceled": target(r.pick("0|1", 0.63)),
        "lead_time": quasi(r.skewed(60, 1.1), SENSITIVE),
        "arrival_date_year": quasi(r.pick("2015|2016|2017")),
        "arrival_date_month": quasi(r.pick("August|July|May|October|April|June")),
        "adults": quasi(r.ints(1, 3)),
        "children": quasi(r.missing(r.counts(0.1), 0.01, "NA")),
        "country": quasi(r.zipf("PRT|GBR|FRA|ESP|DEU|NULL")),
        "agent": quasi(r.missing(r.zipf("9|240|1|14|7|6"), 0.15, "NULL"), KEEP),
        "company": quasi(r.missing(r.zipf("40|223|67|45"), 0.94, "NULL"), IDENTIFIERS),
        "adr": money(r.normal(100, 40, 2)),
        "reservation_status_date": quasi(r.dates(2015, 2017)),
        "name": secret(r.names("en", "first last")),
        "email": secret(r.emails("en")),
        "phone-number": secret(r.phones("us")),
        "credit_card": secret(["*" * 12 + word[-4:] for word in r.national("card")]),
    }
