# ruff: noqa: E501 - lists of words
"""Words of the unseen sets: names as they are common, months, and what is written in the last column of a form."""

from __future__ import annotations

FAMILIES = {
    "en": "Smith Jones Taylor Brown Patel Evans Khan Lee Hughes Cox Ward Fox Ali Nguyen Murphy O'Brien Shah Kelly Cole"
    " Hunt Pope Dunn Nash Frost Begum Chan Singh Quinn Bell Doyle Rowe Lamb Barr Yates Okoro Mensah Adeyemi Vance Pike"
    " Hale Stone Burke Finch Gill Kaur Reilly McKay MacLeod St.John Wu Ross Poole Booth Leach Osei Nkemelu Sykes Tran",
    "de": "Müller Schmidt Meyer Koch Wolf Kurz Lang Roth Frank Beck Haas Vogt Sauer Böhm Öztürk Yilmaz Nowak Kaya Jung"
    " Arndt Ernst Busch Pohl Horn Engel Kuhn Thiel Seidel Lutz Ott Heß Voß Groß Petersen Jansen Kowalski Demir Witt"
    " Fuhr Zöllner Prinz Nagel Specht Tietz Abel Rau Wirth Gabler Ziegler Hübner Löwe Kraus Riedel Schramm Ebert Noack",
    "fr": "Martin Petit Durand Leroy Moreau Simon Michel Roux David Morel Blanc Faure Gauthier Perrin Benali Haddad Roy"
    " Colin Diallo Traoré Nguyen Da~Silva Legrand Le~Gall Le~Goff Rey Bouvier Adam Prévost Lebrun Mallet Hamon Cordier"
    " Delaunay Besnard Joly Tessier Carré Guérin Bailly Picard Ferrand Barbier Brun Meunier Klein Weber Sow Camara",
    "es": "García Ruiz López Gil Vega Mora Cano Rey Soto Peña Calvo Rubio Vidal Bravo Crespo Marín Ortega Serra Pons"
    " Roca Ferrer Blasco Prieto Nieto Cruz Duarte Ibáñez Etxeberria Aguirre Otero Lago Seoane Quispe Mamani Zapata",
    "it": "Rossi Russo Ferrari Bianchi Gallo Riva Villa Sala Serra Fabbri Neri Testa Villani Ferri Cattaneo Longo Leone"
    " Marini Monti Grassi Bassi Carbone Caputo Orlando Piras Hu Chen Popescu Hoxha El~Amrani Bruno Farina Pace Lai Melis",
    "nl": "Bos Vos Kok Mol Prins Blom Dam Post Smit Schouten Kuipers Hoekstra Dijkstra Postma El~Idrissi Yilmaz Jansen"
    " Huisman Peters Willems Maas Evers Wolters Scholten Timmer Mulder Groen Hofman Molenaar Veenstra Kaya Ramdin Pinas",
    "pt": "Silva Santos Ferreira Costa Sousa Rocha Melo Cruz Pinto Reis Neves Matos Faria Leite Brito Moura Maia Lemos"
    " Branco Amaral Barros Tavares Antunes Vaz Sá Paz Teles Coelho Pires Abreu Freitas Macedo Nogueira Queirós Semedo",
    "da": "Nielsen Jensen Hansen Pedersen Holm Lund Krogh Bach Friis Juhl Skov Dam Bruun Kjær Toft Munk Bech Vestergaard"
    " Østergaard Søndergaard Mikkelsen Ahmed Nguyen Riis Winther Dahl Lauridsen Thygesen Møller Bay Frandsen Hedegaard",
    "cs": "Novák Svoboda Dvořák Černý Procházka Kučera Veselý Horák Němec Pokorný Marek Hájek Jelínek Král Růžička Beneš"
    " Fiala Sedlák Doležal Zeman Kolář Navrátil Čermák Vaněk Urban Blažek Kříž Kopecký Konečný Malý Říha Holub Štěpán",
}
GIVEN = {
    "en": "Tom Mia Abdul Grace Leo Aisha Ruby Jack Zara Dylan Ella Mo Freya Chidi Noah Maya Owen Tia Kofi Ivy Rosie Sid",
    "de": "Mia Ben Emine Emil Frieda Karl Hilde Ali Lina Paul Greta Erna Finn Ida Otto Ayse Nele Kurt Olga Till Lotte",
    "fr": "Léo Jade Louis Inès Adam Lina Raphaël Mamadou Alice Gabriel Nour Rose Paul Yanis Anaïs Maël Louane Théo Ilyès",
    "es": "Hugo Vega Leo Alba Iker Aitana Pau Noa Nerea Unai Candela Xavi Rocío Dolores Paco Eloy Yolanda Wilmer Luz",
    "it": "Leo Aurora Tommaso Ginevra Edoardo Viola Youssef Greta Pietro Bianca Noemi Diego Mei Gaia Riccardo Alessia",
    "nl": "Noah Tess Finn Fatima Luuk Yara Jip Noor Mees Evi Joep Fleur Stijn Roos Siem Demi Teun Lieke Anne Mohammed",
    "pt": "Rita Tomás Leonor Duarte Mafalda Afonso Carolina Lucas Benedita Xavier Íris Simão Fátima Zé Lurdes Ivo Nádia",
    "da": "Ida Oscar Freja Villads Alma Søren Bodil Jens Mette Karla Aage Signe Malthe Ahmad Lærke Rasmus Inge Kaj",
    "cs": "Jakub Eliška Vojtěch Anežka Ondřej Tereza Šimon Božena Jiří Ludmila Matěj Adéla Václav Zdeňka Lukáš Hana",
}
MONTHS = {
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
    "nl": "jan feb mrt apr mei jun jul aug sep okt nov dec",
    "es": "ENE FEB MAR ABR MAY JUN JUL AGO SEP OCT NOV DIC",
}

SAID = {
    "ambulance": "o.B.|Nachbar {last} hat geöffnet|Voranmeldung {n} Uhr|2. Einsatz diese Woche|alkoholisiert"
    "|Tür durch Fw geöffnet|Hausarzt Dr. {last} vor Ort|RTW {n} nachalarmiert",
    "practice billing": "resubmit|called payer, ref {n}{m}|pt says see {mail}|EOB missing|sent to {last}|COB needed",
    "maternity": "RAS|RAS, mère fatiguée|conjoint M. {last} présent|mise au sein difficile à {n}h|sœur joignable : {mail}"
    "|ictère, contrôle J{n}|demande chambre seule|PMI prévenue (Mme {last})|perte de {n} g",
    "occupational health": "lombalgies|conflit avec {last}|suivi psy depuis {n} mois|allergie latex|dort {n} h|à revoir"
    "|écrire à {mail}|a chuté de {n} marches",
    "haematology": "sin hallazgos|blastos {n}%|avisado Dr. {last}|repetir|esquistocitos {n}/campo|ver previa de {last}",
    "paediatric duty": "idratare|controllo a {n} ore|sentire dr.ssa {last}|antipiretico ogni {n} ore|va in PS con la nonna {last}"
    "|mandare ricetta a {mail}|rassicurata la madre",
    "general practice": "hoest sinds {n} dg|wil briefje voor werk|buurman {last} belde|slaapt slecht, {n} uur|moe|val van trap"
    "|herhaalrecept, mail {mail}|bang voor {last}|pijn re heup {n} wk|controle bloeddruk",
    "physiotherapy": "falta muito|traz o neto|prótese {n} anos|mandar recibo para {mail}|amiga da D. {last}|faltou {n}x"
    "|só manhãs|tem pacemaker",
    "blood donors": "svær vene|venstre arm|rejst i {n} uger|bor hos {last}|ny tatovering|ring ikke, skriv {mail}",
    "care home": "Rollator|Hörgerät|keine|Brille|schläft lange|Tochter {last} anrufen|Rollator, Hörgerät|Rauchen nur Balkon"
    "|Zi. {n} mit Schwester|Pat.verfügung liegt vor|Blutzucker tgl.|unruhig ab {n} Uhr|Enkel {last} hat Vollmacht",
    "asthma diary": "ok|bad night|ran {n} min, fine|forgot the blue one|cat at {last}'s again|mail me {mail}|school trip"
    "|woke up {n} times|pollen!!|nurse {last} changed my plan|good day",
    "food bank": "nappies size {n}|no tins opener|polite|sister of {last}|ok|ok|came late|dog food too|asked for {last}"
    "|halal only|new baby in wk {n}|evicted, stays w/ {last}|text only",
    "helpline": "cb {n} min|line dropped|partner {last} also on call|wants letter|email budget to {mail}|crying, gave"
    " number of {last}|bailiff due on day {n}|happy w/ plan|vulnerable|{n} creditors, worst is {last}",
    "dogs": "Hund verstorben|zugezogen|Nachbar {last} beschwert sich|Ratenzahlung {n}x|SEPA|Post zurück|verkauft an {last}",
    "canteen": "PAI|chèque n° {n}{m}|père : {mail}|mange chez Mme {last} le mardi|garde alternée sem. {n}|doublon ?",
    "delivery": "no abre|dejar con portero|3ºB no funciona timbre|vecina {last} recoge|llamar {n} min antes|perro suelto"
    "|factura a {mail}|portal {n}, detrás del bar|cambio de {n} €",
    "nursery": "gemelli|allergia uovo|affido|separati, vedi nota {last}|rettifica ISEE prot. {n}{m}|scrive {mail}",
    "parking": "kopie kenteken ontbreekt|verhuisd|mantelzorg voor mw. {last}|bezwaar {n}|leaseauto|mail {mail}",
    "insurer": "srážka se zvěří|vandalismus|vytopení od souseda {last}|viník {last} nesouhlasí|čelní sklo|krádež kola"
    "|fotky na {mail}|škoda na plotě č. {n}|kroupy {n} mm",
    "cohort": "moved to {last} st|refused|refused|son interpreted|mail {mail}|{n} cigs not {m}|tired|see prev wave",
}
