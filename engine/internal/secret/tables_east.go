package secret

var polish = language{
	doubles: `numer karty|numeru karty|hasło|hasła|hasłem|hasłu`,
	tag:     "pl",
	anywhere: `kod autoryzacyjny|kod autoryzacji|kod potwierdzający|kod z smsa|kod dostępu|kod odblokowania|kod blik|BLIK|
słowa odzyskiwania|nazwisko panieńskie|numer paszportu|kod uwierzytelniający|kod cvc|kod cvv|hasło|hasła|hasłem|
hasłu|klucz API|klucza API|klucz prywatny|klucza prywatnego|klucz dostępu|tajny klucz|token dostępu|
numer karty kredytowej|numer karty|numeru karty|kod PIN|kod weryfikacyjny|kod jednorazowy|kod SMS|kod z SMS|
kod bezpieczeństwa|fraza odzyskiwania|fraza seed|numer PESEL|PESEL|dane logowania|numer dowodu`,
	ending: `karta kredytowa`,
	glued:  `haslo`,
	harmless: `numer karty bibliotecznej|numer karty lojalnościowej|hasło zostało|hasło wygasło|hasło reklamowe|
klucz publiczny`,
	after: `wygasa|wygasło|ważne`,
	asks:  `podaj|wpisz|wprowadź|potwierdź|podać|wpisać|wklej|powtórz|wyślij|prosimy`,
	about: `rozdział|artykuł|dotyczący|dni|minimalna|maksymalna|ile|tygodni|miesięcy|zmieniać|liczba|zapomniałeś|
zapomniałaś|długość|zmiany|resetuj|resetowanie|jak|czy|polityka|zasady|siła`,
	happened:  `zostało|wygasło|zmieniono|musi|wygasa`,
	articles:  `swój|swoje|swojego|twój|nowy|nowe|ten|to`,
	negations: `nie|nigdy|bez|żadnego|żadnych`,
	between:   `wpisuj|podawaj|udostępniaj|swojego|swoich|tu|tutaj|nikomu|proszę|żadnego|poprosimy|o|potrzebujemy|żadnych`,
}

var russian = language{
	doubles: `номер карты`,
	tag:     "ru",
	anywhere: `резервный код|код авторизации|код доступа|код из приложения|код из письма|слова восстановления|
девичья фамилия|секретные слова|кодовая фраза|ИНН|смс кода|кода из смс|коду из смс|пароль|пароля|паролем|паролю|пароли|
кодовое слово|секретное слово|секретный ключ|закрытый ключ|приватный ключ|ключ API|API ключ|ключ доступа|токен доступа|
номер карты|номер банковской карты|код из СМС|СМС код|код из SMS|код подтверждения|одноразовый код|проверочный код|
код безопасности|сид фраза|сид фразу|фраза восстановления|пин код|номер паспорта|паспортные данные|данные карты|СНИЛС`,
	ending:   `пин|токен`,
	glued:    `пароль`,
	harmless: `номер карты лояльности|номер карты читателя|пароль был|пароль изменён|пароль истёк|открытый ключ`,
	after:    `действует|истекает|забыт|истёк|изменён|устарел`,
	asks:     `введите|укажите|вставьте|сообщите|подтвердите|повторите|напишите|пришлите|отправьте|введи`,
	about: `глава|статья|касательно|дней|минимальная|максимальная|сколько|недель|месяцев|менять|через|забыли|длина|сброс|
сложность|срок|как|смена|изменение|сменить|длину|менеджер`,
	happened:  `был|будет|истекает|истёк|изменён|обновлён|должен`,
	articles:  `ваш|свой|новый|этот|сюда`,
	negations: `не|никогда|без|нет|никакой`,
	between: `вводите|сообщайте|указывайте|передавайте|отправляйте|свой|ваш|никому|здесь|пожалуйста|никакой|нужен|
требуется|спросим|нам|ваши|свои|вводить`,
}

var turkish = language{
	doubles: `kart numarası`,
	tag:     "tr",
	anywhere: `onay kodu|onay kodunu|onay kodunuz|onay kodunuzu|TCKN|TC kimlik|tek kullanımlık kod|tek kullanımlık şifre|
kurtarma kelimeleri|giriş kodu|kızlık soyadı|SMS kodu|pin kodu|kilit açma kodu|mobil onay kodu|şifre|şifreniz|
şifrenizi|şifreni|şifreyi|şifresi|parolanız|parolanızı|parolanı|parolayı|yeni parola|kart numarası|
kart numaranız|kart numaranızı|güvenlik kodu|güvenlik kodunu|doğrulama kodu|doğrulama kodunu|gizli anahtar|
özel anahtar|API anahtarı|API anahtarınız|API anahtarınızı|erişim anahtarı|erişim belirteci|kurtarma ifadesi|
kimlik numarası|kimlik numaranız|kimlik numaranızı|TC kimlik no`,
	ending:   `kredi kartı`,
	harmless: `kütüphane kart numarası|şifre çözme|sadakat kart numarası`,
	after: `hakkında|ilgili|kaç|gün|ne sıklıkla|uzunluğu|politikası|sıfırlama|yöneticisi|süresi|kuralları|değiştirildi|
unuttum`,
	asks:      `giriniz|girin`,
	about:     `unuttunuz|nasıl|sıfırla`,
	happened:  `değiştirildi|güncellendi|kaydedildi`,
	articles:  `yeni|bir|lütfen|sizin`,
	negations: `asla|hiçbir`,
	between:   `kimseyle|burada|lütfen|bir`,
	asksLater: []string{
		"girin", "giriniz", "yazın", "yazınız", "gönderin", "onaylayın", "yapıştırın", "girmeniz", "paylaşın",
	},
	refuses: []string{
		"girmeyin", "girmeyiniz", "yazmayın", "paylaşmayın", "paylaşmayınız", "vermeyin", "istemeyiz", "sormayız",
		"gerekmez",
		"gerekli değil", "gerekmiyor",
	},
}

var chinese = language{
	doubles: `卡号|卡號`,
	tag:     "zh",
	anywhere: `短信码|校验码|恢复短语|恢复词|动态口令|安全问题答案|母亲的姓|解锁码|取款码|授权码|口令码|密码|密碼|口令|验证码|驗證碼|动态码|私钥|私鑰|密钥|密鑰|助记词|助記詞|信用卡号|信用卡號|银行卡号|
卡号|卡號|身份证号|身分證字號|安全码|安全碼|访问令牌|存取權杖`,
	ending: `信用卡|令牌`,
	harmless: `密码有效|密码最|密码历史|密码过期|密码天数|密码更换|密码轮换|令牌数|最大令牌|令牌上限|密码位数|密码学|密码子|密码本|密码长度|密码强度|密码策略|密码规则|密码管理|密码提示|密码类型|会员卡号|
會員卡號|图书卡号|公钥|学生卡号|密钥长度|密钥算法`,
	after:     `最|有效|字|天|历|每|多|几|更|轮|期|名|存|过|长|強|强|策|规|重|管|类|学|算`,
	asks:      `输|輸|填|提|供|写|请|請|粘|贴|说|告`,
	about:     `关|於|于|忘|何|多`,
	happened:  `已|被|将|过|有`,
	articles:  `您|你|的|新|入|供|写`,
	negations: `勿|不|别|無|无|莫|免`,
	between:   `要|在|此|处|输|入|填|写|提|供|您|你|的|任|何|分|享|泄|露|与|用|需|會|会|向|索|取|問|问|透|他|人|告|诉|輸|請|请|將|将|把`,
}

var japanese = language{
	doubles: `カード番号`,
	tag:     "ja",
	anywhere: `認証番号|確認番号|復元フレーズ|リカバリーワード|ワンタイムコード|SMSコード|ログインコード|解除コード|母親の旧姓|旧姓|暗証|パスワード|暗証番号|合言葉|秘密鍵|認証コード|確認コード|
ワンタイムパスワード|クレジットカード番号|カード番号|セキュリティコード|マイナンバー|シードフレーズ|パスフレーズ|APIキー|アクセスキー|アクセストークン|秘密の質問の答え|リカバリーフレーズ`,
	ending: `トークン|クレジットカード`,
	harmless: `パスワードに関する|パスワードについて|トークンに関する|パスワードの最|パスワードは何|パスワードが何|パスワードの有効|パスワードの文字|パスワード変更|パスワードの変更|パスワードの更新|パスワード強度|
パスワードの履歴|トークンの上限|トークン数|最大トークン|会員カード番号|図書カード番号|ポイントカード番号|パスワードの長さ|パスワードの有効期限|パスワードの強度|パスワードポリシー|パスワードマネージャ|
パスワードのリセット|パスワードを忘れ|パスワードが変更|パスワードは変更|パスワードの文字数|公開鍵|パスワード管理`,
	after:     `長`,
	asks:      `入|打`,
	about:     `忘|方`,
	negations: `不|無`,
	between:   `要|用`,
	asksLater: []string{"入力", "教えて", "お知らせ", "記入", "ご提示", "送信", "貼り付け", "打ち込"},
	refuses:   []string{"しないで", "ないでください", "ません", "不要", "せずに", "禁止", "なしで", "お控え"},
}

var korean = language{
	doubles: `카드 번호`,
	tag:     "ko",
	anywhere: `보안카드 번호|복구 단어|간편 비밀번호|인증코드|보안코드|일회용 비밀번호|잠금 해제 번호|비밀번호|암호|패스워드|인증번호|인증 코드|일회용 코드|신용카드 번호|카드 번호|주민등록번호|보안 코드|
개인 키|비밀 키|시드 구문|복구 구문|API 키|액세스 키|액세스 토큰`,
	harmless: `비밀번호에 관한|비밀번호에 대한|비밀번호 변경|비밀번호는 며칠|비밀번호를 며칠|비밀번호는 몇|비밀번호 최소|비밀번호 유효|비밀번호 최대|비밀번호 강도|토큰 수|최대 토큰|암호화|암호학|암호문|
비밀번호 길이|비밀번호 정책|비밀번호를 잊|비밀번호 재설정|비밀번호 관리|비밀번호가 변경|비밀번호가 만료|도서관 카드 번호|회원 카드 번호|멤버십 카드 번호|개인 키워드`,
	negations: `절대`,
	between:   `로`,
	asksLater: []string{"입력", "알려", "적어", "제공", "보내", "붙여"},
	refuses:   []string{"마세요", "마십시오", "말아", "말고", "않습니다", "않아", "필요 없", "불필요", "없이"},
}

var arabic = language{
	doubles: `رقم البطاقة`,
	tag:     "ar",
	anywhere: `رمز الدخول|كلمات الاسترداد|الرقم القومي|رقم الضمان الاجتماعي|رمز التفعيل|رمز المرور|رمز القفل|
رقم جواز السفر|كلمة السر الخاصة|الرقم الوطني|كلمة المرور|كلمة مرور|كلمة مرورك|كلمة السر|كلمة سر|الرقم السري|
الرمز السري|رمز التحقق|رمز الأمان|رمز التأكيد|المفتاح الخاص|المفتاح السري|مفتاح API|رقم البطاقة|رقم بطاقة الائتمان|
رقم بطاقتك|عبارة الاسترداد|رمز الوصول|رقم الهوية`,
	harmless:  `رقم بطاقة المكتبة|المفتاح العام`,
	asks:      `أدخل|ادخل|اكتب|أرسل|زودنا|الصق|أكد|إدخال|يرجى`,
	about:     `كم|عن|حول|أيام|بالأيام|عدد|الحد|صلاحية|نسيت|طول|سياسة|كيف|إعادة|مدة`,
	happened:  `تم|ستنتهي|انتهت|منتهية`,
	articles:  `هنا`,
	negations: `لا|لن|أبدا|بدون|دون`,
	between:   `تدخل|تكتب|تشارك|ترسل|نطلب|أبدا|منك|هنا|إدخال|تعط`,
}
