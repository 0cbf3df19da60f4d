"""Hospitals, practices, laboratories, registries, trials."""

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
from benchmarks.column_sets.rows import ATC, LOINC, Rows, spread

GERMAN = Dialect(";", "cp1252", ",")


@column_set("de Klinik Aufnahmen", "de", 600, GERMAN)
def german_admissions(r: Rows) -> Columns:
    return {
        "PatientenNr": person_or_id(r.serial("P", 100_000)),
        "Name": secret(r.names("de")),
        "Geburtsdatum": quasi(r.dates(1930, 2015, "%d.%m.%Y", "%Y-%m-%d")),
        "Geschlecht": quasi(r.missing(r.pick("m|w|d", 0.48, 0.5), 0.05, "", "unbekannt")),
        "PLZ": quasi(r.zips("de")),
        "Aufnahmezeitpunkt": timed(r.dates(2022, 2023, "%d.%m.%Y %H:%M")),
        "Station": quasi(r.zipf("Innere 1|Innere 2|Chirurgie|Urologie|Gynäkologie|Neurologie|ITS")),
        "Hauptdiagnose": sensitive(r.icd10(), QUASI),
        "Verweildauer": quasi(r.counts(6)),
        "CRP mg/l": measured(r.censored(r.skewed(12, 1.2, 1, ","), 5, "<5", ",")),
        "Kreatinin": measured(r.missing(r.normal(1.1, 0.4, 2, ","), 0.1, "n.b.")),
        "Bemerkung": secret(r.missing(r.notes("de"), 0.3)),
        "wiederaufgenommen": target(r.pick("ja|nein", 0.18)),
    }


@column_set("en hospital encounters", "en", 900)
def american_encounters(r: Rows) -> Columns:
    people, owner = r.people(3)
    return {
        "encounter_id": secret(r.keys("", 8)),
        "MRN": person(spread(people.keys("MRN-", 7), owner)),
        "patient_name": secret(spread(people.names("en", "LAST FIRST"), owner)),
        "dob": quasi(spread(people.dates(1930, 2012, "%m/%d/%Y"), owner)),
        "gender": quasi(spread(people.pick("F|M|U", 0.5, 0.48), owner)),
        "race": quasi(spread(people.zipf("White|Black|Hispanic|Asian|Other|Declined"), owner), SENSITIVE),
        "zip": quasi(spread(people.zips("us"), owner)),
        "admit_dt": timed(r.dates(2021, 2022, "%Y-%m-%d %H:%M:%S")),
        "discharge_disposition": quasi(r.zipf("Home|SNF|Rehab|Expired|AMA"), SENSITIVE),
        "payer": quasi(r.zipf("Medicare|Medicaid|Commercial|Self-pay")),
        "primary_dx": sensitive(r.icd10(dots=False), QUASI),
        "los_days": quasi(r.counts(4)),
        "total_charges": money(r.skewed(14_000, 0.9, 2)),
        "attending": staff(
            r.pick([f"Dr. {name}" for name in ["Reed", "Okafor", "Lindqvist", "Patel", "Moreau", "Katz"]])
        ),
        "readmitted_30d": target(r.pick("0|1", 0.85)),
    }


@column_set("en nhs outpatients", "en", 400)
def british_outpatients(r: Rows) -> Columns:
    return {
        "NHS Number": person_or_id(r.national("nhs")),
        "Surname": secret(r.names("en", "last")),
        "Forename": secret(r.names("en", "first")),
        "Date of Birth": quasi(r.dates(1930, 2018, "%d/%m/%Y")),
        "Sex": quasi(r.ragged(r.pick("Male|Female|Not known", 0.47, 0.5))),
        "Postcode sector": quasi(r.zipf(["SW1A 2", "M14 5", "LS6 1", "B29 7", "EH8 9", "CF10 3", "BS8 1"])),
        "Appointment": timed(r.dates(2023, 2023, "%d/%m/%Y %H:%M")),
        "Specialty": quasi(r.zipf("Cardiology|Dermatology|Oncology|ENT|Paediatrics"), SENSITIVE),
        "Mobile": secret(r.missing(r.phones("uk"), 0.15)),
        "IMD decile": quasi(r.ints(1, 10)),
        "Attended": target(r.pick("Attended|DNA", 0.88)),
    }


@column_set("fr hopital sejours", "fr", 400, Dialect(";", "cp1252", ","))
def french_stays(r: Rows) -> Columns:
    return {
        "N° séjour": secret(r.serial("", 23_000_000, 40)),
        "NIR": person_or_id(r.national("fr")),
        "Nom": secret(r.names("fr", "last")),
        "Prénom": secret(r.names("fr", "first")),
        "Date de naissance": quasi(r.dates(1930, 2015, "%d/%m/%Y", "%d/%m/%y")),
        "Sexe": quasi(r.pick("H|F", 0.47)),
        "Code postal": quasi(r.zips("fr")),
        "Date d'entrée": quasi(r.dates(2022, 2022, "%d/%m/%Y")),
        "Service": quasi(r.zipf("Cardiologie|Réanimation|Pédiatrie|Gériatrie|Urgences")),
        "Diagnostic principal": sensitive(r.icd10(), QUASI),
        "Poids (kg)": measured(r.normal(72, 15, 1, ",")),
        "Observation": secret(r.notes("fr", 4)),
        "Réadmission": target(r.pick("Oui|Non", 0.15)),
    }


@column_set("es urgencias", "es", 400, Dialect(";", "cp1252", ","))
def spanish_emergencies(r: Rows) -> Columns:
    return {
        "NHC": person_or_id(r.keys("", 7)),
        "DNI": secret(r.missing(r.national("es", 0.05), 0.03)),
        "Apellidos y nombre": secret(r.names("es", "double")),
        "Fecha nacimiento": quasi(r.dates(1930, 2020, "%d/%m/%Y")),
        "Sexo": quasi(r.pick("Hombre|Mujer|No consta", 0.48, 0.48)),
        "CP": quasi(r.zips("es")),
        "Fecha y hora llegada": timed(r.dates(2023, 2023, "%d/%m/%Y %H:%M", "%d-%m-%Y %H:%M")),
        "Triaje": quasi(r.zipf("III|IV|II|V|I"), SENSITIVE),
        "Motivo": secret(r.notes("es", 1)),
        "Diagnóstico": sensitive(r.icd10(), QUASI),
        "Temperatura": measured(r.normal(37.1, 0.9, 1, ",")),
        "Ingreso": target(r.pick("Sí|No", 0.22)),
    }


@column_set("it ricoveri", "it", 400, Dialect(";", "utf-8", ","))
def italian_stays(r: Rows) -> Columns:
    return {
        "Codice fiscale": person_or_id(r.national("it")),
        "Cognome e nome": secret(r.names("it", "LAST FIRST")),
        "Data di nascita": quasi(r.dates(1930, 2010, "%d/%m/%Y")),
        "Comune": quasi(r.towns("it")),
        "CAP": quasi(r.zips("it")),
        "Reparto": quasi(r.zipf("Medicina|Chirurgia|Ortopedia|Cardiologia|Pediatria")),
        "Data ricovero": quasi(r.dates(2022, 2023, "%d/%m/%Y")),
        "Giorni di degenza": quasi(r.counts(5)),
        "Diagnosi": sensitive(r.icd10(), QUASI),
        "Emoglobina": measured(r.normal(13.2, 1.8, 1, ",")),
        "Note": secret(r.missing(r.notes("it"), 0.5)),
        "Esito": target(r.zipf("Dimesso|Trasferito|Deceduto"), SENSITIVE),
    }


@column_set("nl ziekenhuis", "nl", 400, Dialect(";", "utf-8-sig", ","))
def dutch_hospital(r: Rows) -> Columns:
    return {
        "Patiëntnummer": person_or_id(r.serial("", 4_500_000, 9)),
        "BSN": secret(r.national("nl")),
        "Naam": secret(r.names("nl", "LAST I.")),
        "Geboortedatum": quasi(r.dates(1930, 2015, "%d-%m-%Y")),
        "Geslacht": quasi(r.pick("M|V", 0.48)),
        "Postcode": quasi(r.zipf(["3511", "1012", "2311", "9711", "5611", "6811", "0900"])),
        "Opnamedatum": quasi(r.dates(2022, 2023, "%d-%m-%Y")),
        "Specialisme": quasi(r.zipf("Cardiologie|Interne|Longziekten|Chirurgie|KNO")),
        "DBC diagnose": sensitive(r.zipf(["301", "204", "1701", "402", "113", "801"]), QUASI),
        "Bloeddruk systolisch": measured(r.ints(95, 190)),
        "Opmerking": secret(r.notes("nl")),
        "Heropname": target(r.pick("J|N", 0.12)),
    }


@column_set("pt consultas", "pt", 400, Dialect(";", "cp1252", ","))
def portuguese_visits(r: Rows) -> Columns:
    people, owner = r.people(2.5)
    return {
        "N.º utente": person_or_id(spread(people.keys("", 9), owner)),
        "NIF": person_or_id(spread(people.national("pt"), owner)),
        "Nome": secret(spread(people.names("pt", "first last"), owner)),
        "Data de nascimento": quasi(spread(people.dates(1930, 2015, "%d-%m-%Y"), owner)),
        "Género": quasi(spread(people.pick("Masculino|Feminino", 0.47), owner)),
        "Concelho": quasi(spread(people.towns("pt"), owner)),
        "Data da consulta": quasi(r.dates(2022, 2023, "%d-%m-%Y")),
        "Especialidade": quasi(r.zipf("Medicina geral|Cardiologia|Psiquiatria|Pediatria"), SENSITIVE),
        "Fumador": quasi(spread(people.pick("Sim|Não|N/D", 0.2, 0.7), owner), SENSITIVE),
        "IMC": measured(r.normal(26, 4, 1, ",")),
        "Observações": secret(r.notes("pt")),
        "Faltou": target(r.pick("Sim|Não", 0.2)),
    }


@column_set("en laboratory results", "en", 1_000, Dialect("\t"))
def laboratory(r: Rows) -> Columns:
    people, owner = r.people(5)
    return {
        "accession_no": secret(r.serial("ACC-23-", 100, 4, 6)),
        "patient_uuid": person(spread(people.uuids(), owner)),
        "loinc": quasi(r.pick(LOINC.split()), SENSITIVE, KEEP),
        "result_value": measured(r.censored(r.skewed(30, 1, 1), 5, "<5")),
        "unit": quasi(r.pick("mg/dL|mmol/L|g/L"), KEEP),
        "abnormal_flag": sensitive(r.missing(r.pick("N|H|L|HH", 0.7), 0.05), TARGET, QUASI),
        "collected_at": timed(r.dates(2022, 2022, "%Y-%m-%dT%H:%M:%S+01:00")),
        "age_years": quasi(r.ages()),
        "sex": quasi(r.pick("F|M")),
        "ordering_clinic": quasi(r.zipf("North|South|Harbour|Airport")),
        "lab_site": constant(r.same("CENTRAL")),
        "comment": secret(r.missing(r.short_notes("en"), 0.6)),
    }


@column_set("de Laborbefunde", "de", 500, Dialect(";", "cp1252", ",", quotes_all=True))
def german_laboratory(r: Rows) -> Columns:
    return {
        "Auftragsnr": secret(r.serial("L", 8_000_000, 5)),
        "Fallnummer": person_or_id(r.keys("", 10)),
        "Alter": quasi(r.ages()),
        "Geschl.": quasi(r.pick("männlich|weiblich|divers|k.A.", 0.48, 0.48, 0.01)),
        "Einsender": quasi(r.zipf("Praxis Nord|Klinik Süd|MVZ Mitte|Hausarzt"), IDENTIFIERS),
        "Abnahme": timed(r.dates(2023, 2023, "%d.%m.%y %H:%M")),
        "Leukozyten": measured(r.normal(7.5, 2.5, 2, ",")),
        "Thrombozyten": measured(r.skewed(250_000, 0.3, 0, ",", ".")),
        "TSH": measured(r.censored(r.normal(1.9, 1, 2, ","), 0.5, "<0,5", ",")),
        "HIV-Status": sensitive(r.pick("negativ|positiv|unbekannt", 0.9, 0.03), TARGET),
        "Troponin": measured(r.missing(r.censored(r.skewed(9, 1, 1, ","), 5, "<5", ","), 0.2, "n.d.", "-")),
        "Befundtext": secret(r.notes("de", 4)),
    }


@column_set("en cancer registry", "en", 500)
def cancer_registry(r: Rows) -> Columns:
    return {
        "TumourID": secret(r.serial("", 10_000_000, 30)),
        "PatientID": person_or_id(r.serial("", 20_000_000, 30)),
        "Age": quasi([">80" if int(age) > 80 else age for age in r.ages(18, 99)]),
        "Sex": quasi(r.pick("1|2")),
        "Ethnicity": quasi(r.zipf("White|Asian|Black|Mixed|Unknown"), SENSITIVE),
        "DiagnosisDate": quasi(r.dates(2010, 2020)),
        "Site_ICD10": sensitive(r.zipf(["C50.9", "C61", "C34.1", "C18.7", "C43.5", "C67.9", "C25.0"]), QUASI),
        "Stage": sensitive(r.pick("I|II|III|IV|X"), QUASI, TARGET),
        "Grade": sensitive(r.pick("G1|G2|G3|GX"), QUASI),
        "ER_status": sensitive(r.missing(r.pick("P|N"), 0.3), QUASI),
        "Deprivation_quintile": quasi(r.ints(1, 5)),
        "VitalStatus": target(r.pick("A|D", 0.7), SENSITIVE),
        "SurvivalMonths": measured(r.ints(0, 120)),
    }


@column_set("fr cabinet dentaire", "fr", 300, Dialect(";", "cp1252", ","))
def french_dentist(r: Rows) -> Columns:
    return {
        "Dossier": secret(r.serial("D", 1_000, 2, 5)),
        "Nom complet": secret(r.names("fr", "first last")),
        "Tél.": secret(r.phones("fr")),
        "Courriel": secret(r.missing(r.emails("fr", "example.fr"), 0.2, "néant")),
        "Âge": quasi(r.ages(4, 95)),
        "Ville": quasi(r.towns("fr")),
        "Dernier contrôle": quasi(r.dates(2019, 2023, "%d/%m/%Y")),
        "Caries": quasi(r.counts(2), SENSITIVE),
        "Mutuelle": quasi(r.zipf("Oui|Non|CMU")),
        "Montant": money(r.skewed(80, 0.8, 2, ",")),
        "Remarques": secret(r.missing(r.short_notes("fr"), 0.2)),
        "Revient": target(r.pick("oui|non", 0.7)),
    }


@column_set("de Apotheke Rezepte", "de", 800, GERMAN)
def german_pharmacy(r: Rows) -> Columns:
    people, owner = r.people(4)
    return {
        "Rezept-ID": secret(r.uuids()),
        "Versichertennr": person(spread(people.keys("A", 9), owner)),
        "Geburtsjahr": quasi(spread(people.ints(1930, 2015), owner)),
        "Kasse": quasi(spread(people.zipf("AOK|TK|Barmer|DAK|privat"), owner)),
        "Abgabedatum": quasi(r.dates(2023, 2023, "%d.%m.%Y")),
        "ATC": sensitive(r.zipf(ATC.split()), QUASI),
        "PZN": quasi(
            r.zipf([f"{number:08}" for number in range(1_234_567, 1_234_597)]), SENSITIVE, IDENTIFIERS
        ),
        "Menge": quasi(r.ints(1, 3), KEEP),
        "Preis": quasi(r.skewed(25, 0.9, 2, ","), SENSITIVE, KEEP),
        "Arzt": staff(
            r.pick(
                [f"Dr. {name}" for name in ["Weber", "Schulz", "Yilmaz", "Krüger", "Hahn", "Vogel", "Roth"]]
            )
        ),
        "Zuzahlung befreit": target(r.pick("J|N", 0.3), QUASI, SENSITIVE),
    }


@column_set("en genetics cohort", "en", 300, Dialect("\t"))
def genetics(r: Rows) -> Columns:
    return {
        "FID": secret(r.serial("FAM", 100, 1, 4)),
        "IID": person_or_id(r.serial("NA", 18_500, 4)),
        "SEX": quasi(r.pick("1|2")),
        "AGE_AT_ENROL": quasi(r.ages(30, 80)),
        "ANCESTRY": quasi(r.zipf("EUR|AFR|EAS|SAS|AMR"), SENSITIVE),
        "BMI": measured(r.normal(26.4, 4.2, 2)),
        "LDL": measured(r.normal(3.2, 0.8, 2)),
        "PC1": measured(r.normal(0.02, 0.01, 6)),
        "PC2": measured(r.normal(0.03, 0.01, 6)),
        "rs429358": sensitive(r.pick("0|1|2", 0.7, 0.26), QUASI),
        "rs7412": sensitive(r.pick("C/C|C/T|T/T", 0.84, 0.15), QUASI),
        "APOE": sensitive(r.zipf("e3/e3|e3/e4|e2/e3|e4/e4|e2/e4"), QUASI),
        "AD_CASE": target(r.pick("0|1", 0.6), SENSITIVE),
    }


@column_set("en clinical trial", "en", 360)
def clinical_trial(r: Rows) -> Columns:
    sites = r.pick("101|102|205|310")
    return {
        "STUDYID": constant(r.same("ABC-123")),
        "USUBJID": person_or_id([f"ABC-123-{site}-{n:04}" for n, site in enumerate(sites, 1)]),
        "SITEID": quasi(sites),
        "BRTHDTC": quasi(r.dates(1945, 1999)),
        "AGE": quasi(r.ages(18, 80)),
        "SEX": quasi(r.pick("F|M")),
        "COUNTRY": quasi(r.zipf("USA|DEU|FRA|JPN|BRA")),
        "ARM": quasi(r.pick("Placebo|Low dose|High dose"), KEEP, SENSITIVE),
        "RFSTDTC": timed(r.dates(2019, 2020, "%Y-%m-%dT%H:%M")),
        "WEIGHT": measured(r.normal(78, 14, 1)),
        "ALT": measured(r.skewed(25, 0.5, 0)),
        "AETERM": secret(r.missing(r.notes("en", 1), 0.5)),
        "RESPONSE": target(r.pick("CR|PR|SD|PD")),
    }


@column_set("nl dierenarts", "nl", 300, Dialect(";", "cp1252", ","))
def dutch_veterinary(r: Rows) -> Columns:
    return {
        "Klantnr": person_or_id(r.serial("", 20_100, 3)),
        "Eigenaar": secret(r.names("nl", "last, first")),
        "Adres": secret(r.streets("nl")),
        "Woonplaats": quasi(r.towns("nl")),
        "Telefoon": secret(r.phones("nl")),
        "Chipnummer": secret(r.keys("528", 12)),
        "Diersoort": quasi(r.zipf("hond|kat|konijn|cavia|paard")),
        "Leeftijd dier": quasi(r.counts(6)),
        "Gewicht": quasi(r.skewed(12, 0.8, 1, ","), SENSITIVE),
        "Laatste bezoek": quasi(r.dates(2020, 2023, "%d-%m-%Y")),
        "Rekening": money(r.skewed(65, 0.7, 2, ",")),
        "Verzekerd": target(r.pick("ja|nee", 0.3)),
    }


@column_set("en diabetes 130 hospitals", "en", 1_200)
def diabetes(r: Rows) -> Columns:
    people, owner = r.people(1.5)
    drugs = ("metformin", "glipizide", "glyburide", "insulin")
    return {
        "encounter_id": secret(r.keys("", 9)),
        "patient_nbr": person(spread(people.keys("", 8), owner)),
        "race": quasi(
            r.missing(r.zipf("Caucasian|AfricanAmerican|Hispanic|Other|Asian"), 0.03, "?"), SENSITIVE
        ),
        "gender": quasi(r.pick("Female|Male|Unknown/Invalid", 0.54, 0.455)),
        "age": quasi(r.zipf([f"[{low}-{low + 10})" for low in (70, 60, 50, 80, 40, 30, 90, 20, 10, 0)])),
        "weight": quasi(r.missing(r.pick("[75-100)|[50-75)|[100-125)"), 0.95, "?"), SENSITIVE, IDENTIFIERS),
        "admission_type_id": quasi(r.zipf("1|3|2|6|5|8")),
        "time_in_hospital": quasi(r.ints(1, 14)),
        "payer_code": quasi(r.missing(r.zipf("MC|HM|SP|BC|MD|CP"), 0.4, "?")),
        "medical_specialty": quasi(
            r.missing(r.zipf("InternalMedicine|Cardiology|Surgery-General"), 0.5, "?")
        ),
        "num_lab_procedures": quasi(r.ints(1, 100), SENSITIVE),
        "num_medications": quasi(r.counts(16), SENSITIVE),
        "diag_1": sensitive(
            r.zipf(["428", "414", "786", "410", "486", "427", "491", "715", "434", "682", "250.02", "V57"]),
            QUASI,
        ),
        "A1Cresult": sensitive(r.pick("None|>8|Norm|>7", 0.8), QUASI),
        **{drug: sensitive(r.pick("No|Steady|Up|Down", 0.7, 0.2), QUASI) for drug in drugs},
        "examide": constant(r.same("No")),
        "readmitted": target(r.pick("NO|>30|<30", 0.54, 0.35)),
    }


@column_set("en heart disease", "en", 303)
def heart_disease(r: Rows) -> Columns:
    return {
        "age": quasi(r.ages(29, 77)),
        "sex": quasi(r.pick("1|0", 0.68)),
        "cp": sensitive(r.pick("4|3|2|1"), QUASI),
        "trestbps": measured(r.ints(94, 200)),
        "chol": measured(r.ints(126, 409)),
        "fbs": sensitive(r.pick("0|1", 0.85), QUASI),
        "restecg": sensitive(r.pick("0|2|1", 0.5, 0.48), QUASI),
        "thalach": measured(r.ints(71, 202)),
        "exang": sensitive(r.pick("0|1", 0.67), QUASI),
        "oldpeak": measured(r.skewed(1, 0.7, 1)),
        "ca": sensitive(r.missing(r.pick("0|1|2|3", 0.6), 0.02, "?"), QUASI),
        "thal": sensitive(r.missing(r.pick("3|7|6", 0.55, 0.39), 0.01, "?"), QUASI),
        "num": target(r.pick("0|1|2|3|4", 0.54, 0.18), SENSITIVE),
    }


@column_set("en psychotherapy waiting list", "en", 250, Dialect("|"))
def psychotherapy(r: Rows) -> Columns:
    return {
        "ref": secret(r.hashes(12)),
        "initials": secret(r.pick([f"{a}.{b}." for a in "ABCDEFGHJKLMNPRSTW" for b in "ABCDEFGHJKLMNPRSTW"])),
        "contact": secret(r.emails("en")),
        "age band": quasi(r.bands(10, 10, 80)),
        "pronouns": quasi(r.pick("she/her|he/him|they/them|prefer not to say", 0.5, 0.42), SENSITIVE),
        "referral date": quasi(r.dates(2022, 2023, "%d %b %Y")),
        "presenting problem": secret(r.notes("en", 2)),
        "PHQ-9": sensitive(r.ints(0, 27), QUASI),
        "GAD-7": sensitive(r.ints(0, 21), QUASI),
        "medication": sensitive(
            r.missing(r.zipf("none|sertraline|citalopram|mirtazapine"), 0.1, "n/k"), QUASI
        ),
        "archived": empty(r.same("")),
        "dropped out": target(r.pick("Y|N", 0.3)),
    }
