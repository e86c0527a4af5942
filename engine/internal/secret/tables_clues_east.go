package secret

var cluesEast = [...]string{`
ask: podaj|podać|wpisz|wpisać|wprowadź|przepisz|przepisać|prześlij|wyślij|wklej|napisz|proszę|prosimy|jaki|jaka
|jakie|potwierdź|potrzebujemy|dyktuj|przekaż
code: kod|kodu|cyfra|cyfry|cyfr|cyframi|kombinacj*|znaki|znaków|wzór|ciąg cyfr|sekwencj*
thing: numer|numeru|liczba|liczby|liczbę|słowo|słowa|fraz*|ciąg|linia|numerek|zdanie
words: słów|słowa|wyrazy|wyrazów
count: trzy|cztery|pięć|sześć|siedem|osiem|dziewięć|szesnaście|trzycyfrow*|czterocyfrow*|sześciocyfrow*
dozen: dwanaście|dwadzieścia cztery|tuzin|dwunastu|dwudziestu czterech
sent: wysłał*|wysłan*|przysłał*|przysłan*|dostałeś|dostałaś|dostał*|otrzymał*|otrzymałeś|przyszedł|przyszły|przyszło
|przyszła|nadszedł|pojawił*|wyświetl*|pokazuje|przesłał*|przesłan*
text: sms|smsem|smsie|esemes*|wiadomość tekstow*|wiadomości tekstow*|whatsapp
sender: bank|banku|telefon*|komórk*|aplikacj*|mail*|skrzynk*|ekran*|urządzeni*
app: authenticator|aplikacja uwierzytelniając*|generator kodów|tokena sprzętowego|token sprzętowy
card: karta|karty|karcie|kartą|kartę|plastik*
side: przód|przodu|przedzie|wytłoczon*|wydrukowan*|pasek|pasku|ważności|awers*
back: tył|tyłu|odwrocie|odwrotn*|rewers*|z tyłu|podpis*
unlock: odblokow*|logowan*|logujesz|zalogow*|loguje|ekran blokady|ekranie blokady|wejść na|wchodzisz|dostać się
what: to co|co wpisujesz|czego używasz|którym|którą|którego używasz|którego używa|co wpisuje|tego co|wpisujesz
|wpisujecie
know: tylko ty|tylko pan|tylko pani|nikt inny|nikt poza|znane tylko|które zna tylko|zna tylko
wallet: portfel*|wallet|ledger|metamask|trezor|bitcoin|seed
order: kolejności|kolejno|po kolei|zapisał*|zapisane|kartce|kartka|papierze|odzysk*|przywr*|kopi* zapasow*
|kopia zapasowa
cash: bankomat*|wypłac*|wypłat*|gotówk*|przy kasie|terminal*
key: token|tokena|klucz|klucza|cookie|ciasteczk*
origin: świeżo|świeży|wygenerowan*|wygeneruj|utworzon*|konsol*|panel*|ustawie*|zaczyna się od|zaczynający się od
|skopiowan*
harmless: paczk*|przesył*|zamówie*|faktur*|kupon*|rabat*|promoc*|lojalnościow*|bibliote*|członkowsk*|wizytówk*
|pocztow*|kierunkow*|błędu|kod źródłow*|kod kresk*|kolor*|isbn|seryjn*|telefonu|numer telefonu|wersj*|minimal*
|maksymal*|minimum|maksimum|długość|polityk*|zasad*|regu*|ile|jak często|jak długo|liczba znaków|liczbę znaków|dni
|tygodni*|miesi*|rotacj*|zmian*|nazwa|nazwę|krzyżówk*|krzyżów*|szarad*|zagadk*|łamigłówk*|quiz*|gra|grze|gry|wiersz*
|streszcz*|podsumow*|opis*|opisz|pokój|pokoju|miejsc*|lotu|rezerwacj*|bilet*|licznik*|ostatnie cztery|umow*|klient*
|spraw*|projekt*|artykuł*|zaproszen*|słowa kluczowe|słów kluczowych|hasło reklamowe|poziomo|pionowo
never: nigdy|nie podawaj|nie udostępniaj|nie wpisuj|nie trzeba
user: nazwa użytkownika|login|e mail|email|adres|dostawc*|stron*|przeglądark*|data|godzin*
contents: zawartość|treść|wklej|skopiuj|cały plik
other: bibliote*|lojalnościow*|członkowsk*|krzyżówk*|krzyżów*|szarad*|poziomo|pionowo|litery|liter|zagadk*
|łamigłówk*|encyklopedi*|słownik*|slogan*|reklam*|wybiorcz*|demonstracj*
attribute: nazwa|nazwy|długość|rozmiar|tytuł|rodzaj|liczba|treść
generic: wartość|odpowiedź|tekst|pole|dane|wpis
`, `
ask: введите|ввести|введи|укажите|указать|сообщите|сообщи|пришлите|отправьте|напишите|назовите|продиктуйте|вставьте
|скопируйте|перепишите|какой|какая|какие|каков|нужны|нужен|нужно|подтвердите|передайте|впишите
code: код|кода|цифр*|комбинаци*|символ*|последовательност*|рисунок|узор
thing: номер|номера|число|числа|слово|фраз*|строк*|набор
words: слова|слов
count: три|четыре|пять|шесть|семь|восемь|девять|шестнадцать|трехзначн*|трёхзначн*|четырехзначн*|четырёхзначн*
|шестизначн*
dozen: двенадцать|двадцать четыре|дюжин*|двенадцати|пятнадцать|восемнадцать
sent: прислал*|прислан*|отправил*|отправлен*|получил*|получен*|пришел|пришёл|пришло|пришли|пришла|приходит|придет
|придёт|поступил*|появил*|показан*|показывает|отображ*|выслал*|выслан*
text: смс*|sms|эсэмэс*|сообщении|whatsapp|ватсап*
sender: банк*|телефон*|мобильн*|приложени*|мы|почт*|экран*|устройств*|сбер*
app: аутентификатор*|authenticator|генератор* кодов|генератор кодов|токен генератор
card: карта|карты|карте|картой|карту|карточк*|пластик*
side: лицев*|спереди|выдавлен*|напечатан*|полос*|срок действия|выбит*
back: оборот*|обратн*|сзади|задн*|подпис*
unlock: разблокир*|вход*|войти|входите|заходите|зайти|экран* блокировки|экране блокировки|авторизаци*|залогин*
|снять блокировку|открываете телефон
what: то что вы|что вы вводите|чем вы|которым вы|которую вы|который вы|которое вы|с помощью которого|то что вводите
|что набираете|что вводишь
know: только вы|только вам|никто кроме|никому не|кроме вас|известн* только|знаете только вы|известное только
wallet: кошел*|wallet|ledger|metamask|trezor|биткоин*|сид
order: по порядку|порядке|записал*|записан*|бумаг*|бумажк*|листк*|восстановлен*|восстановить|резервн*
cash: банкомат*|снять деньги|снимаете|наличн*|снятии|терминал*|на кассе
key: токен|токена|ключ|ключа|куки|cookie
origin: свеж*|сгенерирован*|созданн*|созда*|консол*|панел*|настройк*|личного кабинета|личном кабинете|начинается с
|начинающ*|скопирован*
harmless: посылк*|отслежив*|заказ*|счет*|счёт фактур*|купон*|скидк*|промокод*|промо*|лояльност*|библиоте*
|читательск*|абонемент*|визитк*|открытк*|почтовый индекс|индекс|код города|код страны|код ошибки|исходный код
|код цвета|штрих*|isbn|серийн*|номер телефона|номер мобильного|верси*|минимальн*|максимальн*|минимум|максимум|длин*
|политик*|правил*|сколько|как часто|как долго|количеств*|число символов|дней|дни|недел*|месяц*|ротаци*|смен*
|название|назван*|имя секрета|кроссворд*|загадк*|викторин*|игр*|стих*|резюме|кратко|опишите|описани*|отзыв*|мнение
|комнат*|место|места|рейс*|бронирован*|билет*|счетчик*|счётчик*|последние четыре|договор*|клиент*|дел|проект*
|артикул*|приглашен*|последние цифры|ключевые слова|ключевых слов
never: никогда|не сообщайте|не вводите|не передавайте|не нужно|не требуется
user: имя пользователя|логин|электронн*|адрес|провайдер*|сайт|страниц*|браузер*|дата|время
contents: содержимое|вставьте|скопируйте|весь файл
other: библиоте*|лояльност*|читательск*|абонемент*|клубн*|кроссворд*|загадк*|плат*|разъем*|разъём*|игр*
attribute: имя секрета|название|названия|длина|размер|заголовок|тип|количество|текст
generic: значение|ответ|текст|поле|данные|ввод
`, `
ask: girin|giriniz|yazın|yazınız|gönderin|söyleyin|paylaşın|yapıştırın|kopyalayın|iletin|nedir|hangi|lütfen|bildirin
|doldurun|tuşlayın|okuyun
code: kod|kodu|kodunuz|kodunu|kodunuzu|hane*|haneli|rakam*|karakter*|kombinasyon*|desen*|onay kodu
thing: numara*|sayı*|kelime|kelimeyi|ifade*|dizi*|satır*|söz*
words: kelimeler*|kelime*|sözcük*
count: üç|dört|beş|altı|yedi|sekiz|dokuz|on altı
dozen: on iki|yirmi dört|oniki|düzine|on beş|on sekiz
sent: gönder*|gelen|geldi|aldığınız|aldığın|ulaş*|ilettiği*|iletilen|görün*|gösterilen|gösterdiği|yollanan|yolladığ*
|çıkan
text: sms|mesajla|kısa mesaj*|whatsapp|mesajındaki|mesajdaki
sender: banka*|telefon*|cep*|uygulama*|biz|e posta*|ekran*|cihaz*|posta kutu*
app: authenticator|doğrulama uygulama*|kod üretici|şifrematik|doğrulayıcı*
card: kart|kartın*|kartınız*|karttaki|kartta|visa
side: önünde*|önyüz*|kabartma*|basılı|son kullanma|şerit*|ön yüz*
back: arka*|arkasında*|arka yüz*|imza*|arkadaki
unlock: kilid*|kilit*|giriş yap*|oturum aç*|girerken|açarken|açmak için|girmek için|açtığın*
what: kullandığınız*|kullandığın*|yazdığınız*|yazdığın*|girdiğiniz*|girdiğin*|ne yazıyorsunuz|ne giriyorsunuz
|bastığınız*|çizdiğiniz*
know: yalnızca siz|sadece siz|sizden başka|yalnız siz|sadece sizin|yalnızca sizin|kimsenin bilmediği|başka kimse
wallet: cüzdan*|wallet|ledger|metamask|trezor|bitcoin|tohum
order: sıra*|sırasıyla|sırayla|not ettiğ*|yazdığınız kağıt*|kağıt*|kağıd*|kurtarma|yedek*|geri yükle*
cash: atm*|bankamatik*|para çek*|çekerken|pos cihaz*|kasada
key: token*|anahtar*|çerez*|belirteç*
origin: yeni|taze|üret*|oluştur*|konsol*|panel*|ayarlar*|ile başlayan|başlayan|kopyala*
harmless: kargo*|takip|sipariş*|fatura*|kupon*|indirim*|promosyon*|kampanya*|sadakat|kütüphane*|üye*|kartvizit*
|posta kodu*|alan kodu|ülke kodu|hata kodu|kaynak kod*|renk kodu|barkod*|isbn|seri no*|seri numara*|telefon numara*
|cep telefonu numara*|sürüm*|en az|en fazla|en çok|asgari|azami|uzunlu*|politika*|kural*|kaç|ne sıklıkla|sayısı
|adedi|gün*|hafta*|ay|aylık|döngü*|adı|ismi|isim|bulmaca*|bilmece*|oyun*|şiir*|özet*|açıkla*|tanım*|görüş*|oda
|koltuk|uçuş*|rezervasyon*|bilet*|sayaç*|son dört|sözleşme*|müşteri*|dosya*|proje*|ürün*|davet*|anahtar kelime*
never: asla|paylaşmayın|girmeyin|yazmayın|gerekmez|gerek yok
user: kullanıcı adı*|e posta adres*|adres*|sağlayıcı|sayfa*|site*|tarayıcı*|tarih*|saat*
contents: içeriğ*|içerik*|yapıştırın|kopyalayın|tamamını
other: kütüphane*|sadakat|üye*|bulmaca*|oyun*
attribute: adı|uzunluk|boyut|başlık|tür|sayısı
generic: değer|yanıt|cevap|metin|giriş|alan|veri
`, `
ask: 请输入|請輸入|输入|輸入|填写|填寫|请填|請填|告诉|告訴|提供|发送|發送|发来|粘贴|貼上|报上|請提供|请问|什么|什麼|哪个|写下|寫下|回复|回覆|抄写|照抄|发给
code: 数字|數字|代码|代碼|号码|號碼|位数|位數|几位|字符|字元|图案|圖案|手势|手勢|编码|数码
thing: 那串|一串|那个词|单词|單詞|词语|詞語|句子|短语|短語|内容|東西|东西|那行|口诀|暗号
words: 单词|單詞|个词|個詞|词语|詞語|英文单词
count: 三位|四位|五位|六位|八位|十六位|三个|四个|六个|三個|四個|六個|四位數|六位數
dozen: 十二个|十二個|二十四个|二十四個|十二组
sent: 收到|发送|發送|发来|發來|发给|發給|寄来|刚刚发|刚发|剛剛|显示的|顯示的|跳出|弹出|推送|傳來|传来|寄給|寄到
text: 短信|簡訊|简讯|手机信息|訊息
sender: 银行|銀行|手机|手機|我们|我們|应用|屏幕|螢幕|邮箱|郵箱|电话|電話|设备|平台
app: 验证器|驗證器|身份验证器|令牌器|动态令牌|動態令牌|谷歌验证
card: 银行卡|銀行卡|信用卡|卡片|卡上|借记卡|金融卡|卡面|卡背
side: 正面|凸起|有效期|到期|印在|磁条|磁條|凸字
back: 背面|反面|签名|簽名|卡背|后面|後面
unlock: 解锁|解鎖|登录|登入|锁屏|鎖屏|锁定屏幕|開機|开机|进入账户|進入帳戶|打开手机|登陆
what: 您输入|你输入|您輸入|你輸入|时输入|時輸入|您用来|你用来|用来|用來|您使用|你平时|平时用|所用的|时用的
know: 只有您|只有你|只有本人|别人不知|不为人知|無人知曉|没人知道|只有自己
wallet: 钱包|錢包|冷钱包|比特币|加密货币
order: 按顺序|按順序|依序|顺序|順序|写在纸|抄在纸|抄下|恢复|恢復|备份|備份|纸上|紙上|还原|找回
cash: 取款机|提款机|提款機|取款|取钱|取現|取现|自动柜员|刷卡机|领钱|領錢
key: 令牌|密匙|凭证|憑證|口令|token|cookie
origin: 新生成|刚生成|生成的|控制台|后台|後台|设置页|開發者|开发者|开头|開頭|复制的|新建的|创建的
harmless: 快递|快遞|包裹|运单|运单号|物流|订单|訂單|发票|發票|优惠|優惠|折扣|促销|代金券|会员|會員|图书|圖書|借书|名片|明信片|邮编|邮政|郵遞|区号|區號|错误代码|錯誤代碼|源代码|颜色代码|条形码
|條碼|序列号|序號|型号|版本|手机号|手機號|电话号码|電話號碼|最小|最大|最少|最多|至少|长度|長度|策略|规则|規則|政策|多少|几天|天数|天數|次数|频率|轮换|輪換|名称|名稱|填字|谜语|謎語|猜谜|游戏|遊戲
|诗|摘要|总结|總結|描述|简介|意见|房间|房號|座位|航班|预订|預訂|车票|水表|电表|后四位|合同|客户|案件|项目|商品|产品|邀请|會議|会议|後四碼|尾号|关键词|關鍵字|关键字|字数
never: 切勿|请勿|請勿|不要|勿将|不会要求|無需|无需|不需要
user: 用户名|用戶名|邮箱地址|電子郵件|电子邮件|地址|账号名|网站|網站|浏览器|日期|时间
contents: 内容|粘贴|貼上|复制|複製|全文|整个文件
other: 会员|會員|图书|圖書|游戏|密码学|積分|积分
generic: 值|回答|答案|输入|輸入|文本|内容|回复|数值|文字
`, `
ask: 入力|教えて|お知らせ|記入|送って|送信|貼り付け|ください|下さい|お答え|何です|書いて|打ち込|返信
code: 数字|コード|番号|ケタ|桁の|けたの|文字列|パターン|記号
thing: 言葉|単語|フレーズ|文言|もの|行を|数列|並び
words: 単語|ワード|語を|言葉
count: 三桁|四桁|六桁|八桁|３桁|４桁|６桁|3桁|4桁|6桁|3けた|4けた|6けた|16桁|三つ|四つ|六つ
dozen: 12個|24個|十二|二十四|12語|24語|12の
sent: 届い|届く|送られ|送った|受け取|受信|表示され|表示中|出ている|お送り|送信され|通知され|来た|きた
text: ショートメッセージ|メッセージ|sms|smsで|ショートメール
sender: 銀行|スマホ|携帯|電話|アプリ|当社|弊社|メール|画面|端末|こちらから|受信箱
app: 認証アプリ|認証システム|トークン端末|ワンタイム|オーセンティケーター|生成機
card: カード|キャッシュカード|クレカ|デビット
side: 表面|表の|表に|刻印|有効期限|磁気|おもて
back: 裏面|裏の|裏に|うしろ|署名|サイン欄|うら
unlock: ロック解除|解除する|ログイン|サインイン|ロック画面|開くとき|開く時|起動時|ログオン|ロックを
what: 使うもの|入力しているもの|入力するもの|打つもの|使っている|入力している|打ち込んでいる|なぞる|入れている|お使いの|いつもの|ときに入れる|とき入力
know: あなただけ|ご本人だけ|本人しか|他の人は知ら|誰も知らない|あなたしか|ご本人しか|誰にも言わ|自分だけ
wallet: ウォレット|仮想通貨|ビットコイン|ハードウォレット
order: 順番|順に|順序|書き留め|書き写|紙に|メモした|控えた|復元|復旧|リカバリ|バックアップ
cash: atm|現金自動|引き出す|引き出し|お金をおろ|レジで|預け払い
key: トークン|キー|鍵を|クッキー|cookie
origin: 新しく|発行した|発行され|生成した|生成され|作成した|コンソール|ダッシュボード|管理画面|設定画面|で始まる|から始まる|コピーした
harmless: 荷物|追跡|注文|請求書|クーポン|割引|プロモ|会員|図書|ポイントカード|名刺|郵便番号|市外局番|国番号|エラーコード|ソースコード|カラーコード|バーコード|シリアル|型番|バージョン|電話番号|携帯番号
|最小|最大|以上|以下|文字数|長さ|ポリシー|規則|ルール|いくつ|何回|何日|日数|頻度|ローテーション|名前|名称|クロスワード|なぞなぞ|クイズ|ゲーム|詩を|俳句|要約|説明|概要|感想|意見|部屋|座席|便名|予約
|切符|メーター|下4桁|契約|お客様番号|案件|商品|製品|招待|会議|はがき|葉書|下四桁|キーワード|トレカ|グラフィック
never: しないで|決して|絶対に|不要|必要ありません|お控え
user: ユーザー名|メールアドレス|住所|プロバイダ|サイト|ページ|ブラウザ|日付|時刻|日時
contents: 中身|内容|貼り付け|コピー|全文
other: 会員|図書|ポイント|ゲーム|基板
generic: 値を|回答|答え|入力|テキスト|内容|返答
`, `
ask: 입력|알려|적어|보내|붙여|제공|말씀|써 주|써주|남겨|무엇|뭐예|뭔가요|주세요|주십시오|회신
code: 숫자|코드|번호|자리|글자|패턴|문자열
thing: 단어|문구|문장|것을|말을|그것
words: 단어|낱말
count: 세 자리|네 자리|여섯 자리|여섯자리|네자리|3자리|4자리|6자리|8자리|16자리|세자리
dozen: 12개|24개|열두|스물네|12 개
sent: 받은|받으신|도착|보낸|보내 드린|보내드린|보내온|전송된|발송|표시된|표시되|나타난|온 숫자
text: 문자|에스엠에스|sms|문자메시지|카톡
sender: 은행|휴대폰|핸드폰|전화|앱에|앱이|저희|이메일|화면|기기|스마트폰
app: 인증 앱|인증앱|otp 기기|생성기|보안카드|인증기
card: 카드|체크카드|신용카드
side: 앞면|앞에|양각|유효기간|만료
back: 뒷면|뒤에|서명|뒤쪽
unlock: 잠금|로그인|접속|열 때|켤 때|풀 때|해제
what: 쓰는|사용하는|사용하시는|입력하는|입력하시는|누르는|치는|그리는
know: 본인만|당신만|나만|아무도 모르|다른 사람은|남들이 모르
wallet: 지갑|비트코인|월렛|가상화폐
order: 순서|차례|적어 둔|적어둔|종이|복구|백업|복원
cash: 현금인출|atm|출금|인출|현금지급기|계산대
key: 토큰|키를|쿠키|열쇠
origin: 새로|발급|생성한|생성된|콘솔|대시보드|설정 페이지|시작하는|복사한
harmless: 택배|운송장|송장|주문|영수증|청구서|쿠폰|할인|프로모션|회원|멤버십|도서|명함|우편번호|지역번호|국가번호|오류 코드|소스 코드|색상|바코드|일련번호|모델명|버전|전화번호|휴대폰 번호|최소
|최대|이상|이하|길이|정책|규칙|몇 개|몇 번|며칠|일수|주기|교체|순환|이름|명칭|낱말풀이|십자말|퍼즐|수수께끼|퀴즈|게임|요약|설명|의견|객실|좌석|항공편|예약|승차권|계량기|마지막 네|계약|고객|사건
|상품|제품|초대|회의|엽서|뒷자리|끝 4|키워드|글자 수
never: 절대|마세요|마십시오|필요 없|불필요
user: 사용자 이름|아이디|이메일 주소|주소|사이트|페이지|브라우저|날짜|시간
contents: 내용|붙여넣|복사|전체
other: 회원|도서|멤버십|게임|보드
generic: 값을|답변|응답|입력|텍스트|내용|대답
`, `
ask: أدخل|اكتب|أرسل|أرسلوا|أعطنا|أخبرنا|زودنا|الصق|انسخ|ما هو|ما هي|ما هذه|يرجى|نحتاج|نريد|اذكر|املأ|أكد|إدخال|كتابة
code: رمز|الرمز|أرقام|الأرقام|خانات|رموز|كود|الكود|نمط|حروف|شفرة
thing: رقم|الرقم|كلمة|الكلمة|عبارة|العبارة|جملة|سطر|العدد
words: كلمات|الكلمات|كلمة
count: ثلاثة|أربعة|خمسة|ستة|سبعة|ثمانية|الثلاثة|الأربعة|الستة|ثلاث|أربع|ست|ستة عشر
dozen: اثنتي عشرة|اثنتا عشرة|الاثنتي عشرة|أربع وعشرون|الاثنتا عشرة
sent: وصل|وصلك|وصلتك|أرسله|أرسلها|أرسلناه|أرسلناها|المرسل|المرسلة|استلمت|استلمته|استلمتها|تلقيت|تلقيته|ظهر|ظهرت|يظهر
|تظهر|جاءك|الواردة|الوارد|للتو
text: رسالة نصية|الرسالة النصية|واتساب|رسالة قصيرة|sms
sender: البنك|بنك|بنكك|مصرفك|هاتفك|الهاتف|جوالك|الجوال|التطبيق|بريدك|الشاشة|جهازك|المصرف
app: تطبيق المصادقة|المصادقة|مولد الرموز|أداة المصادقة
card: بطاقتك|البطاقة|بطاقة|بطاقتكم|فيزا
side: وجه|واجهة|الأمام|أمام|المطبوع|المطبوعة|الانتهاء|البارزة|الأمامي
back: ظهر|خلف|الخلف|الخلفي|التوقيع
unlock: فتح|لفتح|تفتح|الدخول|للدخول|تسجيل|شاشة القفل|القفل|قفل
what: ما تكتبه|ما تدخله|ما تستخدمه|الذي تستخدمه|التي تستخدمها|تكتبها|تستعمله|الذي تكتبه|التي تكتبها|الذي تدخله
know: لا يعرفها|لا يعرفه|أنت فقط|وحدك|لا أحد غيرك|سواك
wallet: محفظة|محفظتك|المحفظة|بيتكوين
order: بالترتيب|الترتيب|ورقة|كتبتها|دونتها|استعادة|الاسترداد|الاستعادة|نسخة احتياطية
cash: الصراف|صراف|السحب|سحب|لسحب|الصراف الآلي
key: مفتاح|المفتاح|توكن|رمز الوصول|كوكي
origin: جديد|جديدا|أنشأته|المنشأ|لوحة|الإعدادات|يبدأ ب|تبدأ ب|نسخته
harmless: شحنة|الشحنة|تتبع|الطرد|طلب|الطلب|فاتورة|الفاتورة|قسيمة|خصم|الخصم|عضوية|العضوية|المكتبة|ولاء|بطاقة عمل
|البريدي|رمز المنطقة|رمز البلد|رمز الخطأ|المصدري|الباركود|التسلسلي|الإصدار|رقم الهاتف|رقم الجوال|رقم هاتفك
|الحد الأدنى|الحد الأقصى|الأدنى|الأقصى|طول|الطول|سياسة|السياسة|قواعد|كم|عدد|أيام|يوم|أسابيع|أشهر|تدوير|اسم|متقاطعة
|لغز|لعبة|اللعبة|قصيدة|ملخص|وصف|رأيك|الغرفة|غرفة|مقعد|المقعد|الرحلة|رحلة|حجز|الحجز|تذكرة|العداد|آخر أربعة|عقد|العميل
|العملاء|القضية|المنتج|الدعوة|الاجتماع|البريدية|المفتاحية
never: أبدا|لا تشارك|لا تدخل|لا تكتب|لن نطلب|لا حاجة
user: اسم المستخدم|البريد الإلكتروني|عنوان|الموقع|الصفحة|المتصفح|التاريخ|الوقت
contents: محتوى|المحتوى|الصق|انسخ|كامل
other: المكتبة|عضوية|العضوية|ولاء|لعبة|متقاطعة
generic: قيمة|القيمة|إجابة|الإجابة|نص|النص|الرد|رد|جواب|المدخل
`}
