# ruff: noqa: E501 - lists of words
"""Words of several languages: names of people, streets, towns, and what is written in notes. All made up."""

from __future__ import annotations

from itertools import product

FIRST = {
    language: words.split()
    for language, words in {
        "en": "James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara Richard Susan"
        " Joseph Jessica Thomas Karen Daniel Sarah Mark Lisa Paul Nancy Steven Ashley Andrew Emily Kevin Donna",
        "de": "Anna Peter Ursula Hans Sabine Klaus Monika Jürgen Petra Wolfgang Karin Günter Jörg Käthe Uwe Heike"
        " Stefan Andrea Lukas Lena Felix Marie Jonas Leonie Björn Anneliese Horst Gisela Matthias Ilse",
        "fr": "Jean Marie Pierre Monique Michel Françoise André Isabelle Philippe Catherine René Sylvie Hélène"
        " Julien Camille Léa Hugo Chloé Manon Lucas Émile Zoé Gérard Odile Thierry Brigitte Noël Agnès",
        "es": "José María Antonio Carmen Juan Ana Manuel Isabel Francisco Laura Luis Cristina Javier Marta Jesús"
        " Lucía Ángel Pilar Sergio Elena Raúl Rosa Íñigo Inés Óscar Nuria Andrés Begoña Iván Mónica",
        "it": "Giuseppe Maria Giovanni Anna Antonio Giulia Mario Rosa Luigi Chiara Francesco Sara Angelo Paola"
        " Niccolò Elisa Marco Francesca Andrea Lucia Paolo Silvia Stefano Elena Davide Ilaria Matteo Marta",
        "nl": "Jan Johanna Pieter Maria Kees Anna Willem Cornelia Hendrik Elisabeth Daan Sanne Sem Emma Lucas Julia"
        " Bram Lotte Thijs Femke Joris Marijke Sjoerd Ingrid Ruud Saskia Gerrit Wilma Bas Anouk",
        "pt": "João Maria António Ana José Joana Manuel Inês Francisco Beatriz Luís Margarida Pedro Catarina Tiago"
        " Sofia Rui Teresa Nuno Marta Gonçalo Conceição Vítor Graça Álvaro Lurdes Sérgio Cláudia",
        "pl": "Jan Anna Andrzej Maria Piotr Katarzyna Krzysztof Małgorzata Stanisław Agnieszka Tomasz Barbara Paweł"
        " Ewa Józef Krystyna Marcin Elżbieta Marek Zofia Michał Łucja Grzegorz Teresa Jerzy Joanna",
        "se": "Lars Anna Mikael Eva Anders Maria Johan Karin Per Kristina Åke Birgitta Björn Åsa Göran Ulla Erik"
        " Ingrid Nils Malin Gustav Lena Oskar Elin Håkan Märta Sven Linnéa",
        "tr": "Mehmet Fatma Mustafa Ayşe Ahmet Emine Ali Hatice Hüseyin Zeynep Hasan Elif İbrahim Meryem İsmail"
        " Şerife Osman Sultan Yusuf Hanife Murat Merve Ömer Özlem Gökhan Çiğdem",
        "jp": "翔太 陽菜 健一 美咲 大輔 由美子 誠 恵子 拓也 さくら 直樹 真由美 浩二 智子 隆 久美子 亮 愛 修 裕子",
    }.items()
}

_LAST_PARTS = {
    "en": ("Smith Brown Ash Wood Harri Thomp Robin Peter Wat Wil Jack Hill Green Mar Clark Bran",
           "son ton ley field well man er ford "),
    "de": ("Müll Schmid Schneid Berg Stein Wald Hof Krü Bau Linden Becker Kön Schäf Brück Acker Holz",
           "er mann t bauer feld ger meier hoff inger"),
    "fr": ("Dupo Martin Bern Lefè Mor Giro Rouss Vinc Fourni Gir Lambe Bonn Fontai Chevali Rich Leg",
           "nt eau ard vre el d er et in rd"),
    "es": ("Garc Fernánd Gonzál Rodrígu Lóp Martín Sánch Pér Góm Jimén Ru Hernánd Díaz Muñ Álvar Rom",
           "ez ía o oz as a es ero"),
    "it": ("Ross Ferrar Bianch Roman Colomb Ricc Marin Grec Brun Gall Cont De Luc Manc Cost Giord Rizz",
           "i o a etti ini one elli ese"),
    "nl": ("Jan de~Vr Bakk Viss Smit Meij Mul Bos van~der~Berg van~Dijk de~Gro Hend Dekk Brouw Peet van~Leeuw",
           "sen ies er s it en ink ma"),
    "pt": ("Sil Sant Ferrei Perei Olivei Cost Rodrigu Martin Sous Fernand Gonçalv Gom Lop Marqu Alv Almei",
           "va os ra es a da eira inho"),
    "pl": ("Kowal Nowa Wiśniew Wójci Kamiń Lewandow Zieliń Szymań Woźnia Dąbrow Kozłow Jankow Mazur Krawcz",
           "ski k cki czyk owicz iak"),
    "se": ("Anders Johans Karls Nils Eriks Lars Ols Lind Berg Ek Sjö Sund Hol Ny Björk Ström",
           "son berg ström lund qvist gren dahl mark"),
    "tr": ("Yıl Kay Demi Şahi Çel Yıldı Öztü Aydı Özde Arsla Doğa Kılı Asl Çeti Kar Koç",
           "maz a r n ik z rk ç oğlu an"),
    "jp": ("佐 鈴 高 田 渡 伊 山 中 小 加 吉 松 井 木 林 清", "藤 木 橋 中 辺 東 本 村 林 田 口 野 川 崎"),
}  # fmt: skip
LAST = {
    language: [(first + last).replace("~", " ") for first, last in product(a.split(), (*b.split(),))]
    for language, (a, b) in _LAST_PARTS.items()
}

NAME_STYLES = {
    "last, first": "{1}, {0}",
    "first last": "{0} {1}",
    "LAST FIRST": "{1} {0}",
    "LAST I.": "{1} {2}.",
    "titled": "Dr. {1}",
    "last": "{1}",
    "first": "{0}",
    "double": "{1} {3}, {0}",
    "joined": "{1}{0}",
}

STREETS = {
    "en": "{n} {w} Street|{n} {w} Avenue|{n} {w} Rd Apt {m}|{n} {w} Lane",
    "de": "{w}str. {n}|{w}weg {n}|Am {w} {n}|{w}straße {n}a",
    "fr": "{n} rue de {w}|{n} bis, avenue {w}|{n}, place {w}",
    "es": "C/ {w}, {n}, {m}º B|Avda. {w} {n}|Plaza {w}, {n}",
    "it": "Via {w}, {n}|Corso {w} {n}|Piazza {w} {n}/{m}",
    "nl": "{w}straat {n}|{w}laan {n}-{m}|{w}weg {n} hs",
    "pt": "Rua {w}, {n}, {m}º Esq.|Av. {w} {n}|Travessa {w} n.º {n}",
}

TOWNS = {
    "en": "Springfield|Riverton|Ashford|Lakeview|Brookdale|Milton|Fairview|Georgetown|Salem|Dover|Clinton|Franklin",
    "de": "Köln|München|Nürnberg|Bremen|Leipzig|Dresden|Münster|Würzburg|Görlitz|Lübeck|Halle (Saale)|Kiel",
    "fr": "Lyon|Saint-Étienne|Orléans|Besançon|Nîmes|Brest|Angers|Le Mans|Évreux|Béziers|Metz|Tours",
    "es": "Málaga|Cádiz|León|Córdoba|Ávila|Gijón|Vigo|Burgos|Murcia|Cáceres|Jaén|Lugo",
    "it": "Forlì|Bologna|Padova|Bari|Lecce|Cefalù|Trento|Siena|Pisa|Catania|Parma|L'Aquila",
    "nl": "Utrecht|'s-Hertogenbosch|Zwolle|Leiden|Breda|Delft|Assen|Gouda|Haarlem|Arnhem|Venlo|Hoorn",
    "pt": "Coimbra|Évora|Setúbal|Bragança|Faro|Guimarães|Leiria|Viseu|Aveiro|Beja|Sintra|Portimão",
}

SENTENCES = {
    "en": "Patient reports|Called about|Customer complains of|Follow up because of|Asked again about|Was told of"
    "##pain in the left knee|an invoice from {n} May|trouble sleeping since week {n}|the delivery to her brother"
    "|dizziness after {n} mg|a broken screen|the neighbour's dog|two missed appointments|a fall at work on day {n}"
    "##; will come back|. Husband called too|. Please check with Dr. {last}|; no change since {n} weeks"
    "|. Offered a refund of {n} dollars|, see letter of {last}|. Lives alone with {n} cats|",
    "de": "Pat. klagt über|Rückruf wegen|Kundin fragt nach|Kontrolle bei|Wiedervorstellung wegen|Auf Wunsch von"
    "##Schmerzen im linken Knie|der Rechnung vom {n}.05.|Schlafstörungen seit Woche {n}|Schwindel nach {n} mg"
    "|einem Sturz zu Hause|der Mahnung Nr. {n}|Husten und Fieber {n} °C|einer defekten Heizung|Verdacht auf Infekt"
    "##; kommt in {n} Tagen wieder|. Ehemann informiert|. Bitte Rücksprache mit Dr. {last}|, sonst unauffällig"
    "|. Lebt allein, Tochter {last} hilft|; keine Besserung seit {n} Wochen|. Entlassung geplant|",
    "fr": "Le patient se plaint de|Rappel au sujet de|La cliente demande|Suite à|Consultation pour|Signale"
    "##douleurs au genou gauche|la facture du {n} mai|troubles du sommeil depuis {n} semaines|une chute à domicile"
    "|vertiges après {n} mg|un écran cassé|le retard de livraison|deux rendez-vous manqués|une fuite d'eau"
    "##; à revoir dans {n} jours|. Mari prévenu|. Voir avec le Dr {last}|, sans changement|. Vit seule avec son fils"
    "|. Remboursement de {n} euros proposé|",
    "es": "Paciente refiere|Llama por|La clienta pregunta por|Acude por|Revisión tras|Solicita"
    "##dolor en la rodilla izquierda|la factura del {n} de mayo|insomnio desde hace {n} semanas|mareos con {n} mg"
    "|una caída en casa|pantalla rota|retraso del pedido {n}|dos citas perdidas|fiebre de {n} días"
    "##; volverá en {n} días|. Avisado el marido|. Consultar con Dr. {last}|, sin cambios|. Vive sola con su hija|",
    "it": "Il paziente riferisce|Richiama per|La cliente chiede|Controllo per|Segnala|Reclamo per"
    "##dolore al ginocchio sinistro|la fattura del {n} maggio|insonnia da {n} settimane|vertigini dopo {n} mg"
    "|una caduta in casa|lo schermo rotto|il ritardo della consegna|due visite mancate|un guasto alla linea"
    "##; torna tra {n} giorni|. Avvisato il marito|. Sentire il dott. {last}|, invariato|. Vive con la figlia|",
    "nl": "Patiënt klaagt over|Belt over|Klant vraagt naar|Controle wegens|Meldt|Afspraak voor"
    "##pijn in de linkerknie|de factuur van {n} mei|slecht slapen sinds {n} weken|duizelig na {n} mg|een val thuis"
    "|een kapot scherm|de te late levering|twee gemiste afspraken|lekkage in de badkamer"
    "##; komt over {n} dagen terug|. Echtgenoot gebeld|. Overleg met dr. {last}|, geen verandering|. Woont alleen|",
    "pt": "Doente refere|Ligou por causa de|A cliente pergunta por|Consulta por|Revisão de|Queixa-se de"
    "##dor no joelho esquerdo|a fatura de {n} de maio|insónias há {n} semanas|tonturas com {n} mg|uma queda em casa"
    "|ecrã partido|atraso na entrega {n}|duas consultas perdidas|infiltração na parede"
    "##; volta em {n} dias|. Marido avisado|. Falar com Dr. {last}|, sem alterações|. Vive sozinha|",
    "pl": "Pacjent zgłasza|Dzwoni w sprawie|Kontrola po|Prośba o|Skarży się na"
    "##ból lewego kolana|fakturę z {n} maja|bezsenność od {n} tygodni|zawroty głowy po {n} mg|upadek w domu"
    "##; wróci za {n} dni|. Mąż poinformowany|, bez zmian|. Mieszka sama|",
    "se": "Patienten uppger|Ringde om|Kontroll efter|Frågar om##smärta i vänster knä|fakturan från {n} maj"
    "|dålig sömn sedan {n} veckor|yrsel efter {n} mg|ett fall hemma##; kommer åter om {n} dagar|. Maken informerad"
    "|, oförändrat|",
    "tr": "Hasta şikayeti|Aradı, konu|Kontrol nedeni|Soruyor##sol dizde ağrı|{n} Mayıs faturası|{n} haftadır uykusuzluk"
    "|{n} mg sonrası baş dönmesi|evde düşme##; {n} gün sonra gelecek|. Eşi bilgilendirildi|, değişiklik yok|",
    "jp": "患者は|電話で|再診、|本人より##左膝の痛みを訴える|{n}週間前から不眠|{n}mg服用後のめまい|自宅で転倒"
    "##。{n}日後に再診|。夫に連絡済み|、変化なし|",
    "ru": "Пациент жалуется на|Звонок по поводу|Повторный приём,##боль в левом колене|бессонницу {n} недель"
    "|головокружение после {n} мг|падение дома##; придёт через {n} дней|. Муж предупреждён|, без изменений|",
}

SHORT_NOTES = {
    "en": "late|angry|moved|paid|refused|missing|wrong|new|old|broken|left|right|call|key|letter|mother|keys|dog"
    "|brother|leg|mild|severe|again|never|twice|window|boss|ex-wife|lawyer|invoice|parcel|garden|taxi|insulin",
    "de": "spät|verzogen|bezahlt|wütend|neu|alt|defekt|links|rechts|Anruf|Brief|Mutter|Hund|Bruder|leicht|schwer"
    "|erneut|nie|zweimal|Fenster|Chef|Anwalt|Rechnung|Paket|Garten|Taxi|Insulin|Treppe|Ex-Frau|Schlüssel",
    "fr": "retard|déménagé|payé|fâché|neuf|vieux|cassé|gauche|droite|appel|lettre|mère|chien|frère|léger|grave"
    "|encore|jamais|deux fois|fenêtre|chef|avocat|facture|colis|jardin|taxi|insuline|escalier|clés",
}

LIKERT = {
    "en": "Strongly disagree|Disagree|Neutral|Agree|Strongly agree",
    "de": "stimme gar nicht zu|stimme eher nicht zu|teils/teils|stimme eher zu|stimme voll zu",
    "fr": "Pas du tout d'accord|Plutôt pas d'accord|Neutre|Plutôt d'accord|Tout à fait d'accord",
    "it": "Per niente|Poco|Abbastanza|Molto|Moltissimo",
}
