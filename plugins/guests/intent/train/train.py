"""Makes the weights of the guardian intent: python train/train.py [--check|--report]

Composes forms from corpus/*.txt and evade.txt with a fixed seed, has examples/features.rs read them, and fits a logistic
regression. A form is a bag of stretches: one of them asks, or none does. So the regression is fitted to every stretch of
the harmless forms and to that stretch of each other form which the last round took for the one that asks. The same
versions (requirements.txt) make the same bytes of src/weights.bin and src/bias.rs: --check compares. --report leaves out
phrases, tricks and languages in turn and prints what is found of them.
"""
import collections, hashlib, json, pathlib, subprocess, sys

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

import compose

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
FEATURES = 1 << 17
LEAST = 0.7  # the score of a form that is flagged
ROUNDS = 4
CODE = ("features.rs", "letters.rs", "stretches.rs")


class Bags:
    """The stretches of forms: rows of features, each once, and which form has which."""

    def __init__(self, forms):
        command = ["cargo", "run", "--quiet", "--release", "--offline", "-p", "intent", "--example", "features"]
        command += ["--target-dir", str(ROOT / "dist/rust")]
        lines = "".join(json.dumps({k: f[k] for k in ("message", "fields")}, ensure_ascii=False) + "\n" for f in forms)
        ran = subprocess.run(command, cwd=ROOT / "plugins", input=lines.encode(), stdout=subprocess.PIPE, check=True)
        out = ran.stdout.decode()
        rows, own, row_of, form = [], [], [], 0
        for line in out.splitlines():
            if line == "end":
                form += 1
                continue
            own.append(form)
            if line.isdigit():
                row_of.append(int(line))
            else:
                row_of.append(len(rows))
                rows.append([cell.split(":") for cell in line.split()])
        indices = [int(i) for row in rows for i, _ in row]
        values = [int(v) / 1024 for row in rows for _, v in row]
        starts = np.cumsum([0] + [len(row) for row in rows])
        self.x = csr_matrix((values, indices, starts), shape=(len(rows), FEATURES))
        self.own, self.row, self.forms = np.array(own), np.array(row_of), len(forms)
        self.size = np.diff(starts)

    def score(self, model, of=None):
        """The highest score of each form's stretches."""
        scores = (self.x @ model.coef_[0] + model.intercept_[0])[self.row]
        out = np.full(self.forms, -99.0)
        np.maximum.at(out, self.own, scores)
        return out


def fit(bags, y, sure, forms=None):
    """Fits the regression to the forms that are marked."""
    taken = np.ones(bags.forms, bool) if forms is None else forms
    use = taken[bags.own]
    own, row = bags.own[use], bags.row[use]
    harmless = y[own] == 0
    known = set(row[harmless])
    # At first, the stretch that asks is the longest of those that no harmless form has.
    scores = np.array([0 if r in known else bags.size[r] for r in row], float)
    model = None
    for _ in range(ROUNDS):
        best = {}
        for k in np.flatnonzero(~harmless):
            if own[k] not in best or scores[k] > scores[best[own[k]]]:
                best[own[k]] = k
        weight = collections.defaultdict(float)
        for form, k in best.items():
            weight[row[k], 1] += sure[form]
        for k in np.flatnonzero(harmless):
            weight[row[k], 0] += sure[own[k]]
        keys = sorted(weight)
        model = LogisticRegression(C=5.0, solver="lbfgs", tol=1e-4, max_iter=150)
        model.fit(bags.x[[k[0] for k in keys]], [k[1] for k in keys], sample_weight=[min(weight[k], 60) for k in keys])
        scores = (bags.x @ model.coef_[0] + model.intercept_[0])[row]
    return model


def certainty(forms, y):
    """Each phrase counts the same, however often it was composed; harmless ones count more."""
    often = collections.Counter(f["phrase"] for f in forms)
    return np.array([(2.5 if label == 0 else 1.0) / often[f["phrase"]] for f, label in zip(forms, y)]) * 6


def folds(forms, bags, y, key):
    """Scores of every form by a model that was taught none of its group."""
    scores, groups, sure = np.zeros(len(forms)), np.array([key(f) for f in forms]), certainty(forms, y)
    for g in sorted(set(groups)):
        scores[groups == g] = bags.score(fit(bags, y, sure, groups != g))[groups == g]
    return scores


def table(title, forms, hit, y, key):
    rows = collections.OrderedDict()
    for f, h, label in zip(forms, hit, y):
        row = rows.setdefault(key(f), [0, 0, 0, 0])
        row[0 if label else 2] += h
        row[1 if label else 3] += 1
    print(f"\n{title}\n")
    print("| | asks: found | of | harmless: flagged | of |\n|---|---|---|---|---|")
    for k in sorted(rows):
        print("| {} | {} | {} | {} | {} |".format(k, *rows[k]))
    print("| all | {} | {} | {} | {} |".format(*np.array(list(rows.values())).sum(axis=0)))


def main():
    forms = compose.forms()
    y = np.array([f["label"] for f in forms])
    print(f"{len(forms)} forms, {y.sum()} that ask", file=sys.stderr)
    bags = Bags(forms)
    if "--report" not in sys.argv:
        quantise(fit(bags, y, certainty(forms, y)))
        return
    trick = lambda f: ("asks: " if f["label"] else "harmless: ") + f["trick"]
    scores = folds(forms, bags, y, lambda f: hash_of(f["phrase"]) % 3)
    table("Phrases not taught, by language", forms, scores > LEAST, y, lambda f: f["lang"])
    table("Phrases not taught, by trick", forms, scores > LEAST, y, trick)
    table("Tricks not taught, by trick", forms, folds(forms, bags, y, lambda f: hash_of(f["trick"]) % 7) > LEAST, y, trick)


def hash_of(text):
    h = 2166136261
    for b in text.encode():
        h = (h ^ b) * 16777619 & 0xFFFFFFFF
    return h >> 8


def sources():
    """The digest of what the weights are made from: a test holds them to it."""
    digest = hashlib.sha256()
    for path in [*sorted(HERE.glob("corpus/*.txt")), HERE / "evade.txt", HERE / "compose.py", HERE / "train.py",
                 *(HERE.parent / "src" / name for name in CODE),
                 *(ROOT / "engine/risk/testdata" / name for name in compose.TAUGHT)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def quantise(model):
    # A byte holds the root of a weight, so that small weights keep their differences: a weight is q * |q|.
    w = model.coef_[0]
    scale = 127 * 127 / np.abs(w).max()
    small = np.rint(np.sign(w) * np.sqrt(np.abs(w) * scale)).astype(np.int8)
    bias = int(round((float(model.intercept_[0]) - LEAST) * scale * 1024))
    made = {
        HERE.parent / "src/weights.bin": small.tobytes(),
        HERE.parent / "src/bias.rs": f"// Code generated by train/train.py; DO NOT EDIT.\n// From sources of SHA-256 {sources()}.\n\n/// What is added to a score, so that more than 0 asks.\npub const BIAS: i64 = {bias};\n\n"
        f"/// What a score is for each power of e that a form is more likely to ask.\npub const UNIT: i64 = {int(round(scale * 1024))};\n".encode(),
    }
    for path, new in made.items():
        if "--check" in sys.argv:
            assert path.read_bytes() == new, f"{path.name} is not what train.py makes"
        else:
            path.write_bytes(new)
    print(f"{np.count_nonzero(small)} weights", file=sys.stderr)


if __name__ == "__main__":
    main()
