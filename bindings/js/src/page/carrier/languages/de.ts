import { de } from "../../../form/strings/de.ts";
import type { Language } from "../../words.ts";
import type { en } from "./en.ts";

const language: Language<typeof en> = {
  form: de,
  page: {
    loading: "Wird geladen …",
    newTitle: "{server} stellt Ihnen eine Frage",
    newText: "Fahren Sie nur fort, wenn Sie diese Frage erwartet haben. Hat Ihnen jemand den Link geschickt, " +
      "dann schließen Sie diese Seite: Ihre Antwort würde dieser Person nützen und nicht Ihnen.",
    newOnce: "Der Link funktioniert danach nur in diesem Browser.",
    next: "Weiter",
    direct: "Ihre Antwort geht direkt an {server}. Ihr Assistent sieht sie nicht.",
    secret: "Was Sie hier eingeben, geht direkt an {server}. Ihr Assistent sieht es nicht.",
    secretFinding:
      "dieses Formular fragt nach einem Geheimnis ({word}); die Seite sendet es nur an ihren eigenen Server",
    unsent: "Die Antwort hat den Server nicht erreicht. Versuchen Sie es noch einmal.",
    accept: "{server} hat Ihre Antwort",
    decline: "Sie haben abgelehnt",
    cancel: "Sie haben abgebrochen",
    close: "Sie können diese Seite schließen.",
    signIn: "Anmelden",
    again: "Noch einmal versuchen",
    refusals: {
      sign_in: ["Melden Sie sich zuerst an", "{server} muss wissen, wer Sie sind, bevor die Frage erscheint."],
      forbidden: [
        "Dieser Link ist nicht für Sie",
        "Er gehört zu einem anderen Konto. Melden Sie sich mit dem Konto an, das ihn angefordert hat.",
      ],
      unknown: [
        "Dieser Link funktioniert nicht",
        "Vielleicht fehlt ein Teil, oder er ist zu alt. Fordern Sie einen neuen Link an.",
      ],
      used: [
        "Dieser Link wurde in einem anderen Browser geöffnet",
        "Jeder Link funktioniert in einem Browser. War das nicht Ihrer, dann fordern Sie einen neuen Link an.",
      ],
      expired: ["Die Zeit ist um", "Die Frage hat ohne Antwort geendet. Fordern Sie einen neuen Link an."],
      answered: [
        "Diese Frage wurde beantwortet",
        "Der Link funktioniert nicht mehr. Sie können diese Seite schließen.",
      ],
      closed: [
        "Die Frage wurde zurückgezogen",
        "{server} braucht keine Antwort mehr. Sie können diese Seite schließen.",
      ],
      no_cookie: [
        "Diese Seite braucht Cookies",
        "Erlauben Sie Cookies für diese Seite, und versuchen Sie es noch einmal.",
      ],
      busy: ["Der Server ist ausgelastet", "Versuchen Sie es gleich noch einmal."],
      failed: ["Der Server hat einen Fehler", "Er zeigt gerade keine Frage. Versuchen Sie es gleich noch einmal."],
      no_link: ["Dieser Link ist nicht vollständig", "Öffnen Sie den ganzen Link, mit dem Teil hinter dem Zeichen #."],
      unreachable: ["Der Server ist nicht erreichbar", "Prüfen Sie Ihre Verbindung, und versuchen Sie es noch einmal."],
    },
  },
};

export default language;
