package secret

var greek = language{
	tag: "el",
	anywhere: `κωδικός πρόσβασης|κωδικό πρόσβασης|κωδικού πρόσβασης|συνθηματικό|κωδικός μιας χρήσης|κωδικό μιας χρήσης|
κωδικός PIN|κωδικό PIN|κωδικός επαλήθευσης|κωδικό επαλήθευσης|κωδικός ασφαλείας|κωδικό ασφαλείας|αριθμός κάρτας|
αριθμό κάρτας|αριθμός της κάρτας|αριθμό της κάρτας|κλειδί API|ιδιωτικό κλειδί|μυστικό κλειδί|φράση ανάκτησης|
κωδικός σας|κωδικό σας|αριθμός ταυτότητας|στοιχεία σύνδεσης`,
	harmless:  `μήκος κωδικού πρόσβασης|κωδικός πρόσβασης έχει`,
	asks:      `εισάγετε|πληκτρολογήστε|δώστε|γράψτε|επιβεβαιώστε|στείλτε|εισαγάγετε`,
	about:     `μήκος|πόσοι|πόσους|πώς|ξεχάσατε`,
	articles:  `τον|το|την`,
	negations: `ποτέ|μην|δεν|χωρίς`,
	between:   `ποτέ|εισάγετε|πληκτρολογήσετε|δώσετε|τον|το|την`,
}

var ukrainian = language{
	tag: "uk",
	anywhere: `пароля|паролю|одноразовий код|код підтвердження|код із СМС|код з СМС|код із SMS|номер картки|номер карти|
ключ доступу|приватний ключ|секретний ключ|закритий ключ|фраза відновлення|фразу відновлення|сід фраза|пін коду|
код безпеки|номер паспорта|дані для входу`,
	harmless:  `довжина пароля|зміна пароля|пароль було`,
	asks:      `введіть|вкажіть|напишіть|підтвердіть|надішліть|вставте|повідомте`,
	about:     `довжина|скільки|забули|зміна`,
	articles:  `свій|новий|цей`,
	negations: `ніколи|немає`,
	between:   `вводьте|повідомляйте|вказуйте|свій|нікому|тут`,
}

var hindi = language{
	tag: "hi",
	anywhere: `पासवर्ड|पिन नंबर|पिन कोड|पिन|ओटीपी|एपीआई कुंजी|एपीआई की|कार्ड नंबर|कार्ड संख्या|गुप्त कुंजी|निजी कुंजी|
रिकवरी वाक्यांश|सीड वाक्यांश|सत्यापन कोड|सुरक्षा कोड|आधार संख्या|आधार नंबर`,
	harmless:  `पासवर्ड बदल|पासवर्ड नीति|पासवर्ड की लंबाई|क्षेत्र का पिन कोड`,
	about:     `कितने|कितनी|लंबाई|कैसे|भूल`,
	negations: `कभी|मत`,
	asksLater: []string{"दर्ज", "डालें", "बताएं", "लिखें", "भेजें", "दें"},
	refuses:   []string{"न डालें", "न बताएं", "मत", "नहीं"},
}

// Thai writes no spaces between words, so a sentence with one of these phrases asks unless a phrase refuses.
var thai = language{
	tag: "th",
	anywhere: `รหัสผ่าน|รหัสพิน|รหัส PIN|รหัส OTP|รหัสยืนยัน|รหัสลับ|รหัสความปลอดภัย|รหัสใช้ครั้งเดียว|หมายเลขบัตร|
เลขบัตรเครดิต|เลขบัตรประชาชน|คีย์ API|กุญแจส่วนตัว|คีย์ส่วนตัว|คีย์ลับ|วลีกู้คืน|วลีลับ`,
	harmless: `ห้ามกรอกรหัสผ่าน|อย่ากรอกรหัสผ่าน|อย่าบอกรหัสผ่าน|ไม่ต้องใช้รหัสผ่าน|ลืมรหัสผ่าน|เปลี่ยนรหัสผ่าน|
ความยาวรหัสผ่าน|ความยาวของรหัสผ่าน|นโยบายรหัสผ่าน|หมายเลขบัตรสมาชิก`,
	negations: `ห้าม|อย่า`,
}

var vietnamese = language{
	tag: "vi",
	anywhere: `mật khẩu|mã PIN|mã OTP|mã xác minh|mã xác nhận|mã xác thực|mã bảo mật|số thẻ tín dụng|số thẻ ngân hàng|
khóa API|khoá API|khóa bí mật|khóa riêng|cụm từ khôi phục|cụm từ hạt giống|số căn cước`,
	harmless:  `quên mật khẩu|đổi mật khẩu|độ dài mật khẩu|mật khẩu đã`,
	asks:      `nhập|điền|cung`,
	about:     `dài|bao|quên|đổi`,
	negations: `không|đừng`,
	between:   `bao|giờ|nhập|chia|sẻ|cung|cấp`,
}

var indonesian = language{
	tag: "id",
	anywhere: `kata sandi|sandi Anda|sandi baru|kode OTP|kode verifikasi|kode PIN|kode sekali pakai|kode keamanan|
nomor kartu|kunci API|kunci rahasia|kunci privat|kunci pribadi|frasa pemulihan|frasa benih|nomor induk kependudukan`,
	harmless:  `lupa kata sandi|ganti kata sandi|panjang kata sandi|nomor kartu anggota`,
	asks:      `masukkan|ketik|isi|kirim|berikan|tulis|tempel`,
	about:     `panjang|berapa|lupa|ganti`,
	negations: `jangan|tidak|tanpa`,
	between:   `pernah|masukkan|berikan|bagikan|ketik`,
}

var hebrew = language{
	tag: "he",
	anywhere: `סיסמה|סיסמא|הסיסמה|הסיסמא|סיסמתך|סיסמתכם|קוד אימות|קוד האימות|קוד חד פעמי|הקוד החד פעמי|קוד סודי|
קוד PIN|מספר כרטיס|מספר הכרטיס|מספר כרטיס האשראי|מפתח API|מפתח פרטי|המפתח הפרטי|מפתח סודי|ביטוי שחזור|מילות שחזור|
מספר זהות|תעודת זהות`,
	harmless:  `אורך הסיסמה|שכחתי סיסמה|שכחת סיסמה|מספר כרטיס ספרייה`,
	asks:      `הזן|הזינו|הזיני|הקלד|הקלידו|הכנס|הכניסו|כתוב|שלח|שלחו|נא`,
	about:     `אורך|כמה|שכחת|מדיניות`,
	negations: `אל|לא|לעולם|בלי|ללא`,
	between:   `תזינו|תזין|תקליד|תמסרו|את|כאן`,
}

var persian = language{
	tag: "fa",
	anywhere: `رمز عبور|گذرواژه|کلمه عبور|رمز یکبار مصرف|رمز یک بار مصرف|رمز دوم|رمز پویا|کد تأیید|کد تایید|شماره کارت|
کلید API|کلید خصوصی|کلید محرمانه|عبارت بازیابی|کلمات بازیابی|پین کد|کد پین|کد ملی`,
	harmless:  `طول رمز عبور|فراموشی رمز عبور|تغییر رمز عبور|شماره کارت کتابخانه`,
	asks:      `لطفا|بنویسید`,
	about:     `طول|چند|چگونه`,
	negations: `هرگز|هیچ|بدون|هیچگاه`,
	between:   `وقت|گاه|خود`,
	asksLater: []string{"وارد کنید", "بنویسید", "بفرستید", "ارسال کنید"},
	refuses:   []string{"وارد نکنید", "ندهید", "نگویید"},
}
