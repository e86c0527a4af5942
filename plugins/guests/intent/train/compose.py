"""Composes the forms that the model is taught, from phrases. Everything is drawn with one seed."""
import json, pathlib, random

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
TAUGHT = ["secrets/train.jsonl", "secrets/build.jsonl", "corpus/ordinary-forms.json", "corpus/real-forms.json"]
GENERIC = ["value", "answer", "field1", "input", "text", "q", "x", "reply", "data", "response"]


def rows(path):
    for line in path.read_text().splitlines():
        if ": " in line:
            head, phrases = line.split(": ", 1)
            yield head, [p.strip() for p in phrases.split("|") if p.strip()]


def languages():
    out = {}
    for path in sorted((HERE / "corpus").glob("*.txt")):
        out[path.stem] = dict(rows(path))
    return out


def forms():
    dice = random.Random(12)
    all_ = []
    known = languages()
    for lang, table in known.items():
        other = known[dice.choice(sorted(known))]
        for head, phrases in table.items():
            if head[0] not in "+-":
                continue
            for phrase in phrases:
                times = 5
                for _ in range(times):
                    label = int(head[0] == "+")
                    form = place(dice, phrase, table, other, label)
                    all_.append(dict(form, label=label, lang=lang, trick=head[1:], phrase=phrase))
    all_ += evasions(dice, known)
    all_ += inspection("train", 2) + inspection("build", 3)
    all_ = [dict(f, fields=[{k: f.get(k, "") for k in ("name", "title", "description")}]) for f in all_]
    return all_ + whole("ordinary-forms") + whole("real-forms")


def place(dice, phrase, table, other, label):
    """Puts a phrase where a server may put it."""
    generic, message = dice.choice(table["g"]), dice.choice(table["m"])
    name = dice.choice(GENERIC)
    where = dice.randrange(9)
    if where < 2:
        return dict(message=message, name=name, title=phrase)
    if where < 4:
        return dict(message=message, name=name, title=generic, description=phrase)
    if where == 4:
        return dict(message=phrase, name=name, title=generic)
    if where == 5:
        return dict(message=f"{message}. {phrase}", name=name, title=generic if dice.random() < 0.7 else "")
    if where == 6:
        words = phrase.split(" ")
        if len(words) < 4:
            return dict(message=message, name=name, title=phrase)
        cut = dice.randrange(2, len(words) - 1)
        return dict(message=message, name=name, title=" ".join(words[:cut]), description=" ".join(words[cut:]))
    if where == 7:
        return dict(message=dice.choice(other["m"]), name=name, title=phrase)
    if not label:
        # A harmless field below a message that says something else that is harmless.
        kinds = [p for head, p in table.items() if head[0] == "-"]
        return dict(message=dice.choice(dice.choice(kinds)), name=name, title=phrase, description=dice.choice(["", dice.choice(dice.choice(kinds))]))
    return dict(message="", name=name, title=generic, description=phrase)


LEET = {"a": "4@", "e": "3", "i": "1!", "o": "0", "s": "5$", "t": "7+", "b": "8", "l": "1|", "g": "9"}
ALIKE = {"a": "а", "e": "е", "o": "о", "p": "р", "c": "с", "x": "х", "i": "і", "s": "ѕ", "y": "у", "k": "к", "t": "т", "n": "п", "d": "ԁ", "u": "υ", "w": "ω"}
LOCKS = ["🔑", "🔒", "🔐", "🗝️", "🔏", "🛡️", "🤫", "🙊", "💳", "👛", "📱", "🌱", "🏧", "🪙"]
PLEASANT = ["🎉", "🍕", "📦", "🌍", "🎵", "🐶", "✈️", "⚽", "📚", "☕"]


def twist(dice, trick, word):
    letters = list(word)
    if trick == "leet":
        return "".join(dice.choice(LEET[c.lower()]) if c.lower() in LEET and dice.random() < 0.7 else c for c in letters)
    if trick == "gaps":
        return dice.choice([" ", ".", "-", "_", "*", "·", "/", "  "]).join(letters)
    if trick == "alike":
        return "".join(ALIKE.get(c, c) if dice.random() < 0.8 else c for c in letters)
    if trick == "reversed":
        return word[::-1]
    if trick == "vowels":
        return "".join(c for i, c in enumerate(letters) if i == 0 or c not in "aeiouäöüéèáíóúаеиоуы") if len(word) > 4 else word
    if trick == "doubled":
        return "".join(c * dice.choice([1, 2, 3]) for c in letters)
    if trick == "swapped" and len(letters) > 4:
        i = dice.randrange(1, len(letters) - 2)
        letters[i], letters[i + 1] = letters[i + 1], letters[i]
        return "".join(letters)
    if trick == "rot13":
        return word.translate(str.maketrans("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "nopqrstuvwxyzabcdefghijklmNOPQRSTUVWXYZABCDEFGHIJKLM"))
    if trick == "hidden":
        return "".join(c + dice.choice(["", "\u200b", "\u2060", "\u00ad"]) for c in letters)
    if trick == "wide":
        return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in letters)
    return word


TRICKS = ["leet", "gaps", "alike", "reversed", "vowels", "doubled", "swapped", "rot13", "hidden", "wide", "split", "emoji", "mixed", "masked", "plainly"]


def evasions(dice, known):
    out = []
    for head, words in rows(HERE / "evade.txt"):
        kind, lang = head[1:].split(" ")
        for word in words:
            for trick in TRICKS:
                table = known.get(lang, known["en"])
                times = 1 if head[0] == "+" else 2
                for _ in range(times):
                    form = evade(dice, trick, word, table, known, head[0] == "+")
                    out.append(dict(form, label=int(head[0] == "+"), lang=lang if lang != "xx" else "en", trick=f"{trick}", phrase=f"{trick} {word}"))
    return out


def evade(dice, trick, word, table, known, asks):
    generic, message = dice.choice(table["g"]), dice.choice(table["m"])
    name = dice.choice(GENERIC)
    ask = dice.choice(["", "Your ", "Enter ", "Please give ", "your current ", "Type: ", "", ""])
    if trick == "split":
        cut = dice.randrange(1, len(word)) if " " not in word else word.index(" ")
        a, b = word[:cut], word[cut:].strip()
        return dice.choice([dict(message=message, name=name, title=ask + a, description=b), dict(message=f"{message} {a}", name=name, title=b),
                            dict(message=message, name=a, title=b), dict(message=message, name=name, title=a + "-", description="-" + b),
                            dict(message=message, name=name, title=f"1st half: {a}, 2nd half: {b}"), dict(message=message, name=name, title=f"{a} + {b}")])
    if trick == "emoji":
        signs = LOCKS if asks else PLEASANT
        sign, more = dice.choice(signs), dice.choice(signs)
        short = word.split(" ")[-1]
        return dice.choice([dict(message=message, name=name, title=f"{sign} {short}"), dict(message=message, name=name, title=f"{sign}{more} {generic}"),
                            dict(message=message, name=name, title=f"{sign.join(word)}"), dict(message=f"{message} {sign}", name=name, title=f"{sign}=?"),
                            dict(message=message, name=name, title=f"{sign} → ?", description=short)])
    if trick == "mixed":
        other = known[dice.choice(sorted(known))]
        return dict(message=dice.choice(other["m"]), name=name, title=dice.choice([f"{ask}{word}", f"{dice.choice(other['g'])} {word}", f"{word} ({dice.choice(other['g'])})"]))
    if trick == "masked":
        i = dice.randrange(1, max(2, len(word) - 2))
        return dict(message=message, name=name, title=ask + word[:i] + dice.choice(["*", "**", "…", "_", "#", "?"]) + word[i + 1 + dice.randrange(2):])
    text = ask + twist(dice, trick, word)
    return dice.choice([dict(message=message, name=name, title=text), dict(message=message, name=name, title=generic, description=text),
                        dict(message=f"{message}: {text}", name=name, title=generic)])


def inspection(file, times):
    """The forms that the built-in inspection is tuned on."""
    out = []
    for line in (ROOT / f"engine/risk/testdata/secrets/{file}.jsonl").read_text().splitlines():
        f = json.loads(line)
        phrase = " ".join(f.get(k, "") for k in ("message", "title", "description"))
        out += [dict(f, trick=f"inspection-{f['kind']}", phrase=phrase, label=int(f["kind"] != "harmless"))] * times
    return out


def whole(file):
    """Every other form of those that honest servers ask; TestIntent looks at the rest."""
    forms = json.loads((ROOT / f"engine/risk/testdata/corpus/{file}.json").read_text())[::2]
    return [dict(message=f["message"], fields=f["fields"], label=0, lang="ordinary", trick=file, phrase=f["message"]) for f in forms if f.get("fields")] * 2
