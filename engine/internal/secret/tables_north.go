package secret

var danish = language{
	tag: "da",
	anywhere: `adgangskode|adgangskoden|adgangskoder|kodeord|kodeordet|engangskode|engangskoden|pinkode|pinkoden|
kortnummer|kortnummeret|API nøgle|API nøglen|privat nøgle|hemmelig nøgle|gendannelsessætning|gendannelsesfrase|
bekræftelseskode|sikkerhedskode|CPR nummer|loginoplysninger|kode fra sms`,
	harmless:  `glemt adgangskode|skift adgangskode|adgangskoden er`,
	after:     `politik|længde|udløber`,
	asks:      `indtast|skriv|angiv|oplys|bekræft|indsæt|gentag`,
	about:     `længde|hvor|hvordan|glemt|mange|dage`,
	articles:  `din|dit|ny|nyt`,
	negations: `aldrig|ikke|ingen|uden`,
	between:   `din|dit|indtast|del|oplys|skriv|her`,
}

var norwegian = language{
	tag: "nb",
	anywhere: `passord|passordet|engangspassord|PIN kode|PIN koden|kortnummeret ditt|API nøkkel|API nøkkelen|
privat nøkkel|hemmelig nøkkel|gjenopprettingsfrase|gjenopprettingsfrasen|bekreftelseskode|sikkerhetskode|
fødselsnummer|innloggingsopplysninger|kode på sms`,
	harmless:  `glemt passord|passordet er`,
	asks:      `oppgi|tast|bekreft|fyll`,
	about:     `lengde|hvordan|glemt|dager`,
	articles:  `ditt|nytt`,
	negations: `aldri|uten`,
	between:   `ditt|oppgi|tast`,
}

var swedish = language{
	tag: "sv",
	anywhere: `lösenord|lösenordet|engångskod|engångskoden|engångslösenord|PIN kod|PIN koden|kortnummer|
kortnumret|API nyckel|API nyckeln|privat nyckel|hemlig nyckel|återställningsfras|återställningsfrasen|
verifieringskod|säkerhetskod|personnummer|inloggningsuppgifter|kod via sms`,
	harmless:  `glömt lösenord|byta lösenord|lösenordet har`,
	asks:      `ange|fyll|bekräfta|klistra|skicka|mata`,
	about:     `längd|hur|glömt|många|dagar`,
	articles:  `ditt|nytt`,
	negations: `aldrig|inte|inget|utan`,
	between:   `ditt|ange|dela|lämna`,
}

var finnish = language{
	tag: "fi",
	anywhere: `salasana|salasanan|salasanasi|salasanaa|tunnusluku|tunnusluvun|tunnuslukusi|kertakäyttökoodi|
kertakäyttökoodin|PIN koodi|PIN koodin|vahvistuskoodi|vahvistuskoodin|turvakoodi|kortin numero|korttinumero|
korttinumerosi|API avain|API avaimen|yksityinen avain|salainen avain|palautuslause|palautuslauseen|henkilötunnus`,
	harmless:  `unohtunut salasana|salasana on|salasanan pituus|salasanan vaihto`,
	asks:      `syötä|kirjoita|vahvista|liitä|lähetä|anna`,
	about:     `pituus|kuinka|montako|unohtunut`,
	negations: `älä|ei|koskaan|ilman`,
	between:   `koskaan|anna|syötä|kerro|jaa`,
}

var czech = language{
	doubles: `heslo|hesla|heslem`,
	tag:     "cs",
	anywhere: `heslo|hesla|heslem|jednorázový kód|jednorázové heslo|PIN kód|číslo karty|číslo platební karty|API klíč|
klíč API|soukromý klíč|tajný klíč|fráze pro obnovení|obnovovací fráze|obnovovací frázi|ověřovací kód|potvrzovací kód|
bezpečnostní kód|rodné číslo|přihlašovací údaje|kód z sms`,
	harmless:  `heslo bylo|heslo vyprší|zapomenuté heslo|změna hesla|délka hesla`,
	asks:      `zadejte|napište|vložte|uveďte|potvrďte|zadej|pošlete|sdělte`,
	about:     `délka|kolik|jak|zapomenuté|pravidla`,
	articles:  `své|svoje|vaše|nové`,
	negations: `nikdy|nezadávejte|nesdělujte|bez|žádné`,
	between:   `své|svoje|vaše|nezadávejte|nesdělujte|nikomu`,
}

var hungarian = language{
	tag: "hu",
	anywhere: `jelszó|jelszót|jelszava|jelszavát|jelszavad|jelszavadat|egyszeri kód|egyszer használatos kód|PIN kódot|
bankkártyaszám|kártyaszám|kártya száma|kártyaszámát|API kulcs|API kulcsot|privát kulcs|titkos kulcs|
helyreállítási kifejezés|megerősítő kód|ellenőrző kód|biztonsági kód|személyi szám|belépési adatok`,
	harmless:  `elfelejtett jelszó|jelszó hossza|jelszó lejár`,
	asks:      `adja|írja|írd|kérjük|küldje|erősítse`,
	about:     `hossza|hány|hogyan|elfelejtett`,
	negations: `soha|ne|nem|nélkül`,
	between:   `soha|adja|írja|ossza|meg|itt`,
	asksLater: []string{"adja meg", "írja be", "megadása"},
	refuses:   []string{"ne adja", "ne írja"},
}

var romanian = language{
	tag: "ro",
	anywhere: `parola ta|parola dvs|parola dumneavoastră|parola contului|parola actuală|parola curentă|parola nouă|
parola de acces|introduceți parola|introdu parola|cod PIN|codul PIN|codul unic|cod de verificare|codul de verificare|
cod de securitate|numărul cardului|număr card|număr de card|cheie API|cheia API|cheie privată|cheia privată|
cheie secretă|cheia secretă|frază de recuperare|fraza de recuperare|cod de unică folosință|date de autentificare`,
	harmless:  `parola ta a fost|parola dumneavoastră a fost`,
	asks:      `introduceți|introdu|scrieți|tastați|confirmați|trimiteți|lipiți`,
	about:     `lungime|lungimea|câte|cât`,
	negations: `niciodată|nu|fără`,
	between:   `niciodată|introduceți|scrieți|trimiteți|aici`,
}
