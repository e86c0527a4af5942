package secret

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLabels(t *testing.T) {
	for label, want := range map[string]string{
		"apiKey": "api key", "API_KEY": "api key", "API key": "api key", "api-key": "api key", "apikey": "api key",
		"APIKey":   "api key",
		"API keys": "api key", "myapikey": "apikey", "openai.api_key": "api key", "x-api-key": "api key",
		"access-token": "access token", "accessToken": "access token", "access_tokens": "access token",
		"GITHUB_TOKEN": "github token",
		"token":        "token", "Token": "token", "bot_token": "token", "Token (from your account page)": "token",
		"Token for GitHub": "token",
		"Card number":      "card number", "cardNumber": "card number", "creditCardNumber": "credit card number",
		"Credit card": "credit card",
		"cvv":         "cvv", "CVV2": "cvv", "cvc": "cvc", "pin": "pin", "PIN": "pin", "PIN code": "pin code",
		"cardPin":        "card pin",
		"Enter your PIN": "pin",
		"new_pin":        "pin", "pin1": "pin", "otp": "otp", "OTP": "otp", "OTPs": "otp", "O.T.P.": "otp",
		"One-time code": "one time code",
		"passphrase":    "passphrase", "Pass phrase": "passphrase", "sshPassphrase": "passphrase",
		"seed phrase":            "seed phrase",
		"seedPhrase":             "seed phrase",
		"Secret recovery phrase": "secret recovery phrase", "private key": "private key", "PRIVATE_KEY": "private key",
		"client secret": "client secret",
		"clientSecret":  "client secret", "secret": "secret", "aws_secret_access_key": "secret access key", "ssn": "ssn",
		"SSN":                    "ssn",
		"Social Security number": "social security number", "password": "password", "Password": "password",
		"passwordConfirm": "password",
		"dbpassword":      "password", "DB_PASSWORD": "password", "pwd": "pwd", "passwd": "passwd",
		"Password required":      "password",
		"What is your password?": "password", "Pass\u00adword": "password", "pаssword": "password", "ｐａｓｓｗｏｒｄ": "password",
		"PАSSWORD": "password", "pass\u200bword": "password", "𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝": "password", "Passwörd": "password",
		"Mother's maiden name": "maiden name", "2FA code": "2fa code", "verification_code": "verification code", "jwt": "jwt",
		"Don't forget: password": "password", "Bank account number": "bank account number", "AWS credentials": "credential",
	} {
		m, ok := Label(label)
		if !ok || m.Word != want {
			t.Errorf("Label(%q) = %q, %v; want %q", label, m.Word, ok, want)
		}
	}
}

var ordinary = []string{
	"pinned", "pinnedItems", "is_pinned", "spinner", "opinion", "Pin to dashboard", "map pin", "shipping address",
	"token count", "tokenCount",
	"max_tokens", "maxTokens", "Max tokens", "tokens", "total_tokens", "token limit", "tokenizer", "next_page_token",
	"nextPageToken",
	"password policy url", "password_policy", "Password policy", "passwordLength", "password expiry days", "passwordless",
	"secretary", "secretName",
	"Secret Santa", "keyboard shortcut", "key", "Key", "primaryKey", "foreign_key", "public key", "publicKey", "keyword",
	"monkey", "author",
	"authority", "card", "businessCard", "card holder name", "cardType", "Library card number", "compass", "passenger",
	"passport", "bypass",
	"boarding pass", "password manager", "how long should the password be", "secondary", "code", "postcode", "zip code",
	"country code", "error code",
	"name", "email", "username", "phone number", "account number", "order number", "access level", "accessKeyId",
	"session", "cookie banner",
	"token symbol", "token_url", "token type", "Kubernetes secret", "Never enter your password", "recover", "seed",
	"random_seed", "phrase",
	"search phrase", "private", "private repository", "client id", "client name", "API version", "API endpoint", "social",
	"one time event", "",
	"step in", "no password", "designToken", "GPIO pin", "credit card type", "design pins", "the api. Key points",
	"stop token", "snapshot",
}

func TestOrdinaryLabels(t *testing.T) {
	for _, label := range ordinary {
		if m, ok := Label(label); ok {
			t.Errorf("Label(%q) = %q; want none", label, m.Word)
		}
	}
}

func TestProse(t *testing.T) {
	asks := []string{"Enter your password", "Please paste your API key here.", "Your password",
		"The account password for the database.",
		"We could not reach the site. Please type your passphrase again",
		"To continue, provide the one-time code we sent you.",
		"Please don't forget to enter your password", "This is not a test; enter your password",
		"Type the card number and CVV",
		"Our records need the private key of your wallet", "Verify: enter your pаssword",
		"Enter your PIN.", "Paste the token here", "Please provide a new secret",
		"Please enter the 6-digit code we texted you", "Give your credit card details"}
	for _, text := range asks {
		if m, ok := find(text, true); !ok {
			t.Errorf("find(%q, true) found nothing", text)
		} else if !utf8.ValidString(text[m.Start:m.End]) || m.Start >= m.End {
			t.Errorf("find(%q, true) span %d..%d", text, m.Start, m.End)
		}
	}
	mentions := []string{"Never enter your password here.", "Do not share your API key.", "No password is needed.",
		"The sign-in page will open without a password",
		"Used to reset the account password", "The name of the file that holds the password",
		"How often the password is rotated",
		"Whether the API key should be rotated", "Maximum number of tokens to generate", "Path to the private key file",
		"Opens your password manager.",
		"Your password was changed. What should the device be called?", "The API key has expired.",
		"Tell me which message to pin.",
		"Enter the token count", "Type a name for the token list", "Your password will be stored by the browser",
		"Drop a pin where you are",
		"Shown beside the token symbol", "A pin on the map", "Number of days before the password expires", "",
		"The page you land on has a form which, among other things, mentions a password"}
	for _, text := range mentions {
		if m, ok := find(text, true); ok {
			t.Errorf("find(%q, true) = %q; want none", text, m.Word)
		}
	}
}

// askedIn has, for every language, a label, sentences that ask, and texts that do not.
var askedIn = []struct {
	tag    string
	labels []string
	asks   []string
	silent []string
}{
	{"de", []string{"Passwort", "Datenbankpasswort", "API-Schlüssel", "Kreditkartennummer", "privater Schlüssel"},
		[]string{"Bitte geben Sie Ihr Passwort ein.", "Um fortzufahren müssen Sie das Kennwort hier eingeben",
			"Ihr PASSWORT"},
		[]string{"Geben Sie hier niemals Ihr Passwort ein.", "Ihr Passwort wurde geändert.",
			"Wie lang soll das Passwort sein?"}},
	{"nl", []string{"Wachtwoord", "pincode", "creditcardnummer"}, []string{"Voer uw wachtwoord in",
		"Om verder te gaan moet u hier uw wachtwoord invoeren"},
		[]string{"Deel nooit uw wachtwoord.", "Uw wachtwoord is gewijzigd"}},
	{"fr", []string{"Mot de passe", "Clé d'API", "Clé d’accès", "Numéro de carte bancaire", "Code secret"},
		[]string{"Veuillez saisir votre mot de passe pour continuer"},
		[]string{"Ne saisissez jamais votre mot de passe ici.", "Votre mot de passe a été modifié.",
			"Numéro de carte de fidélité"}},
	{"es", []string{"Contraseña", "contrasena", "Clave de API", "Clave", "Número de tarjeta"},
		[]string{"Introduzca su contraseña para continuar"},
		[]string{"Nunca introduzca su contraseña aquí.", "Su contraseña ha cambiado.", "Palabra clave", "clave primaria"}},
	{"pt", []string{"Senha", "Palavra-passe", "Chave de API", "Número do cartão"},
		[]string{"Para continuar, digite sua senha"},
		[]string{"Nunca digite sua senha aqui.", "Sua senha foi alterada.", "Palavra-chave"}},
	{"it", []string{"Parola d'ordine", "Chiave API", "Numero della carta", "Codice di sicurezza"},
		[]string{"Inserisci la tua password per continuare"},
		[]string{"Non inserire mai la tua password.", "La tua password è stata modificata.", "Parola chiave"}},
	{"pl", []string{"Hasło", "haslo", "Klucz API", "Numer karty"}, []string{"Aby kontynuować, podaj swoje hasło do konta"},
		[]string{"Nigdy nie podawaj swojego hasła.", "Hasło zostało zmienione.", "Numer karty bibliotecznej"}},
	{"ru", []string{"Пароль", "ПАРОЛЬ", "Номер карты", "API-ключ", "Код из СМС"},
		[]string{"Чтобы продолжить, введите пароль от аккаунта"},
		[]string{"Никогда не сообщайте пароль.", "Ваш пароль был изменён.", "Открытый ключ"}},
	{"tr", []string{"Şifre", "ŞİFRE", "sifre", "Kart numarası", "API anahtarı"},
		[]string{"Devam etmek için lütfen hesap şifrenizi girin"},
		[]string{"Şifrenizi kimseyle paylaşmayın.", "Şifreniz değiştirildi."}},
	{"zh", []string{"密码", "登录密码", "銀行密碼", "验证码", "信用卡号", "API密钥"}, []string{"请输入您的密码", "为了继续操作请填写短信验证码"},
		[]string{"请勿输入密码", "您的密码已更改", "密码学入门", "会员卡号"}},
	{"ja", []string{"パスワード", "暗証番号", "クレジットカード番号", "APIキー"}, []string{"続行するにはアカウントのパスワードを入力してください"},
		[]string{"ここにはパスワードを入力しないでください", "アカウントのパスワードは不要です", "パスワードの長さ", "会員カード番号"}},
	{"ko", []string{"비밀번호", "카드 번호", "인증번호", "API 키"}, []string{"계속하려면 계정 비밀번호를 입력해 주세요"},
		[]string{"비밀번호를 입력하지 마세요", "비밀번호 정책", "암호화 방식"}},
	{"ar", []string{"كلمة المرور", "رقم البطاقة", "رمز التحقق"}, []string{"يرجى إدخال كلمة المرور للمتابعة"},
		[]string{"لا تدخل كلمة المرور هنا", "رقم بطاقة المكتبة"}},
	{"da", []string{"Adgangskode", "ADGANGSKODE", "API-nøgle", "Kortnummer", "Engangskode", "Pinkode"},
		[]string{"Indtast din adgangskode for at fortsætte"}, []string{"Del aldrig din adgangskode", "Glemt adgangskode"}},
	{"nb", []string{"Passord", "API-nøkkel", "PIN-kode", "Gjenopprettingsfrase"},
		[]string{"For å fortsette må du oppgi ditt passord"}, []string{"Oppgi aldri ditt passord her"}},
	{"sv", []string{"Lösenord", "losenord", "API-nyckel", "Kortnummer", "Engångskod", "PIN-kod"},
		[]string{"Ange ditt lösenord för att fortsätta"}, []string{"Dela aldrig ditt lösenord"}},
	{"fi", []string{"Salasana", "Tunnusluku", "API-avain", "Kortin numero", "Palautuslause"},
		[]string{"Jatka kirjoittamalla: syötä salasanasi"}, []string{"Älä koskaan kerro salasanaa", "Salasanan pituus"}},
	{"cs", []string{"Heslo", "Číslo karty", "API klíč", "Jednorázový kód", "PIN kód"},
		[]string{"Pro pokračování zadejte své heslo"}, []string{"Nikdy nezadávejte své heslo", "Délka hesla"}},
	{"hu", []string{"Jelszó", "Kártyaszám", "API-kulcs", "Ellenőrző kód", "PIN-kód"},
		[]string{"A folytatáshoz kérjük, adja meg jelszavát"}, []string{"Elfelejtett jelszó"}},
	{"ro", []string{"Parola contului", "Codul PIN", "Numărul cardului", "Cheie API", "Frază de recuperare"},
		[]string{"Pentru a continua, introduceți parola dumneavoastră"}, []string{"Nu introduceți niciodată parola ta aici"}},
	{"el", []string{"Κωδικός πρόσβασης", "Αριθμός κάρτας", "Κλειδί API", "Κωδικός PIN"},
		[]string{"Για να συνεχίσετε εισάγετε τον κωδικό πρόσβασης"}, []string{"Μην εισάγετε ποτέ τον κωδικό πρόσβασης"}},
	{"uk", []string{"Пароль", "Номер картки", "Ключ API", "Код підтвердження", "Фраза відновлення"},
		[]string{"Щоб продовжити, введіть свій пароль"}, []string{"Ніколи не повідомляйте пароль", "Довжина пароля"}},
	{"hi", []string{"पासवर्ड", "आपका पासवर्ड", "ओटीपी", "कार्ड नंबर", "एपीआई कुंजी"},
		[]string{"जारी रखने के लिए अपना पासवर्ड दर्ज करें"}, []string{"पासवर्ड नीति"}},
	{"th", []string{"รหัสผ่าน", "รหัสผ่านของคุณ", "รหัส OTP", "หมายเลขบัตร", "คีย์ API"},
		[]string{"กรุณากรอกรหัสผ่านของคุณ"}, []string{"อย่ากรอกรหัสผ่าน", "ลืมรหัสผ่าน"}},
	{"vi", []string{"Mật khẩu", "mat khau", "Mã PIN", "Mã OTP", "Khóa API"},
		[]string{"Để tiếp tục, vui lòng nhập mật khẩu của bạn"},
		[]string{"Không bao giờ nhập mật khẩu ở đây", "Quên mật khẩu"}},
	{"id", []string{"Kata sandi", "Kode OTP", "Nomor kartu", "Kunci API", "Frasa pemulihan"},
		[]string{"Untuk melanjutkan, masukkan kata sandi Anda"}, []string{"Jangan pernah masukkan kata sandi di sini"}},
	{"he", []string{"סיסמה", "הסיסמה שלך", "קוד חד-פעמי", "מספר כרטיס", "מפתח API"},
		[]string{"כדי להמשיך נא להזין, הקלידו את הסיסמה"}, []string{"אל תמסרו את הסיסמה", "אורך הסיסמה"}},
	{"fa", []string{"رمز عبور", "گذرواژه", "رمز یکبار مصرف", "شماره کارت", "کلید API"},
		[]string{"برای ادامه رمز عبور خود را وارد کنید"}, []string{"هرگز رمز عبور خود را وارد نکنید", "طول رمز عبور"}},
}

func TestLanguages(t *testing.T) {
	for _, lang := range askedIn {
		if !slices.ContainsFunc(languages[:], func(l language) bool { return l.tag == lang.tag }) {
			t.Errorf("%s is no language of the table", lang.tag)
		}
		for _, text := range lang.labels {
			if _, ok := Label(text); !ok {
				t.Errorf("%s Label(%q) found nothing", lang.tag, text)
			}
		}
		for _, text := range lang.asks {
			if _, ok := find(text, true); !ok {
				t.Errorf("%s find(%q, true) found nothing", lang.tag, text)
			}
		}
		for _, text := range lang.silent {
			if m, ok := find(text, true); ok {
				t.Errorf("%s find(%q, true) = %q; want none", lang.tag, text, m.Word)
			}
		}
	}
	if len(askedIn) != len(languages)-1 {
		t.Errorf("%d languages tested beside English; want %d", len(askedIn), len(languages)-1)
	}
}

func TestField(t *testing.T) {
	for _, f := range []struct{ name, title, description, want string }{
		{"value", "Value", "Enter your API key", "api key"},
		{"value", "Password", "", "password"},
		{"otp", "Code", "", "otp"},
		{"email", "E-mail", "Where we send the receipt", ""},
		{"confirm", "Confirm", "We will never ask you to enter your password", ""},
	} {
		if got, ok := Field(f.name, f.title, f.description); got != f.want || ok != (f.want != "") {
			t.Errorf("Field(%q, %q, %q) = %q, %v; want %q", f.name, f.title, f.description, got, ok, f.want)
		}
	}
}

func TestTables(t *testing.T) {
	for _, lang := range languages {
		for k := harmless; k <= other; k++ {
			list := lang.list(k)
			if len(list) == 0 && (k == anywhere || k == negations) {
				t.Errorf("%s list %d is empty", lang.tag, k)
			}
			seen := map[string]bool{}
			for phrase := range list.all {
				c := cursor{text: phrase}
				if key, _ := c.head(); k <= glued && uint32(key) == 0 {
					t.Errorf("%s %q: a phrase has at least two letters", lang.tag, phrase)
				}
				if end, ok := c.spell(phrase, false); !ok || end.at != len(phrase) || seen[phrase] {
					t.Errorf("%s %q does not match itself, or stands twice", lang.tag, phrase)
				}
				if k >= after && !kindsOf(phrase).has(k) {
					t.Errorf("%s %q is not found in the vocabulary", lang.tag, phrase)
				}
				seen[phrase] = true
			}
		}
		for phrase := range lang.anywhere.all {
			if m, ok := Label(phrase); !ok || m.Start != 0 || m.End != len(phrase) {
				t.Errorf("%s Label(%q) = %+v, %v", lang.tag, phrase, m, ok)
			}
		}
	}
}

func TestFieldAllocatesNothing(t *testing.T) {
	n := testing.AllocsPerRun(100, func() {
		Field("max_tokens", "Token count", "Used to reset the account password; see the password policy")
	})
	if n != 0 {
		t.Errorf("%v allocations; want 0", n)
	}
}

func FuzzField(f *testing.F) {
	for _, s := range ordinary {
		f.Add(s)
	}
	f.Add(strings.Repeat("password policy ", 50))
	f.Fuzz(func(t *testing.T, s string) {
		bothSearches(t, s)
		for _, prose := range []bool{false, true} {
			if m, ok := find(s, prose); ok && (m.Start < 0 || m.Start >= m.End || m.End > len(s) || m.Word == "") {
				t.Errorf("%q: %+v", s, m)
			}
		}
	})
}

func BenchmarkField(b *testing.B) {
	for b.Loop() {
		Field("max_tokens", "Token count", "How many tokens the model may write before it stops; see the password policy")
	}
}

func BenchmarkProseMebibyte(b *testing.B) {
	text := strings.Repeat("password policy ", 1<<16)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		find(text, true)
	}
}
