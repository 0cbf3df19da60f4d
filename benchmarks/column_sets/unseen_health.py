"""Care homes, ambulances, practices, diaries: labelled without seeing how roles are decided."""

from __future__ import annotations

from benchmarks.column_sets.labels import (
    IDENTIFIERS,
    KEEP,
    QUASI,
    SENSITIVE,
    TARGET,
    Columns,
    Dialect,
    clock,
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
    unseen_set,
)
from benchmarks.column_sets.rows import Rows, spread
from benchmarks.column_sets.unseen_values import (
    barcodes,
    capped,
    durations,
    families,
    given,
    initials,
    joined,
    listed,
    mails,
    nicknames,
    remarks,
    short_ages,
    shuffled,
    signs,
    spelled_dates,
    steps,
    times,
    wrapped,
)
from benchmarks.column_sets.unseen_words import SAID

SEMICOLON = Dialect(";", "cp1252", ",")


@unseen_set("de Pflegeheim Bewohner", "de", 260, SEMICOLON)
def care_home(r: Rows) -> Columns:
    born = r.missing(wrapped(" geb. {}", families(r, "de")), 0.6)
    return {
        "Bew.-Nr.": person_or_id(r.serial("", 3, 4)),
        "Bewohner/in": secret(joined("{}{}", [name.upper() for name in families(r, "de")], born)),
        "Zi./Bett": quasi(
            joined("{}{}-{}", r.pick("1|2|3"), r.pick([f"{n:02}" for n in range(1, 31)]), r.pick("1|2", 0.8)),
            IDENTIFIERS,
        ),
        "Wohnbereich": quasi(r.zipf("Rosengarten|Am Bach|Obstwiese|Lindenhof")),
        "Jg.": quasi(r.ints(1924, 1957)),
        "Einzug": quasi(spelled_dates(r, 2012, 2023, "{d}. {m} {y}", "de")),
        "Pflegegrad": sensitive(r.pick("PG 3|PG 4|PG 2|PG 5|PG 1", 0.35, 0.3, 0.2), QUASI, TARGET),
        "Barthel": sensitive(steps(r, 0, 100, 5), QUASI),
        "Gew. kg": measured(r.missing(r.normal(66, 13, 1, ","), 0.05, "bettl.")),
        "Kostform": quasi(r.zipf("Vollkost|Diabetes|passiert|laktosefrei|Sonde"), SENSITIVE),
        "Kostenträger": quasi(r.pick("Selbstzahler|Sozialamt|BG", 0.6, 0.35), SENSITIVE),
        "Angeh. (Tel.)": secret(
            joined("{} {}", r.pick("Hr.|Fr.|To.|So."), joined("{} {}", families(r, "de"), r.phones("de")))
        ),
        "gestürzt": target(r.pick("n|j", 0.7), SENSITIVE, QUASI),
        "Bes.": secret(r.missing(remarks(r, "de", SAID["care home"], 0.2, 0.12, 0.1, 0.08), 0.25)),
        "Stand": constant(r.same("31.12.2023")),
    }


@unseen_set("de Rettungsdienst", "de", 700, Dialect(";", "utf-8-sig", ","))
def ambulance(r: Rows) -> Columns:
    pressure = joined("{}/{}", r.ints(85, 210), r.ints(45, 115))
    return {
        "EinsatzNr": secret(wrapped("2023/{}", r.serial("", 1_700, 4, 5))),
        "Datum": quasi(r.dates(2023, 2023, "%d.%m.%y")),
        "Alarm": clock(r.dates(2023, 2023, "%H:%M")),
        "Fzg": quasi(r.zipf("RTW 83/1|RTW 83/2|KTW 85/1|NEF 82/1|RTW 83/5"), KEEP),
        "Einsatzstelle": secret(r.streets("de")),
        "OT": quasi(r.zipf("Mitte|Hellerau|Klotzsche|Weixdorf|Langebrück|Schönborn|Pieschen")),
        "Pat.Alter": quasi(short_ages(r, "{} J.", "{} Mon.", 0.08)),
        "m/w": quasi(r.missing(r.pick("m|w"), 0.03, "?")),
        "Stichwort": quasi(r.zipf("Herz/Kreislauf|Sturz|Atemnot|Krampf|Intox|VU|hilflose Person"), SENSITIVE),
        "NACA": sensitive(r.pick("III|II|IV|I|V|VI|VII", 0.4, 0.25, 0.2), QUASI),
        "SpO2": measured(r.missing(wrapped("{} %", r.ints(78, 100)), 0.06, "n.m.")),
        "RR": measured(r.missing(pressure, 0.1, "n.m.", "nicht messb.")),
        "Hilfsfrist": quasi(durations(r, 9, 0.4, "{t} min"), KEEP, SENSITIVE),
        "Ziel": quasi(r.zipf("Uniklinik|St. Josef|Diakonissen|ambulant belassen|Friedrichstadt")),
        "Bemerkung": secret(
            r.missing(
                remarks(r, "de", SAID["ambulance"], 0.4),
                0.5,
            )
        ),
        "NA nachgef.": target(r.pick("nein|ja", 0.85)),
    }


@unseen_set("de OP-Liste Augen", "de", 480, SEMICOLON)
def eye_surgery(r: Rows) -> Columns:
    people, owner = r.people(1.6)
    return {
        "Pat.": person(spread(wrapped("AK-{}", shuffled(people, people.serial("", 4_700, 6, 6))), owner)),
        "Kürzel": secret(spread(initials(people, "{}.{}.", 2), owner)),
        "Alter b. OP": quasi(spread(people.ages(45, 95), owner)),
        "OP-Tag": quasi(r.dates(2022, 2023, "%d.%m.%Y")),
        "Schnitt": clock(times(r, 7, 16, "%H:%M")),
        "S-N-Zeit": quasi(durations(r, 24, 0.3, "{h}:{m:02}"), SENSITIVE, KEEP),
        "Saal": quasi(r.pick("A|B|EK", 0.5, 0.4), KEEP),
        "Operateur": staff(r.pick("Hb|Lz|Str|Mü-K|Dö", 0.4)),
        "ICD": sensitive(r.zipf("H25.1|H25.8|H40.1|H35.3|H33.0|H43.1|H26.2|Z96.1"), QUASI),
        "OPS": sensitive(r.zipf("5-144.5a|5-144.3a|5-156.9|5-158.12|5-139.10|5-131.01"), QUASI),
        "Auge": quasi(r.pick("RA|LA|bds", 0.49, 0.49), KEEP, SENSITIVE),
        "Visus prä": measured(r.pick("0,05|0,1|0,2|0,32|0,4|0,5|0,63|0,8|1,0|FZ|HBW", 0.02)),
        "Tensio": measured(r.ints(9, 34)),
        "IOL SN": secret(signs(r, "9AA99999.999")),
        "Narkose": quasi(r.zipf("topisch|Peribulbär|ITN"), KEEP, SENSITIVE),
        "Verlauf": target(r.zipf("unauffällig|Kapselruptur|Endophthalmitis|Nachstar"), SENSITIVE),
    }


@unseen_set("en practice billing", "en", 900)
def practice_billing(r: Rows) -> Columns:
    people, owner = r.people(3.5)
    zips = joined("{}-{}", people.zips("us"), signs(people, "9999"))
    cpt = "99213|99214|99203|36415|80053|93000|97110|90471|85025|73630|G0439|J3301"
    return {
        "Claim#": secret(r.keys("CLM00", 6)),
        "Member ID": person(spread(signs(people, "AAA999999999"), owner)),
        "Rel": quasi(spread(people.pick("18|01|19", 0.6, 0.25), owner)),
        "Pt Last": secret(spread([name.upper() for name in families(people, "en")], owner)),
        "Pt First": secret(spread(given(people, "en"), owner)),
        "Birth": quasi(spread([word.upper() for word in people.dates(1935, 2021, "%d-%b-%Y")], owner)),
        "ZIP+4": quasi(spread(zips, owner), IDENTIFIERS),
        "DOS": quasi(r.dates(2023, 2023, "%m/%d/%y")),
        "POS": quasi(r.pick("11|22|02|23", 0.8), KEEP),
        "CPT": sensitive(r.zipf(cpt), QUASI),
        "Mod": quasi(r.missing(r.pick("25|59|RT|LT|95"), 0.75), KEEP, SENSITIVE),
        "Dx1": sensitive(r.zipf("M54.50|Z00.00|I10|E11.65|J06.9|F41.1|R07.9|Z23|N18.31"), QUASI),
        "Units": quasi(r.pick("1|2|3|4", 0.85), KEEP),
        "Billed": money(wrapped("${}", r.skewed(160, 0.7, 2, ".", ","))),
        "Allowed": money(wrapped("${}", r.skewed(95, 0.6, 2, ".", ","))),
        "NPI": staff(r.zipf("1487650123|1205933311|1912004470|1033219876|1679550042")),
        "Follow-up": secret(
            r.missing(
                remarks(r, "en", SAID["practice billing"], 0.2),
                0.6,
            )
        ),
        "Adj.": target(r.pick("PAID|DENIED|PENDED", 0.8, 0.14)),
    }


@unseen_set("en asthma diary app", "en", 1_100)
def asthma_diary(r: Rows) -> Columns:
    people, owner = r.people(14)
    return {
        "uid": person_or_id(spread(shuffled(people, people.serial("", 11, 9)), owner)),
        "display_name": person_or_id(spread(nicknames(people), owner)),
        "age_months": quasi(spread(people.ints(60, 216), owner)),
        "postal_prefix": quasi(spread(people.zipf("M5V|K1A|H2X|V6B|T2P|R3C|B3H"), owner)),
        "entry": timed(r.dates(2023, 2023, "%b %d, %Y %I:%M %p")),
        "tz": quasi(r.zipf("America/Toronto|America/Vancouver|America/Halifax"), KEEP),
        "peak_flow": measured(r.ints(180, 620)),
        "pct_best": measured(wrapped("{}%", r.ints(45, 100))),
        "puffs": quasi(r.counts(1.8), SENSITIVE),
        "symptoms": sensitive(listed(r, ["cough", "wheeze", "tight chest", "night waking"], ";", 3), QUASI),
        "mood": quasi(r.pick([":-)", ":-|", ":-("], 0.6, 0.25), SENSITIVE),
        "act_score": sensitive(r.missing(r.ints(5, 25), 0.4), QUASI),
        "push_token": person_or_id(spread(people.hashes(64), owner)),
        "app_version": quasi(r.zipf("4.12.1|4.12.0|4.11.3|3.9.8"), KEEP),
        "journal": secret(r.missing(remarks(r, "en", SAID["asthma diary"], 0.2, 0.1), 0.3)),
        "flare_next_7d": target(r.pick("FALSE|TRUE", 0.9)),
    }


@unseen_set("fr maternite", "fr", 320, SEMICOLON)
def maternity(r: Rows) -> Columns:
    return {
        "IPP": person_or_id(r.keys("80", 8)),
        "Nom d'usage": secret([name.upper() for name in families(r, "fr")]),
        "Nom de jeune fille": secret(r.missing([name.upper() for name in families(r, "fr")], 0.35, "idem")),
        "Chambre": quasi(joined("{}{}", r.ints(201, 232), r.pick("P|F")), IDENTIFIERS),
        "Âge mère": quasi(r.ints(17, 45)),
        "Commune": quasi(r.zipf("Redon|Allaire|Guer|Pipriac|Bain-de-Bretagne|La Gacilly|Malestroit")),
        "Gestité/parité": quasi(joined("G{}P{}", r.pick("1|2|3|4"), r.pick("0|1|2|3")), SENSITIVE),
        "Terme": measured(joined("{} SA + {}", r.ints(34, 41), r.ints(0, 6))),
        "Accouchement": quasi(spelled_dates(r, 2022, 2023, "{d} {m} {y}", "fr")),
        "Heure": clock(r.dates(2023, 2023, "%Hh%M")),
        "Voie": quasi(r.pick("VB|VBI|CS prog.|CS urg.", 0.65, 0.12), SENSITIVE, TARGET),
        "APD": quasi(r.pick("O|N", 0.8), SENSITIVE),
        "Poids NN": measured(wrapped("{} g", r.normal(3_300, 450, 0))),
        "Apgar": sensitive(joined("{}/{}", r.pick("8|9|10|6"), r.pick("10|9|8", 0.8)), QUASI),
        "SF": staff(r.pick("C. Le Goff|M. Hamon|A. Sow|J. Picard|L. Besnard")),
        "Transmissions": secret(remarks(r, "fr", SAID["maternity"], 0.3)),
        "Allaitement": target(r.pick("maternel|mixte|artificiel", 0.6, 0.15), SENSITIVE, QUASI),
    }


@unseen_set("fr medecine du travail", "fr", 450, Dialect(";", "utf-8", ","))
def occupational_health(r: Rows) -> Columns:
    jobs = (
        "Cariste|Opérateur de ligne|Agent d'entretien|Assistante RH|Soudeur|Chauffeur PL"
        "|Technicienne de laboratoire|Chef d'équipe|Comptable|Infirmière|Directeur de site|Apprenti boulanger"
    )
    return {
        "Matr.": person_or_id(r.serial("0", 4_200, 7)),
        "Salarié(e)": secret(joined("{} {}.", families(r, "fr"), initials(r, "{}", 1))),
        "Poste occupé": quasi(r.zipf(jobs)),
        "Site": quasi(r.zipf("Dole|Vesoul|Gray|Lure"), KEEP),
        "Embauche": quasi(r.ints(1984, 2023)),
        "Visite": quasi(r.dates(2021, 2023, "%d/%m/%y")),
        "Nature": quasi(r.zipf("VIP|Reprise|EMA|À la demande"), KEEP, SENSITIVE),
        "Perte OD (dB)": measured(wrapped("-{}", steps(r, 0, 60, 5))),
        "TA": measured(joined("{}/{}", r.ints(10, 18), r.ints(6, 11))),
        "Tabac": quasi(r.zipf("jamais|ex-fumeur|< 10/j|10-20/j|> 20/j"), SENSITIVE),
        "RQTH": sensitive(r.pick("non|oui|dde en cours", 0.9, 0.07), QUASI),
        "Charge ressentie": quasi(r.pick("faible|modérée|forte|très forte"), SENSITIVE),
        "Arrêts (j/an)": sensitive(r.counts(7), QUASI),
        "Médecin": constant(r.same("Dr Bailly")),
        "Avis": target(r.pick("apte|apte avec aménagement|inapte", 0.85, 0.12), SENSITIVE),
        "Confidentiel": secret(
            r.missing(
                remarks(r, "fr", SAID["occupational health"], 0.1),
                0.4,
            )
        ),
    }


@unseen_set("es hematologia", "es", 520, Dialect(";", "utf-8", ","))
def haematology(r: Rows) -> Columns:
    return {
        "Petición": secret(barcodes(r, "2301")),
        "Iniciales": secret(initials(r, "{}{}{}", 3)),
        "F. nac.": quasi(spelled_dates(r, 1931, 2022, "{d:02}-{m}-{yy}", "es")),
        "H/M": quasi(r.pick("H|M")),
        "Procedencia": quasi(r.zipf("CS Delicias|CS Parquesol|Urgencias|Planta 4ª|UCI|Consultas ext."), KEEP),
        "Hb": measured(r.normal(13.4, 2, 1, ",")),
        "Plaquetas": measured(r.skewed(238_000, 0.35, 0, ",", ".")),
        "PCR": measured(capped(r.censored(r.skewed(6, 1.5, 1, ","), 0.5, "<0,5", ","), 90, ">90,0", ",")),
        "Dímero D": measured(
            r.missing(capped(r.skewed(480, 0.9, 0), 4_000, "> 4000"), 0.4, "no sol.", "coagulada")
        ),
        "INR": measured(r.missing(r.normal(1.15, 0.3, 2, ","), 0.2)),
        "Grupo": sensitive(r.zipf("A+|O+|B+|O-|A-|AB+|B-|AB-"), QUASI),
        "Hemólisis": quasi(r.pick("no|leve|sí", 0.9), KEEP, SENSITIVE),
        "Técnico": staff(r.pick("mgl|rjp|asc|tvr")),
        "Anticoagulado": sensitive(r.pick("No|Sí|No consta", 0.7, 0.18), QUASI, TARGET),
        "Obs. frotis": secret(
            r.missing(
                remarks(r, "es", SAID["haematology"], 0.4),
                0.6,
            )
        ),
        "Derivar": target(r.pick("N|S", 0.8)),
    }


@unseen_set("it guardia pediatrica", "it", 380, Dialect(";", "utf-8-sig", ","))
def paediatric_duty(r: Rows) -> Columns:
    drugs = "Tachipirina 120 mg/5 ml|Nurofen febbre|Augmentin bimbi|Bentelan 0,5 mg|Aerosol clenil|nessuno"
    return {
        "Scheda": secret(r.serial("GM/", 20, 5, 4)),
        "Sigla": secret(initials(r, "{} {}", 2)),
        "Mesi": quasi(r.ints(1, 168)),
        "M/F": quasi(r.pick("M|F")),
        "Frazione": quasi(r.zipf("Capoluogo|San Martino|Pieve Alta|Ponte Nuovo|Le Grazie")),
        "Chiamata del": quasi(spelled_dates(r, 2023, 2023, "{d} {m} {y}", "it")),
        "ore": clock(r.dates(2023, 2023, "%H.%M")),
        "Motivo": sensitive(r.zipf("febbre|tosse|vomito|otalgia|trauma|rash|convulsione"), QUASI),
        "T°": measured(r.missing(r.normal(38.2, 0.9, 1, ","), 0.1, "n.r.")),
        "Peso": measured(wrapped("{} kg", r.skewed(14, 0.5, 1, ","))),
        "Vaccini in regola": sensitive(r.pick("sì|no|non noto", 0.85, 0.06), QUASI),
        "Farmaco": quasi(r.zipf(drugs), SENSITIVE),
        "ATC": sensitive(r.missing(r.zipf("N02BE01|M01AE01|J01CR02|H02AB01|R03BA01"), 0.1), QUASI),
        "Chi chiama": quasi(r.zipf("madre|padre|nonna|altro"), KEEP),
        "Recapito": secret(r.phones("it")),
        "Consiglio": secret(remarks(r, "it", SAID["paediatric duty"], 0.2)),
        "Esito": target(r.pick("domicilio|invio in PS|ricontatto", 0.75, 0.15)),
    }


@unseen_set("nl huisartsenpost", "nl", 640, Dialect(";", "cp1252", ","))
def general_practice(r: Rows) -> Columns:
    people, owner = r.people(2.2)
    postcodes = joined("{}{}", people.ints(8_911, 8_941), people.pick("AB|CE|GH|KL|TX|VZ"))
    return {
        "patnr": person(spread(people.keys("", 5), owner)),
        "voorl.": secret(spread(initials(people, "{}.{}.", 2), owner)),
        "meisjesnaam": secret(spread(people.missing(families(people, "nl"), 0.5, "nvt"), owner)),
        "gebjr": quasi(spread(people.ints(1928, 2023), owner)),
        "m/v/x": quasi(spread(people.pick("m|v|x", 0.48, 0.51), owner)),
        "pc6": quasi(spread(postcodes, owner), IDENTIFIERS),
        "week": quasi(r.dates(2022, 2023, "%G-W%V")),
        "tijdstip": clock(r.dates(2023, 2023, "%H:%M:%S")),
        "soort contact": quasi(r.zipf("telefonisch|consult|visite|e-consult"), KEEP),
        "ICPC": sensitive(r.zipf("R05|K86|L03|T90|P76|S74|U71|A97|D01|W78"), QUASI),
        "RR": measured(r.missing(joined("{}/{}", r.ints(98, 190), r.ints(55, 110)), 0.4, "-")),
        "glucose": measured(r.missing(capped(r.skewed(6.2, 0.3, 1, ","), 11, ">11,0", ","), 0.5)),
        "S-regel": secret(remarks(r, "nl", SAID["general practice"], 0.1)),
        "afgehandeld door": staff(r.pick("dr. Postma|POH Kaya|ass. Evi|waarnemer")),
        "verwezen": target(r.pick("nee|ja", 0.82)),
    }


@unseen_set("pt fisioterapia", "pt", 300, Dialect(";", "utf-8", ","))
def physiotherapy(r: Rows) -> Columns:
    return {
        "Ficha": person_or_id(r.serial("F", 7, 3, 4)),
        "Utente": secret(
            joined("{} {}", r.pick("D.|Sr.|Sra.|"), joined("{} {}", given(r, "pt"), families(r, "pt")))
        ),
        "Telem.": secret(r.phones("pt")),
        "Ano nasc.": quasi(r.ints(1935, 2010)),
        "Freguesia": quasi(r.zipf("Bonfim|Campanhã|Paranhos|Ramalde|Cedofeita|Aldoar")),
        "Profissão": quasi(
            r.zipf(
                "Reformado|Empregada de limpeza|Motorista|Professora|Estudante|Cozinheiro|Pedreiro|Notária"
            )
        ),
        "Seguradora": quasi(r.zipf("particular|ADSE|Médis|Multicare|Fidelidade")),
        "Zona": sensitive(r.zipf("lombar|cervical|ombro D|ombro E|joelho D|joelho E"), QUASI),
        "EVA inicial": sensitive(r.normal(6.4, 1.5, 1, ","), QUASI),
        "EVA atual": sensitive(r.missing(r.normal(3.2, 1.6, 1, ","), 0.1), QUASI),
        "Sessões": quasi(r.ints(1, 40), SENSITIVE, KEEP),
        "Duração": quasi(r.pick("30 min|45 min|1h|1h 15min", 0.2, 0.5), KEEP, SENSITIVE),
        "Valor": money(r.pick("25,00 €|30,00 €|35,00 €|3,50 €", 0.2, 0.2)),
        "Marcação": timed(r.dates(2023, 2023, "%d/%m/%Y %Hh%M")),
        "Obs": secret(
            r.missing(
                remarks(r, "pt", SAID["physiotherapy"], 0.2),
                0.3,
            )
        ),
        "Teve alta": target(r.pick("S|N", 0.55)),
    }


@unseen_set("da bloddonorer", "other", 800, Dialect(";", "cp1252", ","))
def blood_donors(r: Rows) -> Columns:
    people, owner = r.people(4)
    born = people.dates(1957, 2005, "%d%m%y")
    return {
        "Tapning": secret(r.keys("G0", 9)),
        "CPR-nr.": person_or_id(spread(joined("{}-{}", born, signs(people, "9999")), owner)),
        "Donornavn": secret(spread(joined("{} {}", given(people, "da"), families(people, "da")), owner)),
        "E-mail": person_or_id(spread(mails(people, "da", "post.example"), owner)),
        "Køn": quasi(spread(people.pick("kvinde|mand", 0.53), owner)),
        "Postnr.": quasi(spread(people.zipf("8000|8200|8210|8240|8260|8600|9000"), owner)),
        "Tappested": quasi(r.zipf("Skejby|Randers|Horsens|mobil enhed 2"), KEEP),
        "Dato": quasi(r.dates(2021, 2023, "%d/%m-%Y")),
        "Blodtype": sensitive(spread(people.zipf("A pos|O pos|B pos|A neg|O neg|AB pos"), owner), QUASI),
        "Hgb": measured(r.normal(8.8, 0.7, 1, ",")),
        "Ferritin": measured(r.missing(r.censored(r.skewed(45, 0.7, 0), 10, "<10"), 0.2)),
        "Tappetid": quasi(durations(r, 8, 0.25, "{t}m {s:02}s"), KEEP, SENSITIVE),
        "Besvimet": sensitive(r.pick("nej|ja", 0.97), QUASI, TARGET),
        "Blank": empty(r.same("")),
        "Bemærkning": secret(
            r.missing(
                remarks(r, "da", SAID["blood donors"], 0.3),
                0.7,
            )
        ),
        "Udskudt": target(r.pick("Nej|Ja", 0.9)),
    }
