package secret

var german = language{
	doubles: `Kartennummer`,
	tag:     "de",
	anywhere: `privater SSH Schlüssel|pushTAN|mTAN|chipTAN|smsTAN|Geburtsname Ihrer Mutter|Geburtsname der Mutter|
Mädchenname|Prüfziffer|Kartenprüfziffer|Steuer ID|Steueridentifikationsnummer|Wiederherstellungswörter|
Code aus der SMS|Anmeldecode|Freigabecode|Entsperrcode|Sperrcode|Gerätecode|PIN Nummer|Personalausweisnummer|
Reisepassnummer|erstes Haustier|Rentenversicherungsnummer|Passwort|Passworts|Passwörter|Kennwort|Kennworts|Kennwörter|
Passphrase|Zugangsdaten|Anmeldedaten|Geheimzahl|API Schlüssel|API Schluessel|privater Schlüssel|privaten Schlüssel|
privatem Schlüssel|geheimer Schlüssel|geheimen Schlüssel|Zugriffstoken|Zugangstoken|Kreditkartennummer|Kartennummer|
Kartenprüfnummer|Kreditkartendaten|Sicherheitscode|Bestätigungscode|Einmalcode|Einmalpasswort|SMS Code|PIN Code|
Wiederherstellungsphrase|Wiederherstellungsschlüssel|Seed Phrase|Sozialversicherungsnummer|Geheimfrage|Ausweisnummer`,
	ending:   `TAN|Kreditkarte|Geheimnis`,
	glued:    `passwort|kennwort`,
	harmless: `Kartennummer der Bibliothek|Passwort Manager|Passwort vergessen|Passwort zurücksetzen`,
	after:    `läuft|gilt|Richtlinie|Richtlinien|Regeln|Länge|Ablauf|Stärke|Verwaltung|Verlauf|Hinweis`,
	asks:     `geben|gib|eingeben|tippen|nennen|bestätigen|wiederholen|senden|schicken|übermitteln`,
	about: `über|Kapitel|Anleitung|muss|welche|Sonderzeichen|soll|alte|falsche|Mindestlänge|Tage|Anzahl|wann|oft|viele|
Wochen|Monate|vergessen|zurücksetzen|Länge|wie|ob|wo|Gültigkeit|Richtlinie|lange`,
	happened: `wurde|wird|ist|war|läuft|abgelaufen|geändert|muss|gilt`,
	articles: `die|der|den|das|dem|Ihre|Ihren|Ihr|Ihrem|deine|deinen|dein|Sie|mir|uns|eine|einen|ein|neue|neuen|neues|
bitte`,
	negations: `nie|niemals|kein|keine|keinen|keinesfalls|nicht|ohne`,
	between:   `Sie|Ihr|Ihre|Ihren|bitte|hier|geben|das|die|den|dein|deine|deinen|an|nach|fragen|eingeben|Ihrem`,
	asksLater: []string{"eingeben", "eintragen", "eintippen", "angeben", "nennen", "bestätigen"},
	refuses:   []string{"nicht", "niemals", "nie", "keinesfalls"},
}

var dutch = language{
	doubles: `kaartnummer`,
	tag:     "nl",
	anywhere: `BSN|sms code|code per sms|code uit de sms|herstelwoorden|inlogcode|TAN code|meisjesnaam van je moeder|
meisjesnaam|toestelcode|ontgrendelcode|ontgrendelingscode|identificatiecode|rijbewijsnummer|paspoortnummer|
eenmalige code|wachtwoord|wachtwoorden|wachtwoordzin|toegangscode|geheime sleutel|privésleutel|API sleutel|
toegangssleutel|creditcardnummer|kaartnummer|beveiligingscode|verificatiecode|bevestigingscode|herstelzin|
herstelcode|pincode|burgerservicenummer|inloggegevens`,
	ending:    `creditcard`,
	glued:     `wachtwoord`,
	harmless:  `wachtwoord is gewijzigd|wachtwoord is verlopen|wachtwoord verloopt|wachtwoord vergeten`,
	after:     `verloopt|beleid|lengte|beheerder|regels`,
	asks:      `voer|vul|typ|geef|plak|bevestig|herhaal|stuur`,
	about:     `over|hoofdstuk|minimale|dagen|aantal|vaak|weken|maanden|vergeten|lengte|herstellen|hoe|hoelang|geldigheid`,
	happened:  `werd|wordt|verloopt`,
	articles:  `uw|je|jouw|het|de|een|nieuwe`,
	negations: `nooit|niet|geen|zonder`,
	between:   `uw|je|jouw|het|een|hier|voer|deel|typ|geef|u|om|vragen|vul`,
	asksLater: []string{"invoeren", "intypen", "invullen", "opgeven", "in te voeren", "in te vullen"},
	refuses:   []string{"niet", "nooit"},
}

var french = language{
	doubles: `numéro de carte|numéro de la carte`,
	tag:     "fr",
	anywhere: `code reçu par sms|code par sms|code sms|code de validation|code dauthentification|code daccès|
code de déverrouillage|code temporaire|NIR|numéro fiscal|mots de récupération|phrase de connexion|
nom de jeune fille|premier animal|numéro de passeport|numéro de carte didentité|identifiants bancaires|
clé de sécurité|mot de passe|mots de passe|code secret|code confidentiel|code PIN|clé API|clé dAPI|clé privée|
clé secrète|clé daccès|jeton daccès|jeton dAPI|numéro de carte bancaire|numéro de carte de crédit|
numéro de carte|numéro de la carte|numéro de votre carte|code de sécurité|code de vérification|
code de confirmation|code à usage unique|cryptogramme|cryptogramme visuel|phrase secrète|phrase de récupération|
phrase de passe|numéro de sécurité sociale`,
	ending: `carte bancaire|jeton`,
	glued:  `motdepasse`,
	harmless: `mot de passe a été|mot de passe a expiré|mot de passe oublié|numéro de carte de fidélité|
numéro de carte de bibliothèque|numéro de carte de membre|numéro de carte grise|numéro de carte étudiant|
clé daccès publique`,
	after: `oublié|expiré|expire`,
	asks: `entrez|saisissez|tapez|indiquez|fournissez|collez|confirmez|donnez|saisir|entrer|renseignez|communiquez|répétez|
envoyez|confirmer`,
	about: `sur|chapitre|concernant|minimale|jours|nombre|avant|semaines|mois|combien|oublié|longueur|réinitialiser|
réinitialisation|politique|comment|durée|changement`,
	happened:  `sera|était|expire|expirera|doit`,
	articles:  `votre|vos|le|la|un|une|mon|ma|ton|ta|nouveau|nouvelle`,
	negations: `jamais|ne|pas|aucun|aucune|sans`,
	between: `votre|vos|de|saisissez|entrez|donnez|communiquez|partagez|pas|un|le|la|ici|tapez|vous|demanderons|
besoin|du`,
}

var spanish = language{
	doubles: `número de tarjeta|número de la tarjeta`,
	tag:     "es",
	anywhere: `NIE|CURP|número de DNI|clave de firma|clave dinámica|clave de seguridad|clave del cajero|
palabras de recuperación|palabras semilla|código de acceso|código de autenticación|código de desbloqueo|
código por sms|código recibido|apellido de soltera|primera mascota|número de pasaporte|token de seguridad|
contraseña|clave de acceso|clave API|clave de API|clave privada|clave secreta|número de tarjeta de crédito|
número de tarjeta|número de la tarjeta|número de su tarjeta|número de tu tarjeta|código de seguridad|
código de verificación|código de confirmación|código de un solo uso|código SMS|código PIN|frase semilla|
frase de recuperación|frase secreta|token de acceso|número de seguro social|número de la seguridad social|
palabra secreta|credenciales de acceso`,
	ending: `DNI|clave|tarjeta de crédito`,
	glued:  `contraseña`,
	harmless: `palabra clave|palabras clave|clave pública|clave primaria|clave foránea|clave externa|
número de tarjeta de fidelidad|número de tarjeta de socio|número de tarjeta de biblioteca|
número de tarjeta de embarque|contraseña olvidada`,
	after: `caduca|vence|dura|olvidada|caducada`,
	asks: `introduzca|introduce|escriba|escribe|ingrese|ingresa|indique|indica|proporcione|pegue|confirme|facilite|teclee|
repita|digite|introducir|envíe|envíanos`,
	about: `sobre|capítulo|mínima|días|número|semanas|meses|cuántos|olvidó|olvidaste|olvidado|longitud|restablecer|
política|cómo|caducidad|duración`,
	happened:  `ha|fue|caduca|expira|caducó|será|se|debe`,
	articles:  `su|tu|la|el|una|un|mi|nueva|nuevo`,
	negations: `nunca|jamás|no|sin|ninguna|ningún`,
	between: `su|tu|la|una|introduzca|escriba|comparta|ingrese|revele|facilite|compartas|escribas|de|se|necesita|aquí|le|
pediremos|te|el`,
}

var portuguese = language{
	doubles: `senha|número do cartão|número de cartão`,
	tag:     "pt",
	anywhere: `CPF|código de acesso|código de autenticação|código de autorização|código de desbloqueio|código por sms|
código recebido|palavras de recuperação|nome de solteira|primeiro animal|número do passaporte|
número de contribuinte|token de segurança|palavra secreta|palavra chave secreta|senha|palavra passe|
palavra de passe|chave de API|chave API|chave privada|chave secreta|chave de acesso|número do cartão de crédito|
número do cartão|número de cartão|número do seu cartão|código de segurança|código de verificação|
código de confirmação|código SMS|código PIN|frase de recuperação|frase secreta|frase semente|token de acesso`,
	ending: `cartão de crédito`,
	glued:  `senha`,
	harmless: `número do cartão de fidelidade|número do cartão de sócio|número do cartão da biblioteca|
senha de atendimento|chave pública`,
	after: `expira|vale|dura|expirada|esquecida`,
	asks:  `digite|insira|informe|introduza|escreva|cole|confirme|forneça|indique|repita|envie|inserir`,
	about: `sobre|capítulo|mínimo|dias|número|semanas|meses|até|quantos|esqueceu|esqueci|tamanho|comprimento|redefinir|
política|como|validade`,
	happened:  `foi|expira|expirou|será|deve|está`,
	articles:  `sua|seu|a|o|uma|um|minha|nova|novo`,
	negations: `nunca|jamais|não|sem|nenhuma|nenhum`,
	between: `sua|seu|a|o|digite|informe|insira|compartilhe|partilhe|escreva|forneça|de|uma|aqui|é|preciso|pediremos|
precisa`,
}

var italian = language{
	doubles: `numero di carta|numero della carta|numero carta`,
	tag:     "it",
	anywhere: `codice fiscale|codice dispositivo|codice di accesso|codice di autorizzazione|codice autorizzativo|
codice di sblocco|codice via sms|codice per sms|codice ricevuto|codice temporaneo|parole di recupero|
cognome da nubile|primo animale|numero di passaporto|numero della carta di identità|credenziali|parola segreta|
parola dordine|parola di sicurezza|codice segreto|codice PIN|chiave API|chiave privata|chiave segreta|
chiave di accesso|numero di carta di credito|numero di carta|numero della carta|numero carta|
codice di sicurezza|codice di verifica|codice di conferma|codice monouso|codice OTP|frase di recupero|
frase segreta|token di accesso|credenziali di accesso`,
	ending: `carta di credito`,
	harmless: `password è stata|password è scaduta|password dimenticata|numero della carta fedeltà|
numero della carta didentità|numero carta fedeltà|chiave pubblica|chiave primaria|parola chiave`,
	after: `scade|dura|dimenticata|scaduta`,
	asks:  `inserisci|inserisca|inserire|digita|scrivi|immetti|fornisci|incolla|conferma|indica|comunica|ripeti|invia`,
	about: `sulle|sulla|riguardo|capitolo|minima|giorni|settimane|mesi|validità|dimenticato|dimenticata|lunghezza|
reimpostare|reimposta|come|scadenza`,
	happened:  `scade|scadrà|sarà|deve`,
	articles:  `la|il|tua|tuo|sua|suo|una|un|nuova|nuovo`,
	negations: `mai|non|senza|nessuna|nessun`,
	between:   `la|tua|sua|il|tuo|suo|inserire|digitare|condividere|inserisci|comunicare|di|una|qui|serve|chiederemo|ti`,
}
