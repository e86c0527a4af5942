//! The phrases of the guardian. Spelling, accents, capitals and digits for letters do not matter; a space also stands for _, - or
//! a capital.

pub const SECRETS: &[&str] = &[
    // English
    "password", "pass word", "passwd", "passphrase", "pass phrase", "passcode", "pass code", "pwd", "your pin", "pin code", "pin number",
    "api key", "apikey", "api token", "api secret", "access key", "access token", "accesstoken", "secret key", "secretkey", "client secret", "private key", "privatekey", "ssh key",
    "signing key", "encryption key", "auth token", "authtoken", "authentication token", "bearer token", "refresh token", "session token", "session cookie", "session id",
    "personal access token", "github token", "gitlab token", "slack token", "bot token", "npm token", "aws secret", "connection string", "credential", "credentials",
    "login details", "one time code", "onetime code", "one time password", "otp", "otp code", "totp", "2fa code", "mfa code", "verification code", "security code",
    "sms code", "authenticator code", "backup code", "recovery code", "recovery key", "recovery phrase", "seed phrase", "seed words", "mnemonic", "secret recovery phrase", "wallet key",
    "security answer", "security question", "mothers maiden name", "mother maiden name", "cvv", "cvc", "cvv2", "card verification", "webhook secret", "license key", "service account key", "your token", "git hub token", "git lab token",
    // German, Dutch
    "Passwort", "Kennwort", "Passwörter", "Benutzerpasswort", "Zugangsdaten", "Anmeldedaten", "Geheimzahl", "API Schlüssel", "privater Schlüssel", "privaten Schlüssel", "geheimer Schlüssel", "geheimen Schlüssel",
    "Zugriffstoken", "Zugangstoken", "Sicherheitscode", "Bestätigungscode", "Einmalcode", "Einmalpasswort", "Wiederherstellungsphrase", "wachtwoord", "toegangscode", "geheime sleutel", "inloggegevens", "verificatiecode", "pincode",
    // French, Spanish, Portuguese, Italian
    "mot de passe", "mots de passe", "code secret", "code confidentiel", "clé API", "clé d'API", "clé privée", "clé secrète", "jeton d'accès", "clé d'accès", "identifiants", "code de vérification", "phrase secrète",
    "contraseña", "contrasena", "clave API", "clave secreta", "clave privada", "clave de acceso", "código de verificación", "código de seguridad", "frase semilla", "credenciales", "senha", "palavra passe", "chave API", "chave secreta",
    "chave privada", "chave de acesso", "código de verificação", "credenciais", "chiave API", "chiave privata", "chiave segreta", "codice di verifica", "codice di sicurezza", "credenziali", "parola d'ordine",
    // Polish, Czech, Russian, Ukrainian, Turkish
    "hasło", "hasła", "klucz API", "klucz prywatny", "kod weryfikacyjny", "heslo", "пароль", "пароля", "ключ API", "секретный ключ", "приватный ключ", "закрытый ключ", "код подтверждения",
    "код из смс", "пинкод", "пин код", "şifre", "şifreniz", "şifrenizi", "API anahtarı", "gizli anahtar", "doğrulama kodu", "parolanız", "parolanızı", "parolayı",
    // Chinese, Japanese, Korean, Arabic
    "密码", "密碼", "口令", "验证码", "驗證碼", "私钥", "私鑰", "密钥", "密鑰", "助记词", "助記詞", "パスワード", "暗証番号", "秘密鍵", "認証コード", "確認コード", "비밀번호", "인증번호", "개인키", "كلمة المرور", "كلمة السر", "رمز التحقق",
];

/// What contains a phrase above and asks for nothing secret.
pub const HARMLESS: &[&str] = &[
    "password policy", "password length", "password manager", "password reset", "reset password", "reset your password", "forgot password", "forgot your password", "password rules", "password strength", "password hint",
    "password expiry", "password rotation", "password field", "passwordless", "api key name", "key name", "token name", "token count", "token limit", "max tokens", "token budget", "token type", "token id", "token usage", "tokens used", "token symbol",
    "token expiry", "number of tokens", "pin to", "pin it", "pin this", "pin the", "pin board", "pin version", "map pin", "pin a", "credential helper", "credential type", "credential name", "public key", "password was", "password has", "password is",
    "password will", "password changed", "password expired", "password protected", "session id format", "security question about", "clave de", "secret name", "password file", "password path", "token path", "token file", "name of the token", "token to", "Passwort wurde", "Passwort ist", "Passwort haben", "Passwort Länge", "mot de passe a été", "contraseña ha sido", "contraseña fue", "senha foi", "password è stata", "gpio pin", "Passwort Manager", "Passwort vergessen", "Passwort zurücksetzen", "Passwortlänge", "mot de passe oublié", "contraseña olvidada", "密码管理器", "密码长度", "パスワードマネージャー",
];

/// A credential when nothing else stands in a name or title: a page token and a palabra clave are none.
pub const WHOLE: &[&str] = &["token", "clave"];

/// A credential at the end of a name or title.
pub const ENDING: &[&str] = &["pin"];

/// What turns the phrase before it around, in languages that put the verb last.
pub const REFUSALS: &[&str] = &["しないで", "ないでください", "하지마세요", "하지마십시오"];

/// What turns the phrase behind it around.
pub const NEGATIONS: &[&str] = &[
    "never", "not", "don't", "do not", "dont", "no", "without", "won't", "wont", "nie", "niemals", "kein", "keine", "nicht", "ohne", "nooit", "niet", "geen", "jamais", "sans", "nunca", "no", "sin", "não", "sem", "mai", "non", "senza", "nigdy", "bez", "никогда", "не", "без", "不要",
    "请勿", "切勿", "勿",
];

/// What makes a sentence a request.
pub const ASKS: &[&str] = &[
    "enter", "type", "provide", "paste", "give", "supply", "send", "share", "confirm", "input", "need", "needs", "what is your", "what s your", "whats your", "tell", "fill", "submit", "require", "required", "requires", "your", "log in", "sign in", "repeat",
    "geben", "gib", "eingeben", "eintragen", "nennen", "bestätigen", "senden", "Ihr", "dein", "deine", "Ihre", "brauche", "benötigt", "benötigen", "voer", "vul", "typ", "geef", "uw", "je", "entrez", "saisissez", "saisir", "indiquez", "donnez", "votre", "fournir", "fournissez", "introduzca", "introduce", "escriba", "ingrese",
    "proporcione", "su", "tu", "digite", "insira", "informe", "sua", "inserisci", "inserire", "digita", "fornisci", "tuo", "tua", "podaj", "wpisz", "wprowadź", "twoje", "zadejte", "введите", "укажите", "пришлите", "сообщите", "ваш", "girin", "giriniz", "yazın", "请", "請", "输入", "輸入", "提供", "入力", "教えて", "إدخال", "يرجى",
    "입력", "أدخل", "ادخل",
];
