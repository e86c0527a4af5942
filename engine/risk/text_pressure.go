package risk

import "github.com/elicit-engine/elicit/engine/elicit"

// Of several kinds only the first one is reported, in the order of the groups: secrecy is the surest sign, and urgency
// the weakest. An honest server rarely asks a person to keep a question from others.
var textPressure = check{
	Doc: Doc{
		Code: "text_pressure", Title: "Pressure", Severity: elicit.Medium,
		About: "The message or a description presses the reader. Medium for secrecy (\"do not tell anyone\"), threat " +
			"(\"your account will be suspended\") and prize (\"you have won\"), which swindlers use; low for urgency " +
			"(\"act now\"), which honest servers use too. Phrases of nine languages.",
		Spec: "MCP client/elicitation, Security (R15); Safe URL Handling (phishing)",
	},
	text: func(h *hits, text string) {
		if !h.says() {
			return
		}
		w := h.walkWords(text)
		for g := wordsSecrecy; g <= wordsUrgency; g++ {
			f := &w.found[g]
			if f.count == 0 {
				continue
			}
			severity := elicit.Medium
			if g == wordsUrgency {
				severity = elicit.Low
			}
			h.addAs(severity, text, f.from, f.to, elicit.Str("kind", pressures[g]), elicit.Num("count", f.count))
			return
		}
	},
}

var pressures = [...]string{wordsSecrecy: "secrecy", wordsThreat: "threat", wordsPrize: "prize",
	wordsUrgency: "urgency"}

var (
	secrecyWords = []string{"do not tell anyone", "do not tell anybody", "do not tell the user", "do not tell your",
		"dont tell anyone", "dont tell anybody", "dont tell the user", "dont tell your", "tell no one", "tell nobody",
		"keep this secret", "keep this between us", "do not inform anyone", "do not inform the user",
		"do not mention this to", "dont mention this to", "do not show this to", "hide this from", "do not let anyone know",
		"sagen Sie niemandem", "sag niemandem", "erzählen Sie niemandem", "behalten Sie das für sich",
		"ne le dites à personne", "nen parlez à personne", "no se lo diga a nadie", "no se lo digas a nadie",
		"não conte a ninguém", "não diga a ninguém", "non dirlo a nessuno", "non lo dica a nessuno", "никому не говорите",
		"никому не сообщайте об этом", "不要告诉任何人", "请勿告诉他人", "誰にも言わないで"}
	threatWords = []string{"account will be suspended", "account will be closed", "account will be terminated",
		"account will be locked", "account will be blocked", "account will be deactivated", "account has been suspended",
		"account has been locked", "account has been compromised", "access will be revoked", "legal action",
		"face prosecution", "you will lose access", "you will lose all", "or your files will", "permanently banned",
		"will be reported to the police", "Konto wird gesperrt", "Konto wird geschlossen", "Konto wurde gesperrt",
		"rechtliche Schritte", "compte sera suspendu", "compte sera fermé", "compte sera bloqué", "poursuites judiciaires",
		"cuenta será suspendida", "cuenta será cerrada", "cuenta será bloqueada", "acciones legales", "conta será suspensa",
		"conta será bloqueada", "conta será encerrada", "account sarà sospeso", "conto sarà bloccato", "azioni legali",
		"аккаунт будет заблокирован", "счёт будет заблокирован", "账户将被冻结", "账号将被封", "アカウントは停止されます", "アカウントが停止されます"}
	prizeWords = []string{"you have won", "youve won", "you won a", "claim your prize", "claim your reward",
		"free gift card", "lucky winner", "you are the winner", "you have been selected to receive", "Sie haben gewonnen",
		"vous avez gagné", "usted ha ganado", "has ganado un premio", "você ganhou", "hai vinto", "вы выиграли", "恭喜您中奖",
		"您已中奖", "当選しました"}
	urgencyWords = []string{"act now", "act immediately", "respond immediately", "urgent", "urgently", "final warning",
		"last warning", "last chance", "final notice", "expires today", "within 24 hours", "time is running out",
		"before it is too late", "limited time", "hurry", "sofort handeln", "dringend", "letzte Mahnung", "letzte Warnung",
		"innerhalb von 24 Stunden", "agissez maintenant", "dernier avertissement", "dans les 24 heures", "actúe ahora",
		"último aviso", "urgente", "aja agora", "agisci ora", "ultimo avviso", "срочно", "последнее предупреждение", "立即行动",
		"最后警告", "至急", "最終警告"}
)
