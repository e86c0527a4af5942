package secret

// cluesWest and cluesEast hold, for each language, the words of each clue: NAME: phrase|phrase|beginning*. A phrase has
// at least two letters. The beginning of a word matches every word that begins so. A line that begins with a bar
// continues a row.
var cluesWest = [...]string{`
ask: enter|type|give|tell|send|paste|provide|share|copy|put|write|fill|supply|submit|read out|read us|read back
|what is|what are|whats|which|confirm|we need|need|needed|please|key in|punch in|repeat|hand over|let us have
|what do you|what does|what would
code: code|codes|digit|digits|figure|figures|numerals|characters|combination|passcode|sequence
thing: number|numbers|word|phrase|string|line|answer|swipe|gesture|sentence
words: words
count: three|four|five|six|seven|eight|nine|sixteen
dozen: twelve|dozen|fifteen|eighteen|twenty four|two dozen
sent: sent|texted|received|receive|arrived|arrives|got|pushed|delivered|appeared|appears|popped up|pops up|landed
|messaged|emailed|mailed|sends|sending|showed up|shown|shows|showing|displayed|displays|came|lit up|buzzed
|just called|read to you|read aloud
text: sms|text message|text messages|texted|whatsapp|textmessage|texting
sender: bank|banks|phone|mobile|handset|cell|app|we|us|inbox|mailbox|mail|email|e mail|device|screen|provider
|lock screen|caller
app: authenticator|authy|okta|duo|fob|dongle|token generator|code generator|yubikey|hardware token|security token
|two factor app|2fa app|mfa app|mfa device
card: card|visa|mastercard|amex|plastic|debit|maestro
side: front|embossed|printed|stripe|strip|raised|expiry|expires|valid thru|across
back: back|reverse|rear|behind|signature|flip side|underside|other side
unlock: unlock|unlocks|unlocking|log in|login|logging in|sign in|signin|signing in|log on|logon|sign on|lock screen
|lockscreen|log into|sign into|get into|gets you into|lets you in|let you in|lets you into|opens your|decrypts
|home screen|get past|wake your
what: what you type|what you enter|what do you type|what do you enter|what you use|whatever you|what you tap
|what you draw|what you key in|the one you|the thing you|what you say|you type|you enter|you tap|you draw|you key in
|you use to|what gets you|what lets you|that lets you|that opens|what opens|what unlocks|that unlocks
|you sign in with|you log in with|with which you
know: only you know|only you and|nobody else knows|no one else knows|nobody but you|no one but you|known only to you
|you alone know|keep to yourself|you keep secret|you keep private|only known to you|that only you|tell nobody
|tell no one
wallet: wallet|wallets|metamask|trezor|ledger|phantom|mnemonic|seed|cold storage|hardware wallet|bitcoin
order: in order|in the order|in sequence|right order|correct order|original order|wrote down|written down|noted down
|paper|recovery|recover|backup|back up|restore|restores|piece of paper|one after the other
cash: cash machine|cashpoint|cash point|atm|atms|cash dispenser|withdraw|withdrawing|withdrawals|card reader
|card terminal|at the till
key: token|bearer|cookie|credential|credentials|api key|access key|secret key|session id|key
origin: fresh|freshly|newly|generated|generate|regenerate|created|create|console|dashboard|developer settings
|settings page|admin page|account page|profile page|starts with|begins with|beginning with|starting with|copied
|minted|issued|portal|account settings
file: env file|dotenv|your env|the env|id rsa|id ed25519|kubeconfig|kube config|credentials file|aws credentials
|netrc|pgpass|npmrc|htpasswd|keystore|wallet dat|pem file|service account json|git credentials|keychain|printenv
|environment variables|environ|etc shadow|shadow file|tfstate|terraform state|config view raw|copy as curl|har|har file
|bitwarden|lastpass|keepass|1password|cookies txt|cookie jar|docker config json|application default credentials
|client secret json|secrets yaml|secrets yml|my cnf|bash history|zsh history|export secret keys|pfx|jks|vault token
|session storage|local storage|localstorage|pypirc|gnupg|cookie header|print access token|get access token
|print identity token|find generic password|dump keychain|gh auth token|kubectl get secret|kubectl get secrets
|vault kv get
begin: sk|sk live|ghp|whsec|xoxb|akia|begin rsa|begin openssh|begin private|glpat|eyj|github pat
harmless: parcel|tracking|order number|order no|invoice|voucher|coupon|discount|promo|promotion|gift card|library
|loyalty|membership|member card|business card|business cards|report card|index card|playing card|playing cards
|trading card|graphics card|video card|sd card|memory card|sim card|postcard|greeting card|score|sound card
|network card|room|seat|flight|booking|reservation|postcode|post code|zip|area code|country code|dialling|error code
|exit code|status code|source code|colour code|color code|barcode|bar code|isbn|serial number|model number|version
|phone number|mobile number|telephone number|policy|policies|length|minimum|maximum|at least|at most|limit|limits
|max|min|how many|how often|how long|number of|rotation|rotate|days|weeks|months|interval|gpio|pinned|name of
|name for|nickname|rename|label|crossword|puzzle|riddle|quiz|game|level|achievement|poem|essay|story|slogan|headline
|summary|summarise|summarize|describe|description|feedback|opinion|translate|lines of|tokens|budget|quota|timeout
|retries|poker|deck|kanban|trello|jira|ticket|issue|pull request|branch|commit|meter|last four|last 4|ends in
|ending in|cards|test card|driving|sketch|logo|badge|meeting|case number|invitation|reference|contract|customer
|employee|student|patient|claim|application number|receipt|rma|incident|project|product|item number|batch|engrave
|leather|newsletter|flyer|label on|questionnaire|template
never: never|do not|dont|will not ask|wont ask|not share|no need|not needed
user: email|e mail|mail|user name|username|account name|which account|handle|address|phone number|region|workspace
|domain|provider|organisation|organization|tenant|url|site|page|button|browser|role|team|identity provider|time|date
contents: contents|content of|paste|copy|whole file|whole of|entire file|full text|everything in|dump|inside|output of
|show me|attach|print|export|cat|what does|base64
attribute: name of|name for|names of|names for|size of|limit of|limit for|title of|title for|label of|label for
|length of|type of|kind of|purpose of|owner of|description of|colour of|color of|path of|path to|location of|age of
|date of|lifetime of|expiry of|strength of|text of|format of|version of|url of|wrong|failed|invalid|weak
|number of wrong|number of passwords|number of tokens|number of secrets|number of keys|maximum number|minimum number
other: library|loyalty|membership|member|club|points card|bonus card|gym|clock|bus|signal|uart|analog|digital pin
|input pin|output pin|gpio|led|leds|board|boards|connector|arduino|raspberry|sensor|servo|relay|wire|wires|circuit
|breadboard|microcontroller|pinned|unpin|bookmark|map|marker|bowling|release|dependency|package|lockfile|tokens|llm
|prompt|tokenizer|lexer|parser|stylesheet|design system|game|crossword|puzzle|riddle|santa|recipe|kubernetes|k8s
|namespace|mount|level|dashboard layout|sidebar|thread|channel|tweet|header row|monopoly
generic: value|answer|text|response|input|reply|data|field|content|result|entry|string|item|info|details|line
|response text|your answer|your response|your reply
`, `
ask: geben|gib|nennen|nenne|tippen|tippe|eingeben|eintippen|schicken|senden|mitteilen|bitte|welche*|wie lautet
|wie lauten|abtippen|eintragen|angeben|verraten|brauchen wir|benötigen wir|übermitteln
code: code|ziffer*|kombination|zeichen|zahlenfolge|muster|zahlenkombination|stellig*
thing: zahl|zahlen|nummer|wort|satz|phrase|zeichenkette|wische*|folge
words: wörter|worte
count: drei|vier|fünf|sechs|sieben|acht|neun|sechzehn|dreistellig*|vierstellig*|sechsstellig*|achtstellig*
dozen: zwölf|vierundzwanzig|dutzend|fünfzehn|achtzehn
sent: geschickt|gesendet|gesandt|erhalten|bekommen|geschrieben|zugestellt|angezeigt|zeigt|eingegangen|eingetroffen
|angekommen|kam|kommt|gekommen|erschienen|schickt|sendet|zugeschickt|aufgetaucht
text: sms|kurznachricht|whatsapp|textnachricht
sender: bank|sparkasse|handy|telefon|smartphone|mobiltelefon|app|wir|uns|postfach|mail|bildschirm|gerät|institut
|hausbank
app: authenticator|tan generator|tangenerator|photo tan|chip tan|push tan|code generator|authentifizierungs*
card: karte|bankkarte|kreditkarte|girokarte|ec karte|debitkarte|plastikkarte
side: vorderseite|vorne|geprägt*|aufgedruckt*|unterschriftsfeld|magnetstreifen|ablaufdatum|vorn
back: rückseite|hinten|unterschriftsfeld|kartenrückseite|umseitig|dahinter
unlock: entsperr*|einlogg*|anmeld*|einwähl*|sperrbildschirm|aufsperr*|entriegel*|reinkomm*|hineinkomm*|zugang
what: was sie|was du|womit sie|womit du|das was|mit dem sie|mit der sie|mit denen sie|die sie|den sie|wie sie ihr
|was man
know: nur sie kennen|nur du kennst|nur ihnen bekannt|niemand sonst kennt|sonst niemand|außer ihnen niemand
|nur sie wissen|kein anderer kennt|niemandem verraten
wallet: wallet|krypto wallet|geldbörse|ledger|metamask|trezor|bitcoin|seed
order: reihenfolge|notiert|aufgeschrieben|zettel|papier|wiederherstell*|sicherung|der reihe nach|nacheinander
cash: geldautomat*|bankomat*|geld abheben|abheben|bargeld|an der kasse|automaten
key: token|schlüssel|zugangsschlüssel|cookie|sitzungscookie
origin: frisch*|neu erstellt*|erzeugt*|generiert*|konsole|dashboard|entwicklerbereich|kontoeinstellungen|beginnt mit
|anfängt mit|erstellen sie|kopiert*
harmless: sendung*|paket*|bestell*|rechnung*|gutschein*|rabatt*|aktionscode|bibliothek*|treue*|mitglied*|kunden*
|visitenkarte*|speisekarte|landkarte|spielkarte*|grafikkarte|speicherkarte|sim karte|postkarte|postleitzahl|vorwahl
|fehlercode|quellcode|farbcode|strichcode|isbn|seriennummer|modellnummer|version*|telefonnummer|handynummer
|rufnummer|mindest*|höchst*|mindestens|höchstens|mindestlänge|passwortlänge|richtlinie*|regeln|passwortregel*
|wie viele|wie oft|wie lange|anzahl|tage|wochen|monate|rotation*|name des|name der|bezeichnung|kreuzwort*|rätsel*
|quiz|spiel*|gedicht|zusammenfassung|beschreib*|rückmeldung|zimmer*|sitzplatz|flug*|buchung*|ticket*|zähler*
|letzten vier|vertrag*|mitarbeiter*|aktenzeichen|vorgang*|projekt*|artikel*|einladung*|referenz*|fahrkarte
|eintrittskarte
never: nie|niemals|nicht eingeben|keinesfalls|keine tan|fragen nie|geben sie nicht|nicht nötig
user: benutzername*|e mail|email|adresse|konto bei|anbieter|webseite|seite|browser|datum|uhrzeit|gerät zum
contents: inhalt|einfügen|kopieren|füge|fügen|gesamte datei
attribute: name des|name der|name für|bezeichnung|länge des|länge der|größe|limit|titel des|titel der|typ des
|beschreibung|falsche|ungültige|anzahl|text des|text der
other: bibliothek*|treue*|mitglied*|kundenkarte|kreuzwort*|rätsel*|stecker*|platine|leiterplatte|pinnwand|landkarte
|spiel|steckverbinder
generic: wert|antwort|eingabe|text|feld|rückmeldung|angabe
`, `
ask: voer|vul|typ|typ over|geef|stuur|noem|plak|wat is|wat zijn|welk*|invullen|intypen|invoeren|opgeven|graag
|lees voor|deel met ons
code: code|codes|cijfer*|combinatie|tekens|cijferreeks|patroon
thing: getal|getallen|nummer|woord|zin|reeks|regel
words: woorden
count: drie|vier|vijf|zes|zeven|acht|negen|zestien|viercijferig*|zescijferig*|driecijferig*
dozen: twaalf|vierentwintig|dozijn|vijftien|achttien
sent: gestuurd|verstuurd|verzonden|ontvangen|ontving|gekregen|kreeg|binnengekomen|verscheen|verschenen|toont
|laat zien|gesms*|stuurt|stuurde|kwam
text: sms|sms je|sms bericht|tekstbericht|whatsapp
sender: bank|telefoon|mobiel|mobieltje|gsm|app|wij|we|scherm|mail|inbox|toestel|apparaat
app: authenticator|identifier|randomreader|digipas|scanner van je bank|raboscanner|e dentifier
card: kaart|bankpas|uw pas|je pas|betaalpas|pinpas|creditcard|betaalkaart|plastic
side: voorkant|voorzijde|gedrukt|handtekeningstrook|reliëf|magneetstrip|vervaldatum
back: achterkant|achterzijde|achterop|handtekeningstrook|ommezijde
unlock: ontgrendel*|inlog*|aanmeld*|toegangsscherm|vergrendel*|log je in|logt u in|binnenkom*|beginscherm
what: wat je|wat u|waarmee je|waarmee u|die je|die u|dat je|dat u
know: alleen jij kent|alleen u kent|niemand anders kent|die alleen jij|dat alleen jij|dat alleen u|die alleen u
|alleen jij weet|niemand anders weet
wallet: wallet|portemonnee|ledger|metamask|trezor|bitcoin|seed
order: volgorde|opgeschreven|genoteerd|papier|papiertje|herstel*|back up|backup|reservekopie|op een rij
cash: geldautomaat|pinautomaat|pinnen|flappentap|geld opnemen|aan de kassa|betaalautomaat
key: token|sleutel|cookie|toegangssleutel
origin: vers|verse|nieuw aangemaakt*|gegenereerd*|console|dashboard|ontwikkelaars*|instellingen|begint met
|gekopieerd*|aangemaakt*
harmless: pakket*|bestel*|factuur*|kortings*|waardebon|cadeaubon|actiecode|bibliotheek*|klantenkaart|lidmaatschap*
|visitekaart*|postcode|netnummer|foutcode|broncode|kleurcode|streepjescode|isbn|serienummer|modelnummer|versie*
|telefoonnummer|mobiele nummer|minimale|maximale|minimaal|maximaal|minstens|hoogstens|lengte|beleid|regels|hoeveel
|hoe vaak|hoe lang|aantal|dagen|weken|maanden|rotatie|naam van|kruiswoord*|puzzel*|raadsel|quiz|spel|gedicht
|samenvatting|beschrijf|omschrijving|kamer*|stoel|vlucht*|boeking*|ticket*|meter*|laatste vier|contract*|klant*
|zaak*|project*|artikel*|uitnodiging*|kenmerk|landkaart|speelkaart*
never: nooit|deel niet|niet nodig|vul niet
user: gebruikersnaam|e mail|email|adres|aanbieder|website|pagina|browser|datum|tijd
contents: inhoud|plak|kopieer|hele bestand
other: bibliotheek*|klantenkaart|lidmaatschap*|clubkaart
attribute: naam van|naam voor|lengte van|grootte|titel van|soort|aantal|verkeerde|foute
generic: waarde|antwoord|invoer|tekst|veld|reactie
`, `
ask: entrez|saisissez|tapez|donnez|indiquez|envoyez|communiquez|recopiez|collez|écrivez|fournissez|quel|quelle|quels
|quelles|transmettez|reportez|renseignez|merci de|dites|recopier|saisir|il nous faut|veuillez
code: code|codes|chiffre|chiffres|combinaison|caractères|schéma|suite de chiffres
thing: numéro|numéros|nombre|mot|phrase|ligne|chaîne|suite|série
words: mots
count: trois|quatre|cinq|six|sept|huit|neuf|seize
dozen: douze|vingt quatre|douzaine|quinze|dix huit
sent: envoyé|envoyés|envoyée|envoyer|envoie|reçu|reçus|reçue|recevez|arrivé|arrivés|affiché|affichés|affiche
|apparaît|apparu|apparus|transmis|parvenu|expédié|adressé|s affiche|vient de|denvoyer|denvoyée|denvoyés
text: sms|texto|textos|message texte|whatsapp
sender: banque|téléphone|portable|mobile|appli|application|nous|boîte mail|messagerie|écran|appareil|courriel|mail
app: authenticator|application d authentification|générateur de codes|boîtier|clé digitale
card: carte|carte bleue|cb|carte bancaire|carte de crédit|carte bleu
side: recto|devant|face avant|embossé*|imprimé*|piste|bande magnétique|expiration|avant
back: au dos|dos de la|dos de votre|verso|arrière|derrière|signature
unlock: déverrouill*|débloqu*|connect*|écran de verrouillage|verrouillage|ouvrir votre|ouvre votre|ouvrir ta|identifi*
what: ce que vous|ce que tu|ce qui vous|que vous tapez|que vous saisissez|que vous utilisez|qui vous permet
|que vous composez|avec quoi|celui que vous|celle que vous
know: vous seul|vous êtes seul|personne d autre|toi seul|connu de vous seul|que vous seul|vous seule
wallet: portefeuille|wallet|ledger|metamask|trezor|bitcoin|seed
order: dans l ordre|l ordre|noté|notés|notées|papier|récupération|restauration|restaurer|sauvegarde|récupérer
cash: distributeur|retirer|retrait|dab|guichet automatique|retirez|à la caisse
key: jeton|token|clé|cookie|clef
origin: généré*|fraîchement|tout neuf|tout frais|nouvellement|créé*|console|tableau de bord|espace développeur
|paramètres|commence par|commençant par|copié*
harmless: colis|suivi|commande|facture|bon d achat|réduction|promo*|fidélité|bibliothèque|membre|adhérent
|carte de visite|carte grise|carte sim|carte mémoire|carte graphique|carte postale|code postal|indicatif
|code d erreur|code source|code couleur|code barres|isbn|numéro de série|numéro de téléphone|téléphonique|version*
|minimum|maximum|minimal*|maximal*|longueur|politique|règle*|combien|fréquence|nombre de|jours|semaines|mois
|rotation*|nom du|nom de|mots croisés|énigme|devinette|quiz|jeu|poème|résumé|décrivez|description|avis|chambre|siège
|vol|réservation|billet|compteur|quatre derniers|contrat|client|dossier|projet|article|invitation|référence
|derniers chiffres|mots clés|étudiant*
never: jamais|ne saisissez|ne communiquez|ne partagez|inutile|ne donnez
user: identifiant|nom d utilisateur|adresse|e mail|email|fournisseur|site|page|navigateur|date|heure
contents: contenu|collez|copiez|coller|fichier entier
other: fidélité|bibliothèque|membre|adhérent|club|étudiant*|jeu de société
attribute: nom du|nom de la|nom pour|longueur|taille|titre du|type de|nombre de|texte du|mauvais
generic: valeur|réponse|texte|saisie|champ|contenu
`, `
ask: introduzca|introduce|escriba|escribe|ingrese|ingresa|indique|indica|digite|teclee|envíe|envíanos|díganos|dinos
|pegue|pega|copie|copia|facilite|cuál|cuáles|proporcione|necesitamos|denos|danos|dicte|escribir|introducir
code: código|códigos|cifra|cifras|dígito|dígitos|combinación|caracteres|patrón|secuencia
thing: número|números|palabra|frase|cadena|línea|serie|numerito|numeritos
words: palabras
count: tres|cuatro|cinco|seis|siete|ocho|nueve|dieciséis
dozen: doce|veinticuatro|docena|quince|dieciocho
sent: enviado|enviados|enviada|envió|envía|enviamos|recibido|recibió|recibiste|recibes|recibe|llegado|llegó|llegaron
|mandado|mandó|mandamos|aparece|aparecen|apareció|mostrado|muestra|acaba de|acabamos de|llegar
text: sms|mensaje de texto|mensaje al móvil|whatsapp
sender: banco|teléfono|móvil|celular|aplicación|app|nosotros|correo|buzón|pantalla|dispositivo
app: authenticator|autenticador*|generador de códigos|llave digital|token bancario
card: tarjeta|visa|plástico
side: frente|delante|anverso|relieve|impreso*|banda|caducidad|vencimiento|delantera|frontal
back: reverso|dorso|detrás|atrás|parte de atrás|trasera|posterior|firma
unlock: desbloque*|iniciar sesión|inicia sesión|inicias sesión|acceder|entrar|entras|accede|pantalla de bloqueo
|abre tu|abrir tu|abrir su
what: lo que escribe*|lo que usa*|lo que teclea*|lo que pone*|lo que introduce*|con lo que|la que usa*|el que usa*
|que usa*|que escribe*|que marca*|lo que marca*|que tecleas|con el que|con la que
know: solo usted|solo tú|sólo usted|sólo tú|nadie más|únicamente usted|nadie salvo
wallet: monedero|billetera|wallet|cartera|ledger|metamask|trezor|bitcoin|semilla
order: en orden|orden|anotado|anotadas|anotaste|apuntado|apuntaste|apuntó|papel|recuperación|recuperar|respaldo
|copia de seguridad|restaurar
cash: cajero|sacar dinero|retirar|retira|en la caja|datáfono|sacas dinero
key: token|llave|clave|cookie|ficha de acceso
origin: recién|generad*|generar|cread*|consola|panel|ajustes|configuración|empieza por|empieza con|comienza con
|comienza por|copiad*|nuevo
harmless: paquete|seguimiento|pedido|factura|cupón|descuento|promoc*|vale|fidelidad|biblioteca|socio|embarque
|tarjeta de visita|tarjeta sim|tarjeta gráfica|tarjeta de memoria|código postal|prefijo|código de error
|código fuente|código de color|código de barras|isbn|número de serie|número de teléfono|versión|mínim*|máxim*
|longitud|política|regla*|cuántos|cuántas|cada cuánto|número de|cantidad|días|semanas|meses|rotación|nombre de
|nombre del|crucigrama|acertijo|adivinanza|juego|poema|resumen|resuma|describ*|descripción|opinión|habitación
|asiento|vuelo|reserva|billete|contador|últimos cuatro|contrato|cliente|expediente|proyecto|artículo|invitación
|referencia|últimas cuatro|palabra clave|palabras clave
never: nunca|jamás|no comparta|no compartas|no introduzca|no escriba|no es necesario
user: usuario|correo electrónico|e mail|email|dirección|proveedor|página|sitio|navegador|fecha|hora
contents: contenido|pegue|pega|copie|copia|archivo entero
other: fidelidad|biblioteca|socio|club|canción
attribute: nombre de|nombre del|nombre para|longitud|tamaño|título de|tipo de|cantidad|texto del
generic: valor|respuesta|texto|entrada|campo|dato
`, `
ask: digite|insira|informe|introduza|escreva|envie|diga|cole|copie|forneça|qual|quais|indique|mande|precisamos|passe
|conte
code: código|códigos|dígito|dígitos|algarismo*|combinação|caracteres|sequência|desenho|padrão
thing: número|números|palavra|frase|linha|numerozinho|numerinho*
words: palavras
count: três|quatro|cinco|seis|sete|oito|nove|dezesseis|dezasseis
dozen: doze|vinte e quatro|dúzia|quinze|dezoito
sent: enviado|enviados|enviou|enviamos|envia|recebeu|recebido|recebidos|recebe|chegou|chegaram|chegar|mandou
|mandamos|mandado|aparece|apareceu|aparecem|mostra|mostrado|acabou de|acabamos de
text: sms|mensagem de texto|torpedo|whatsapp
sender: banco|telefone|telemóvel|celular|aplicativo|app|aplicação|nós|e mail|tela|ecrã|aparelho|caixa de entrada
app: authenticator|autenticador*|gerador de códigos|token do banco|itoken
card: cartão|visa|plástico
side: frente|impresso*|relevo|tarja|validade|vencimento|frontal
back: verso|atrás|costas|trás|traseira|assinatura
unlock: desbloque*|entrar|entra|acessar|acessa|aceder|acede|iniciar sessão|inicia sessão|fazer login
|tela de bloqueio|ecrã de bloqueio|abre o seu|abrir o seu|abre seu
what: o que você|o que digita*|o que usa*|o que põe|aquilo que|com que você|com o que|que você usa|que você digita
|que usa para|que digita*|o que coloca*|a que usa|o que escreve*
know: só você|só o senhor|só tu|ninguém mais|apenas você|somente você|mais ninguém
wallet: carteira|wallet|ledger|metamask|trezor|bitcoin|semente
order: ordem|em ordem|anotou|anotadas|anotado|anotaste|papel|recuperação|recuperar|backup|restaurar|cópia de segurança
cash: caixa eletrônico|multibanco|caixa automático|sacar|saque|levantar dinheiro|maquininha|no caixa
key: token|chave|cookie
origin: recém|gerad*|gerar|criad*|console|painel|configurações|definições|começa com|começa por|copiad*|novinho
|fresquinho
harmless: encomenda|rastre*|pedido|fatura|cupom|cupão|desconto|promo*|vale|fidelidade|biblioteca|sócio|embarque
|cartão de visita|cartão sim|placa de vídeo|código postal|cep|indicativo|código de erro|código fonte|código de cor
|código de barras|isbn|número de série|número de telefone|versão|mínim*|máxim*|tamanho|comprimento|política|regra*
|quantos|quantas|frequência|número de|quantidade|dias|semanas|meses|rotação|nome do|nome da|palavras cruzadas|enigma
|charada|jogo|poema|resumo|resuma|descrev*|descrição|opinião|quarto|assento|voo|reserva|bilhete|contador
|últimos quatro|contrato|cliente|processo|projeto|artigo|convite|referência|palavra chave|palavras chave|atendimento
never: nunca|jamais|não compartilhe|não partilhe|não digite|não é necessário
user: usuário|utilizador|e mail|email|endereço|provedor|página|site|navegador|data|hora
contents: conteúdo|cole|copie|arquivo inteiro|ficheiro inteiro
other: fidelidade|biblioteca|sócio|clube|fila|atendimento
attribute: nome do|nome da|nome para|comprimento|tamanho|título do|tipo de|quantidade|texto do
generic: valor|resposta|texto|entrada|campo|dado
`, `
ask: inserisci|inserisca|digita|digiti|scrivi|scriva|dicci|ci dica|invia|inviaci|fornisci|incolla|copia|riporta|qual
|quale|quali|indica|comunica|ci serve|servono|detta|inserire|ricopia
code: codice|codici|cifra|cifre|combinazione|caratteri|sequenza|segno
thing: numero|numeri|parola|frase|stringa|riga|numerino|numeretto|serie
words: parole
count: tre|quattro|cinque|sei|sette|otto|nove|sedici
dozen: dodici|ventiquattro|dozzina|quindici|diciotto
sent: inviato|inviati|inviate|invia|mandato|mandati|mandate|ricevuto|ricevuti|ricevute|ricevi|arrivato|arrivati
|arrivate|arriva|comparso|compare|appare|apparso|mostra|mostrato|appena|spedito
text: sms|messaggino|messaggio di testo|whatsapp
sender: banca|telefono|telefonino|cellulare|app|noi|mail|posta|schermo|dispositivo
app: authenticator|autenticatore|generatore di codici|chiavetta|token della banca|key6
card: carta|bancomat|visa|carta di credito|tessera bancaria
side: davanti|fronte|stampato|stampati|rilievo|banda|scadenza|anteriore
back: retro|dietro|sul retro|posteriore|firma
unlock: sblocc*|accedi|accedere|accede|entrare|entri|login|schermata di blocco|schermo di blocco|apri il telefono
|aprire il
what: quello che|ciò che|quel che|che usi|che digiti|che scrivi|con cui|che inserisci|che metti|cosa digiti
|cosa scrivi
know: solo tu|solo lei|nessun altro|nessuno tranne|che conosci solo
wallet: portafoglio|wallet|ledger|metamask|trezor|bitcoin|seed
order: in ordine|nell ordine|ordine|annotato|annotate|scritto su|carta dove|foglietto|foglio|recupero|recuperare
|ripristino|ripristinare|backup
cash: sportello|bancomat|prelev*|cassa
key: token|chiave|cookie
origin: appena generat*|generat*|genera|creat*|console|cruscotto|pannello|impostazioni|inizia con|comincia con
|copiat*|fresco
harmless: pacco|spedizione|tracciamento|ordine numero|numero ordine|numero d ordine|fattura|buono|sconto|promo*
|coupon|fedeltà|biblioteca|socio|biglietto|biglietto da visita|carta d imbarco|carta d identità|scheda|cap|prefisso
|codice di errore|codice errore|codice sorgente|codice colore|codice a barre|isbn|numero di serie|numero di telefono
|versione|minim*|massim*|lunghezza|criteri|regol*|quanti|quante|ogni quanto|numero di|quantità|giorni|settimane|mesi
|rotazione|nome del|nome della|cruciverba|indovinello|gioco|poesia|riassunto|riassumi|descriv*|descrizione|opinione
|stanza|camera|posto|volo|prenotazione|contatore|ultime quattro|contratto|cliente|pratica|progetto|articolo|invito
|riferimento|parola chiave|parole chiave
never: mai|non condividere|non inserire|non comunicare|non serve
user: nome utente|utente|e mail|email|indirizzo|fornitore|pagina|sito|browser|data|ora
contents: contenuto|incolla|copia|intero file
other: fedeltà|biblioteca|socio|tessera|gioco
attribute: nome del|nome della|nome per|lunghezza|dimensione|titolo del|tipo di|quantità|testo del|testo dell
generic: valore|risposta|testo|campo|dato|inserimento
`}
