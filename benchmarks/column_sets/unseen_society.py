"""Towns, schools, shops, insurers, cohorts: labelled without seeing how roles are decided."""

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
from benchmarks.column_sets.nameless import unknown
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
    quarters,
    remarks,
    shuffled,
    signs,
    spelled_dates,
    times,
    wrapped,
)
from benchmarks.column_sets.unseen_words import SAID

GAPPED = [str(number) for number in (2, 3, 5, 8, 9, 14, 15, 21, 30, 31)]


@unseen_set("en food bank", "en", 420)
def food_bank(r: Rows) -> Columns:
    people, owner = r.people(3)
    return {
        "Household": person(spread(shuffled(people, people.serial("HH-", 4, 5)), owner)),
        "Known as": secret(spread(joined("{} {}", given(people, "en"), initials(people, "{}", 1)), owner)),
        "Ward": quasi(spread(people.zipf("Easton|Lawrence Hill|St Pauls|Knowle|Filwood|Avonmouth"), owner)),
        "Came on": quasi(r.dates(2023, 2023, "%a %d %b %Y")),
        "Adults": quasi(spread(people.pick("1|2|3", 0.6), owner)),
        "Under 16s": quasi(spread(people.counts(1.4), owner)),
        "Diet": quasi(
            spread(people.zipf("none|halal|vegetarian|gluten free|no cooker"), owner), SENSITIVE, KEEP
        ),
        "Voucher": secret(signs(r, "E-99999A")),
        "Referred by": quasi(r.zipf("GP|school|self|Citizens Advice|probation"), SENSITIVE, KEEP),
        "Why": sensitive(
            r.zipf("benefit delay|low income|debt|homeless|domestic abuse|sickness"), QUASI, TARGET
        ),
        "Kg given": quasi(r.normal(18, 5, 1), KEEP, SENSITIVE),
        "Remarks": secret(r.missing(remarks(r, "en", SAID["food bank"]), 0.3)),
    }


@unseen_set("en school district", "en", 560)
def school_district(r: Rows) -> Columns:
    return {
        "Chronic": target(r.pick("0|1", 0.82), SENSITIVE),
        "Perm ID": person_or_id(r.keys("9", 6)),
        "Student": secret(joined("{}, {}.", families(r, "en"), initials(r, "{}", 1))),
        "Gr": quasi(r.pick("K|1|2|3|4|5|6|7|8")),
        "Homeroom": quasi(joined("{}-{}", r.pick("A|B|C"), r.ints(1, 14))),
        "Bus": quasi(r.missing(wrapped("Rt {} PM", r.pick(GAPPED)), 0.3, "walker")),
        "Birthdate": quasi(r.dates(2009, 2018, "%m-%d-%Y")),
        "Home lang": quasi(r.pick("English|Spanish|Vietnamese|Haitian Creole|Somali", 0.6, 0.25), SENSITIVE),
        "Lunch": quasi(r.pick("P|F|R", 0.5, 0.4), SENSITIVE),
        "504/IEP": sensitive(r.missing(r.pick("IEP|504"), 0.8), QUASI),
        "Lexile": sensitive(r.missing(wrapped("{}L", r.ints(120, 1_250)), 0.1, "BR"), QUASI),
        "GPA": sensitive(r.normal(2.9, 0.5, 2), QUASI),
        "Attendance": sensitive(wrapped("{}%", r.normal(93, 3, 1)), QUASI),
        "Referrals": sensitive(r.counts(0.6), QUASI),
        "Guardian 1": secret(joined("{} {}", given(r, "en"), families(r, "en"))),
        "Guardian e-mail": secret(r.missing(mails(r, "en", "parents.example"), 0.2, "none on file")),
        "School yr": constant(r.same("2022-23")),
    }


@unseen_set("en debt helpline", "en", 700, Dialect("\t"))
def debt_helpline(r: Rows) -> Columns:
    return {
        "Call ref": secret(joined("{}{}", r.pick("MON|TUE|WED|THU|FRI"), r.keys("-", 6))),
        "Line": quasi(r.zipf("0800 main|Welsh|web chat|textphone"), KEEP),
        "Adviser": staff(r.pick("AJB|KLM|SWH|DPO|RTY|NNE")),
        "Date": quasi(r.dates(2023, 2023, "%B %d, %Y")),
        "Start": clock(times(r, 8, 20, "%I:%M %p")),
        "Handle time": quasi(durations(r, 17, 0.5, "{t}m {s}s"), KEEP, SENSITIVE),
        "Caller age": quasi(r.pick("under 25|25-39|40-59|60 plus|not asked", 0.1, 0.35, 0.35)),
        "Tenure": quasi(r.zipf("private rent|council|mortgage|with family|no fixed abode")),
        "Work": quasi(r.zipf("full time|part time|sick|carer|retired|zero hours")),
        "Debt": money(wrapped("£{}k", r.skewed(9, 0.8, 1))),
        "Surplus pcm": money([f"{'-' if int(w) < 300 else ''}£{w}" for w in r.ints(5, 900)]),
        "MH flag": sensitive(r.pick("no|yes|dk", 0.6, 0.3), QUASI),
        "Callback no.": secret(r.missing(r.phones("uk"), 0.2, "withheld")),
        "Wrap-up": secret(remarks(r, "en", SAID["helpline"], 0.15, 0.1)),
        "NPS": quasi(r.missing(r.ints(0, 10), 0.5), SENSITIVE, TARGET),
        "Outcome": target(r.zipf("DMP|token plan|signposted|IVA|bankruptcy"), SENSITIVE),
    }


@unseen_set("de Hundesteuer", "de", 340, Dialect(";", "cp1252", ","))
def dog_tax(r: Rows) -> Columns:
    return {
        "Kassenzeichen": person_or_id(wrapped("5.0110.{}.6", r.keys("", 6))),
        "Halter": secret(joined("{}, {}", families(r, "de"), given(r, "de"))),
        "Straße": secret(r.streets("de")),
        "Ortsteil": quasi(r.zipf("Kernstadt|Oberdorf|Niederau|Steinbach|Waldsiedlung|Gewerbepark")),
        "Rufname": quasi(
            r.zipf("Bello|Luna|Balu|Emma|Rocky|Nala|Sam|Lucky|Amy|Bruno|Paula|Kira|Charly"), IDENTIFIERS, KEEP
        ),
        "Rasse": quasi(
            r.zipf("Mischling|Labrador|Dackel|Schäferhund|Chihuahua|Rottweiler|Großer Münsterländer")
        ),
        "Wurf": quasi(r.dates(2009, 2023, "%m/%Y")),
        "Marke": secret(shuffled(r, r.serial("", 1_012, 4))),
        "Transponder": secret(r.keys("276", 12)),
        "Jahresbetrag": money(r.pick("108,00 €|216,00 €|54,00 €|600,00 €", 0.7, 0.15)),
        "Ermäßigung": quasi(
            r.missing(r.pick("Bürgergeld|Rettungshund|Blindenhund|Tierheim"), 0.85), SENSITIVE
        ),
        "angemeldet": quasi(r.dates(2010, 2023, "%d.%m.%Y", "%d.%m.%y")),
        "Mahnstufe": target(r.pick("0|1|2|3", 0.85, 0.09), SENSITIVE),
        "Aktenvermerk": secret(r.missing(remarks(r, "de", SAID["dogs"], 0.1, 0.2), 0.6)),
        "Sb.": staff(r.pick("Kz 21|Kz 22|Kz 27")),
    }


@unseen_set("de Fahrschule", "de", 290, Dialect(";", "utf-8", ","))
def driving_school(r: Rows) -> Columns:
    return {
        "Lfd": person_or_id(r.serial("", 0, 1)),
        "Schüler": secret(joined("{} {}", given(r, "de"), families(r, "de"))),
        "Handy": secret(r.phones("de")),
        "Alter": quasi(r.pick("17|18|19|16|20|21|24|33|45", 0.4, 0.25)),
        "Klasse": quasi(r.zipf("B|BF17|A1|AM|BE|A"), KEEP, TARGET),
        "Sehhilfe": quasi(r.pick("ja|nein", 0.3), SENSITIVE),
        "Fahrlehrer": staff(r.pick("Uwe|Conny|Hakan|Frau Rau")),
        "Anmeldung": quasi(r.dates(2022, 2023, "KW %V/%Y")),
        "Fahrstd.": quasi(r.counts(27), SENSITIVE, KEEP),
        "Fehlerpunkte": sensitive(r.missing(r.counts(5), 0.1, "offen"), QUASI),
        "Theorie": quasi(r.pick("1. Versuch|2. Versuch|3. Versuch", 0.7, 0.2), SENSITIVE),
        "offen": money(wrapped("EUR {}", r.skewed(420, 0.7, 2, ",", "."))),
        "Prüfzeit": clock(times(r, 8, 16, "%H:%M Uhr")),
        "Praxis": target(r.pick("bestanden|nicht bestanden|n. angetreten", 0.66, 0.3)),
    }


@unseen_set("fr cantine municipale", "fr", 480, Dialect(";", "cp1252", ","))
def school_canteen(r: Rows) -> Columns:
    people, owner = r.people(1.5)
    return {
        "Dossier famille": person(spread(people.keys("F2023/", 4), owner)),
        "Enfant": secret(joined("{} {}.", given(r, "fr"), initials(r, "{}", 1))),
        "Né en": quasi(r.ints(2012, 2020)),
        "Classe": quasi(r.pick("PS|MS|GS|CP|CE1|CE2|CM1|CM2")),
        "École": quasi(r.zipf("J. Prévert|Les Tilleuls|Sainte-Anne|Jean Macé")),
        "Quartier": quasi(spread(people.zipf("Centre|La Roseraie|Bellevue|Les Hauts|Gare"), owner)),
        "Jours": quasi(listed(r, ["L", "Ma", "J", "V"], "-", 4), KEEP),
        "Régime": sensitive(r.pick("standard|sans porc|végétarien|sans viande", 0.65, 0.2), QUASI),
        "Allergies": sensitive(r.missing(r.zipf("arachide|œuf|lait|gluten"), 0.9, "néant"), QUASI),
        "QF": money(spread(people.skewed(890, 0.5, 0, ",", " "), owner)),
        "Tranche": quasi(spread(people.pick("A|B|C|D|E"), owner), SENSITIVE),
        "Trim.": quasi(quarters(r, 2022, 2023, "{y}-T{q}")),
        "Repas": quasi(r.ints(4, 52), KEEP, SENSITIVE),
        "Dû": money(wrapped("{} €", r.skewed(96, 0.5, 2, ","))),
        "Relance": target(r.pick("non|1re|2e|huissier", 0.8, 0.12), SENSITIVE),
        "Divers": secret(r.missing(remarks(r, "fr", SAID["canteen"], 0.3), 0.6)),
    }


@unseen_set("es reparto domicilio", "es", 950, Dialect(";", "utf-8", ","))
def home_delivery(r: Rows) -> Columns:
    people, owner = r.people(5)
    goods = (
        "Leche entera 1L x6|Agua 8L|Pan de molde|Pañales T4|Cerveza lata x12|Arroz 1kg|Pienso gato|Vino tinto"
    )
    return {
        "Albarán": secret(wrapped("2023/{}", r.serial("", 1_745, 9, 5))),
        "Cód. cliente": person(spread([word.upper() for word in people.hashes(8)], owner)),
        "Nombre corto": secret(spread(given(people, "es"), owner)),
        "Ruta": quasi(wrapped("R-{}", r.pick(GAPPED)), KEEP),
        "Furgoneta": quasi(r.pick("4471 LKM|0923 MBD|8810 JGT"), KEEP, IDENTIFIERS),
        "Barrio": quasi(spread(people.zipf("Ruzafa|Benimaclet|El Carmen|Patraix|Campanar"), owner)),
        "Franja": quasi(r.pick("10:00-12:00|12:00-14:00|18:00-20:00|20:00-22:00"), KEEP),
        "Salida": timed(r.dates(2023, 2023, "%d/%m/%y %H:%M")),
        "Artículo principal": quasi(r.zipf(goods), KEEP, SENSITIVE),
        "EAN": quasi(r.zipf(barcodes(Rows(r.rng, 12), "84100")), KEEP, IDENTIFIERS, SENSITIVE),
        "Bultos": quasi(r.counts(3), KEEP),
        "Importe": money(wrapped("{} €", r.skewed(54, 0.6, 2, ","))),
        "Propina": quasi(r.pick("0,00|0,50|1,00|2,00", 0.8), KEEP, SENSITIVE),
        "Estrellas": quasi(r.missing(r.pick("5|4,5|4|3|1", 0.5), 0.5), SENSITIVE, TARGET, KEEP),
        "Aviso repartidor": secret(r.missing(remarks(r, "es", SAID["delivery"], 0.2, 0.2), 0.4)),
        "Incidencia": target(r.pick("ninguna|ausente|rotura|faltan artículos", 0.88)),
    }


@unseen_set("it asilo nido graduatoria", "it", 310, Dialect(";", "cp1252", ","))
def nursery_ranking(r: Rows) -> Columns:
    return {
        "Protocollo": secret(wrapped("{}/2023", r.serial("", 11_300, 9, 7))),
        "Minore": secret(initials(r, "{}.{}.", 2)),
        "Nato/a il": quasi(spelled_dates(r, 2020, 2023, "{d} {m} {y}", "it")),
        "Circoscrizione": quasi(r.pick("I|II|III|IV|V|VI", 0.3, 0.2)),
        "Genitori occupati": quasi(r.zipf("entrambi|uno|nessuno|monogenitore")),
        "Fratelli": quasi(r.counts(0.7)),
        "L.104": sensitive(r.pick("NO|SI", 0.95), QUASI),
        "ISEE": money(r.missing(wrapped("€ {}", r.skewed(14_200, 0.6, 2, ",", ".")), 0.1, "non presentato")),
        "Punti": sensitive(r.normal(38, 12, 1, ","), QUASI),
        "1ª scelta": quasi(r.zipf("Il Girasole|Arcobaleno|Peter Pan|La Coccinella"), KEEP),
        "Orario": quasi(r.pick("8.00-13.30|8.00-16.00|7.30-17.30"), KEEP),
        "Mail genitore": secret(mails(r, "it", "posta.example")),
        "Stato": target(r.pick("AMMESSO|IN ATTESA|ESCLUSO", 0.5, 0.4)),
        "Annotaz.": secret(r.missing(remarks(r, "it", SAID["nursery"], 0.2), 0.7)),
    }


@unseen_set("nl parkeervergunning", "nl", 410, Dialect(";", "utf-8", ","))
def parking_permits(r: Rows) -> Columns:
    return {
        "Zaaknummer": secret(wrapped("Z-22-{}", r.serial("", 40_100, 11))),
        "Kenteken": secret(signs(r, "AA-999-A")),
        "Meldcode": secret(signs(r, "9999")),
        "Houder": secret(joined("{} {}", r.pick("dhr.|mw.|fam."), families(r, "nl"))),
        "Wijk": quasi(r.zipf("Binnenstad|Noordereiland|Oude Westen|Kralingen|Feijenoord")),
        "Zone": quasi(r.pick("A1|A2|B|C3"), KEEP),
        "Merk/type": quasi(
            r.zipf("VW Golf|Toyota Yaris|Opel Corsa|Tesla Model 3|Fiat 500|Volvo V60|Lada Niva")
        ),
        "Brandstof": quasi(r.pick("benzine|elektrisch|diesel|hybride", 0.55, 0.2)),
        "Ingang": quasi(spelled_dates(r, 2018, 2023, "{d} {m} {y}", "nl")),
        "Kwartaal": quasi(quarters(r, 2022, 2023, "{y}Q{q}"), KEEP),
        "Bedrag": money(wrapped("€ {}", r.pick("27,50|42,50|110,00|0,00"))),
        "Invalide": sensitive(r.pick("N|J", 0.95), QUASI),
        "Betaald via": quasi(r.zipf("iDEAL|incasso|balie"), KEEP),
        "Toelichting": secret(r.missing(remarks(r, "nl", SAID["parking"], 0.1, 0.1), 0.6)),
        "Naheffing": target(r.pick("geen|1|2 of meer", 0.8, 0.15)),
    }


@unseen_set("pt cartao supermercado", "pt", 1_300, Dialect(";", "utf-8-sig", ","))
def loyalty_card(r: Rows) -> Columns:
    people, owner = r.people(11)
    goods = "Iogurte|Bacalhau demolhado|Fraldas T3|Vinho verde|Teste de gravidez|Pão de forma|Arroz agulha"
    return {
        "Cartão": person(spread(barcodes(people, "2960"), owner)),
        "Talão": secret(r.serial("T", 88_000, 7)),
        "Loja": quasi(r.zipf("Maia Shopping|Braga Centro|Ovar|Espinho"), KEEP),
        "Semana": quasi(r.dates(2022, 2023, "%GS%V")),
        "Hora": clock(times(r, 9, 22, "%H:%M")),
        "Caixa": quasi(r.ints(1, 12), KEEP),
        "Artigo": quasi(r.zipf(goods), KEEP, SENSITIVE),
        "Qtd.": quasi(r.pick("1|2|3|6", 0.7), KEEP),
        "PVP": quasi(r.skewed(2.6, 0.7, 2, ","), KEEP, SENSITIVE),
        "Desc.": quasi(r.pick("0%|10%|15%|25%|50%", 0.6), KEEP),
        "Agregado": quasi(spread(people.pick("1|2|3|4|5+"), owner)),
        "Faixa etária": quasi(spread(people.pick("18-24|25-34|35-49|50-64|65+"), owner)),
        "CP4": quasi(spread(people.zipf("4470|4475|4700|4500|3880"), owner)),
    }


@unseen_set("cs pojistne udalosti", "other", 430, Dialect(";", "utf-8", ","))
def czech_insurer(r: Rows) -> Columns:
    return {
        "č. PU": secret(r.serial("", 731_000, 13)),
        "Rodné číslo": person_or_id(joined("{}/{}", r.dates(1950, 2003, "%y%m%d"), signs(r, "9999"))),
        "Pojištěný": secret(joined("{} {}", families(r, "cs"), given(r, "cs"))),
        "Obec": quasi(r.zipf("Brno|Kuřim|Tišnov|Blansko|Boskovice|Adamov|Šlapanice")),
        "PSČ": quasi(r.zipf("602 00|621 00|664 34|678 01|666 01")),
        "SPZ": secret(signs(r, "9AB 9999")),
        "VIN": secret(signs(r, "TMBAA99N9A9999999")),
        "Druh": quasi(r.zipf("havarijní|povinné ručení|domácnost|stavba"), KEEP),
        "Vznik": quasi(r.dates(2022, 2023, "%d. %m. %Y")),
        "Hlášeno": timed(r.dates(2022, 2023, "%d.%m.%Y %H:%M")),
        "Škoda": money(wrapped("{} Kč", r.skewed(18_500, 0.9, 0, ",", " "))),
        "Spoluúčast": quasi(r.pick("5 %|10 %|0 %", 0.6), KEEP),
        "Bezeškodní průběh": quasi(wrapped("{} měs.", r.ints(0, 120)), SENSITIVE, KEEP),
        "Popis": secret(remarks(r, "cs", SAID["insurer"], 0.15, 0.1)),
        "Likvidátor": staff(r.pick("Ing. Beneš|Králová|Bc. Říha")),
        "Stav": target(r.pick("vyplaceno|zamítnuto|v řešení", 0.7, 0.2)),
    }


@unseen_set("xx cohort w2", "none", 750, Dialect("\t"))
def cohort_wave(r: Rows) -> Columns:
    people, owner = r.people(2)
    return {
        "w2_000": person_or_id(spread(people.hashes(16), owner)),
        "w2_001": secret(spread([name.upper() for name in families(people, "en")], owner)),
        "w2_002": quasi(spread([word.upper() for word in people.dates(1948, 1990, "%d%b%Y")], owner)),
        "w2_003": unknown(spread(people.pick("1|2"), owner)),
        "w2_010": quasi(spread(people.zipf("8004|8032|3011|4051|1201|6900"), owner), SENSITIVE, TARGET),
        "w2_011": timed(r.dates(2019, 2021, "%d%b%Y:%H:%M:%S")),
        "w2_020": measured(r.normal(27.3, 4.4, 2)),
        "w2_021": measured(capped(r.censored(r.skewed(3.1, 0.9, 2), 0.8, "<0.80"), 20, ">20.00")),
        "w2_030a": unknown(r.pick("1|2|3|4|5|-9", 0.1, 0.2, 0.3, 0.2, 0.15)),
        "w2_030b": unknown(r.pick("1|2|3|4|5|-9", 0.3, 0.2, 0.2, 0.1, 0.1)),
        "w2_031": unknown(r.pick("never|rarely|some days|most days|(refused)", 0.3)),
        "w2_040": secret(r.missing(remarks(r, "en", SAID["cohort"], 0.15), 0.5)),
        "w2_041": staff(r.pick("int07|int11|int23|int31")),
        "w2_050": empty(r.same("")),
        "w2_099": unknown(r.pick("0|1", 0.9)),
    }


@unseen_set("xx Unnamed", "none", 330)
def spreadsheet_without_headers(r: Rows) -> Columns:
    return {
        "Unnamed: 0": secret(r.serial("", -1, 1)),
        "Unnamed: 1": secret(nicknames(r)),
        "Unnamed: 2": unknown(r.pick("kg|lb", 0.8)),
        "Unnamed: 3": measured(r.normal(71, 14, 1)),
        "Unnamed: 4": quasi(r.ages(16, 70), SENSITIVE),
        "Unnamed: 5": quasi(signs(r, "A9A 9A9"), IDENTIFIERS),
        "Unnamed: 6": quasi(r.dates(2021, 2023, "%b %d %Y")),
        "Unnamed: 7": clock(times(r, 6, 22, "%H:%M")),
        "Unnamed: 8": quasi(wrapped("${}", r.skewed(39, 0.4, 2)), SENSITIVE),
        "Unnamed: 9": secret(r.phones("us")),
        "Unnamed: 10": unknown(r.pick("gold|silver|bronze|staff", 0.2, 0.3)),
        "Unnamed: 11": quasi(durations(r, 65, 0.4, "{h}h {m}min"), SENSITIVE, KEEP),
        "Unnamed: 12": secret(r.missing(remarks(r, "en", SAID["food bank"]), 0.5)),
        "Unnamed: 13": unknown(r.pick("active|lapsed|frozen", 0.6, 0.3)),
    }
