"""Makes the weights of the guardian intent: python train/train.py [--check|--report]

Composes forms from corpus/*.txt and evade.txt with a fixed seed, has examples/features.rs see them, fits a logistic regression,
and writes src/weights.bin and src/scale.rs. The same versions (requirements.txt) make the same bytes: --check compares.
--report leaves out each trick and each language in turn and prints what is found of them.
"""
import collections, hashlib, json, pathlib, subprocess, sys

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

import compose

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
FEATURES = 1 << 17
LEAST = 1.0  # the score of a form that is flagged: at most 3 in 100 of the harmless forms that were never taught have it


def features(forms):
    """The features of forms, as the guardian's own code sees them."""
    command = ["cargo", "run", "--quiet", "--release", "--offline", "-p", "intent", "--example", "features", "--target-dir", str(ROOT / "dist/rust")]
    lines = "\n".join(json.dumps(f, ensure_ascii=False) for f in forms) + "\n"
    out = subprocess.run(command, cwd=ROOT / "plugins", input=lines.encode(), stdout=subprocess.PIPE, check=True).stdout.decode().split("\n")
    indices, values, starts = [], [], [0]
    for line in out[: len(forms)]:
        for cell in line.split():
            i, v = cell.split(":")
            indices.append(int(i))
            values.append(int(v) / 1024)
        starts.append(len(indices))
    return csr_matrix((values, indices, starts), shape=(len(forms), FEATURES))


def fit(x, y, weights=None):
    model = LogisticRegression(C=5.0, solver="lbfgs", tol=1e-4, max_iter=120)
    return model.fit(x, y, sample_weight=weights)


def sure(forms, y):
    """Each phrase counts the same, however often it was composed; harmless ones count more."""
    often = collections.Counter((f["phrase"]) for f in forms)
    return np.array([(2.5 if label == 0 else 1.0) / often[f["phrase"]] for f, label in zip(forms, y)]) * 6


def folds(forms, x, y, key):
    """Scores of every form by a model that was taught none of its group."""
    scores = np.zeros(len(forms))
    groups = np.array([key(f) for f in forms])
    w = sure(forms, y)
    for g in sorted(set(groups)):
        out = groups == g
        scores[out] = fit(x[~out], y[~out], w[~out]).decision_function(x[out])
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
    total = np.array(list(rows.values())).sum(axis=0)
    print("| all | {} | {} | {} | {} |".format(*total))


def main():
    forms = compose.forms()
    y = np.array([f["label"] for f in forms])
    print(f"{len(forms)} forms, {y.sum()} that ask", file=sys.stderr)
    x = features(forms)
    if "--report" in sys.argv:
        report(forms, x, y)
        return
    model = fit(x, y, sure(forms, y))
    quantise(model)
    others(model)


def report(forms, x, y):
    """Tables of what is found by models that were taught no form of the same phrase, trick or language."""
    trick = lambda f: ("asks: " if f["label"] else "harmless: ") + f["trick"]
    language = lambda f: f["lang"]
    forms, x, y = forms[::2], x[::2], y[::2]  # half of them, for time
    scores = folds(forms, x, y, lambda f: hash_of(f["phrase"]) % 3)
    table("Phrases not taught, by language", forms, scores > LEAST, y, language)
    table("Phrases not taught, by trick", forms, scores > LEAST, y, trick)
    table("Tricks not taught, by trick", forms, folds(forms, x, y, lambda f: hash_of(f["trick"]) % 7) > LEAST, y, trick)
    table("Languages not taught, by language", forms, folds(forms, x, y, language) > LEAST, y, language)


def others(model):
    """What the model says of the inspection's own forms, of which test.jsonl was not taught."""
    for file in ("train", "test"):
        forms = compose.inspection(file)
        y = np.array([f["label"] for f in forms])
        hit = model.decision_function(features(forms)) > LEAST
        for kind in ("names", "describes", "evades", "harmless"):
            of = [h for f, h in zip(forms, hit) if f["kind"] == kind]
            print(f"{file}.jsonl {kind}: {sum(of)} of {len(of)}", file=sys.stderr)
        if "--misses" in sys.argv and file == "test":
            for f, h, label in zip(forms, hit, y):
                if h != label:
                    print(label, {k: f[k] for k in ("message", "title", "description") if f.get(k)})


def hash_of(text):
    h = 2166136261
    for b in text.encode():
        h = (h ^ b) * 16777619 & 0xFFFFFFFF
    return h >> 8


def sources():
    """The digest of what the weights are made from: a test holds them to it."""
    digest = hashlib.sha256()
    names = ("clues.rs", "features.rs", "letters.rs", "shape.rs", "words.bin", "words.rs")
    code = [HERE.parent / "src" / name for name in names]
    for path in [*sorted(HERE.glob("corpus/*.txt")), HERE / "evade.txt", HERE / "compose.py", HERE / "train.py", *code,
                 ROOT / "engine/risk/testdata/secrets/train.jsonl", ROOT / "engine/risk/testdata/corpus/ordinary-forms.json"]:
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
