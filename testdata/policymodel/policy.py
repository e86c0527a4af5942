"""A second reading of docs/policy.md and docs/reference/policy.md, as a program.

It reads lines {"layers": [["user", TEXT], ...], "facts": {...}, "finding": SEVERITY}, and prints an outcome for each.
It leaves out impacts, deeds that touch Elicit, and all but the plainest spellings of commands and hosts.
"""
import json
import posixpath
import re
import sys

ACCEPT, REVIEW, ASK, CANCEL, DECLINE = 1, 2, 3, 4, 5
WORDS = {"accept": ACCEPT, "review": REVIEW, "ask": ASK, "cancel": CANCEL, "decline": DECLINE}
NO, MAYBE, LOOKS, YES = range(4)  # how far a rule matches; LOOKS is another reading of a known fact
SEVERITY = {"medium": 2, "high": 3, "critical": 4, "never": 6}
TRAITS = {"read_only": False, "destructive": True, "idempotent": False, "open_world": True}  # the worst case
FLAGS = {"sensitive", "outside", "dangerous", "hasty", *TRAITS}
TEXTS = {"server", "tool", "side", "mode", "kind", "message", "field", "host", "scheme", "command", "cwd", "does",
         "path", "label", "fetched_from"}
DISGUISES = {"\u200b": "", "é": "e", "ｐ": "p", "ѕ": "s"}  # those that the test draws

class File:
    """One policy file. A part that cannot be read only tightens."""

    def __init__(self, layer, text):
        self.layer, self.rules, self.trusted = layer, [], layer in ("managed", "user")
        try:
            self.doc = json.loads(text)
        except ValueError:
            self.doc = None
        self.bad = not isinstance(self.doc, dict) or self.doc.get("version", 1) != 1
        self.doc = {} if self.bad else self.doc
        self.policy = approval_policy(self.doc)
        self.access, self.reviewer = self.doc.get("access"), self.doc.get("reviewer")
        if not self.trusted:  # these may only tighten
            self.access = "sandboxed" if self.access == "sandboxed" else None
            self.reviewer = "user" if self.reviewer == "user" else None
        self.unknown = "unknown" in self.doc and self.doc["unknown"] != "ask" or self.bad
        self.servers = self.doc.get("servers", {})
        for rule in self.doc.get("rules", []):
            when, whole = criteria(rule.get("when"))
            unless, read = criteria(rule["unless"]) if "unless" in rule else (None, True)
            read, then = read and unless != {}, WORDS.get(rule.get("then"), 0)
            broken = not whole or not read or not then or set(rule) - {"name", "when", "unless", "then", "why"}
            then = ASK if broken and then <= ACCEPT else then
            self.rules.append((when, unless if read else None, then, bool(broken)))

    def places(self, f, any_tool):
        """The approval policies that may count for the tool, first that of its own place, and the approvals."""
        server = self.servers.get(f.get("server", ""), {})
        tools = server.get("tools", {})
        tool = tools.get(f.get("tool", ""), {})
        own = [approval_policy(tool), approval_policy(server), self.policy]
        policies = [next((p for p in own if p is not None), None)]
        approvals = tool.get("approvals") or server.get("approvals")
        if any_tool:
            policies += [approval_policy(t) for t in tools.values()]
            approvals = "prompt" if any("approvals" in t for t in tools.values()) else approvals
        return policies, approvals

    def trusts(self, f):
        return self.servers.get(f.get("server", ""), {}).get("trust")

    def traits(self, f):
        said = f.get("annotations", {}) if self.trusts(f) else {}
        return {**TRAITS, **({"destructive": False} if said.get("read_only") else {}), **said}

def approval_policy(place):
    """A word, "bad", None, or the set of granular flags that are true."""
    p = place.get("approval_policy")
    if isinstance(p, dict):
        return frozenset(k for k, v in p["granular"].items() if v)
    return p if p in (None, "untrusted", "on-request", "on-failure", "never") else "bad"

def criteria(when):
    when = when if isinstance(when, dict) else {"": when}
    good = {k: v for k, v in when.items() if k in FLAGS and isinstance(v, bool) or k in TEXTS and v}
    return ({k: v if isinstance(v, (bool, list)) else [v] for k, v in good.items()}, len(good) == len(when))

def glob(p, s):
    if p[:1] == "*":
        return glob(p[1:], s) or bool(s) and glob(p, s[1:])
    if not p or not s:
        return p == s
    if p[0] == "[":
        chars, p = p[1:].split("]", 1)
        return (s[0] in chars.lstrip("!")) != (chars[0] == "!") and glob(p, s[1:])
    return p[0] in ("?", s[0]) and glob(p[1:], s[1:])

def rate(certain, looks=False, possible=False):
    return bool(certain), bool(looks), bool(possible)

class Question:
    """One question of one tool. any_tool says that the tool is not known."""

    def __init__(self, f, any_tool=False):
        self.f, self.any_tool = f, any_tool
        self.url = f.get("mode") == "url"
        self.fields, self.kind, self.claim = f.get("fields", []), f.get("kind"), f.get("claim", "")
        self.empty = not self.url and not self.fields and self.kind in ("confirm", "approval")
        self.dataless = self.empty or self.kind == "form" and f.get("fillable") and not self.url
        self.deed = f.get("does", "") or ("command" if f.get("command") else "")
        self.paths, self.hosts, self.cut = f.get("paths", []), f.get("hosts", []), f.get("reach_cut", False)
        self.complete = not self.cut and self.deed != "command"
        self.touches = bool(self.paths) or self.deed in ("patch", "permissions")
        self.unseen = (self.deed == "command" and not f.get("command")
                       or self.deed == "patch" and (not self.paths or self.cut))
        self.unread = self.unseen or self.cut and self.deed not in ("", "command")
        self.is_deed = False
        self.row = self.find_row()

    def find_row(self):
        f = self.f
        if "suggestion" in (self.claim, self.kind):
            return "suggestion"
        if self.deed and self.empty and self.claim in ("", "approval"):
            self.is_deed = True
            if f.get("dangerous") and self.deed not in ("permissions", "tool"):
                return "dangerous"
            return "outside" if self.deed == "command" and f.get("outside") else self.deed
        if self.claim:
            return "approval" if self.claim == "approval" and self.empty else "malformed" + " empty" * self.empty
        return "url" if self.url else "confirm" if self.empty else "form"

    def match(self, file, key, want, when):
        """Whether a criterion matches for certain, in another reading, and possibly."""
        f = self.f
        def hit(text):
            return any(glob(p, text) for p in want)

        simple = {
            **dict.fromkeys(TRAITS, lambda: file.traits(f)[key] == want),
            "host": lambda: hit(f.get("host", "").lower().rstrip(".")),
            "field": lambda: any(hit(x["name"]) for x in self.fields),
            "sensitive": lambda: any(x.get("sensitive") for x in self.fields) == want,
            "scheme": lambda: self.url and hit(f.get("scheme", "").lower()),
            "hasty": lambda: f.get("hasty", False) == want,
            "does": lambda: self.deed and hit(self.deed),
            **dict.fromkeys(("server", "tool", "side", "mode", "kind"), lambda: hit(f.get(key, ""))),
        }
        if key in simple and (key != "host" or self.url):
            return rate(simple[key]())
        if key == "message":
            want, text = [p.lower() for p in want], f.get("message", "").lower()
            return rate(hit(text), hit("".join(DISGUISES.get(c, c) for c in text)), f.get("message_cut"))
        if key == "command":
            words = f.get("command", "").split()
            ends = [" ".join(words[i:]) for i, _ in enumerate(words)]
            return rate(words and hit(ends[0]), any(map(hit, ends)), not words and f.get("does") == "command")
        if key == "cwd":
            cwd, command = f.get("cwd", ""), f.get("command")
            unclear = not cwd or ".." in cwd
            alike = cwd and (hit(cwd) or command and hit(posixpath.normpath(cwd)))
            return rate(not unclear and hit(cwd), alike, unclear and self.deed == "command")
        if key == "outside":
            said = f.get("outside")
            return rate(said == want and (want or self.complete), False,
                        self.touches and not said and (said is None or self.cut))
        if key == "dangerous":
            return rate(f.get("dangerous", False) == want and (want or not self.unseen), False, self.unseen)
        if key == "host":
            sure = self.complete and self.hosts and ("path" in when or not self.paths) and all(map(hit, self.hosts))
            return rate(sure, any(map(hit, self.hosts)), self.cut)
        if key == "path":
            sure = self.complete and self.paths and ("host" in when or not self.hosts)
            open_ = self.touches and (not self.paths and not self.hosts or self.cut)
            return rate(sure and all(self.surely(p, want) for p in self.paths),
                        any(self.alike(p, want) for p in self.paths), open_)
        certain = possible = False  # label, fetched_from
        for label in f.get("labels", []):
            name, _, host = label.partition(":")
            if name not in ("read_secret", "changed_settings", "fetched"):
                possible = True
            elif key == "label":
                certain = certain or hit(name)
            elif name == "fetched":
                certain = certain or ("*" in want if host == "*" else hit(host))
                possible = possible or host == "*"
        return rate(certain, False, possible)

    def surely(self, path, patterns):
        """A permission for a directory opens all that is below it, so a pattern with a wildcard must match that too."""
        tree = self.deed == "permissions"
        return posixpath.normpath(path) == path and any(
            glob(p, path) and (not tree or not set("*?[") & set(p) or glob(p, path + "/\0/\0")) for p in patterns)

    def alike(self, path, patterns):
        clean = posixpath.normpath(path)
        below = clean.lower().rstrip("/") + "/" if self.deed == "permissions" else "\0"
        return any(glob(p, path) or glob(p, clean) or glob(p.lower(), clean.lower())
                   or re.split(r"[*?\[]", p)[0].lower().startswith(below) for p in patterns)

    def cell(self, policy, access, reviewer, strict):
        """The tables of approval policies. The second value says that an accept of a rule above stays."""
        full, auto, row, granular = access == "full", reviewer == "auto_review", self.row, isinstance(policy, frozenset)
        usual = "sandbox_approval" if self.is_deed else "mcp_elicitations"
        flag = {"permissions": "request_permissions", "tool": None}.get(row, usual)
        if policy in (None, "bad", "untrusted") or strict or row == "suggestion":
            return 0 if policy is None else (DECLINE if policy == "bad" or row == "suggestion" else
                                             REVIEW if strict else ASK), False
        if granular and flag and flag not in policy or policy == "never" and not full:
            return DECLINE, True
        if policy == "never":
            if row == "form" and self.fields and self.f.get("host_shows_forms") and self.f.get("root_thread"):
                return ASK, False
            ok = row in ("confirm", "approval", "malformed empty", "command", "patch", "tool")
            return (ACCEPT if ok else DECLINE), True
        if full and not granular and row in ("command", "outside", "patch"):
            return ACCEPT, True
        return (DECLINE if auto and row.startswith("malformed") else
                REVIEW if auto and (self.is_deed or row == "approval") else ASK), False

class Decision:
    """What the layers say in one reading. whole: access and reviewer of all layers give every policy its meaning."""

    def __init__(self, q, files, whole):
        self.q, self.files, self.whole, self.all = q, files, whole, strictest(files)
        self.outcome, self.by_rule, self.asked, self.rule_asks, self.named = 0, False, 0, 0, False
        self.unasked, self.managed_accepts, self.bars = False, False, []
        barred = any(p.layer == "managed" and p.reviewer == "user" for p in files) or q.row == "suggestion"
        self.strict = bool(q.f.get("strict_review") and q.f.get("auto_review_allowed") and not q.f.get("persistable")
                           and not barred)

    def tighten(self, o, by_rule=False):
        if o in (ASK, REVIEW):
            self.asked = max(self.asked, o)
            if by_rule is None:
                self.rule_asks, self.named = max(self.rule_asks, o), True
        if o > self.outcome:
            self.outcome, self.by_rule = o, by_rule is not False

    def settings(self, upto):
        above = strictest([p for p in self.files[:upto] if p.trusted])
        return [a and b for a, b in zip(above, self.all)] if self.whole else above

    def decide(self):
        q, f, owned = self.q, self.q.f, False
        for i, p in enumerate(self.files):
            spoken = True
            if p.bad:
                self.tighten(DECLINE)
            else:
                spoken = self.layer(p, self.settings(i + 1))
                self.bar()
            owned = owned or spoken and p.trusted
        if not owned:  # the built-in layer
            before = self.outcome
            self.tighten(q.cell("on-request", None, self.settings(len(self.files))[1], self.strict)[0])
            if self.outcome > before:
                self.bar()
        if self.files and not self.managed_accepts and q.unread and not (self.by_rule and self.outcome == DECLINE):
            self.tighten(ASK, None)  # self-protection
            self.bar()
        self.outcome = DECLINE if q.row == "suggestion" else self.outcome
        if (f.get("granted") and self.outcome in (ASK, REVIEW) and not self.named and not self.strict
                and (q.is_deed or q.row in ("confirm", "approval"))):
            self.outcome = ACCEPT
        for p in self.files:
            quiet = p.doc.get("quiet")
            if quiet and self.asked and self.outcome not in (ACCEPT, DECLINE) and is_quiet(quiet, f.get("at", 0)):
                self.outcome = max(self.outcome, DECLINE if self.unasked else WORDS[quiet.get("then", "cancel")])
        return self.outcome

    def layer(self, p, settings):
        q = self.q
        policies, approvals = p.places(q.f, q.any_tool)
        ruled = self.rules(p)
        spoken = ruled or policies[0] is not None
        if not ruled and approvals and (q.is_deed or q.row == "approval"):
            t = p.traits(q.f)
            gives = (approvals == "approve" or approvals == "writes" and t["read_only"]
                     or approvals == "auto" and not t["destructive"] and (t["read_only"] or not t["open_world"]))
            ruled = spoken = True
            o = REVIEW if q.cell(policies[0], *settings, self.strict)[0] == REVIEW and not q.any_tool else ASK
            if gives and q.f.get("tool") and not self.strict:
                o = ACCEPT if p.trusted else ASK
            else:
                self.named = self.named or approvals != "auto"
            self.tighten(o, True)
        for policy in policies:
            o, nobody = q.cell(policy, *settings, self.strict)
            if o and not ruled and not (nobody and self.outcome == ACCEPT and self.by_rule):
                self.tighten(ASK if o == ACCEPT and not p.trusted else o)
            flags = policy if isinstance(policy, frozenset) else {"rules", "mcp_elicitations"}
            off = not q.is_deed and "mcp_elicitations" not in flags
            self.bars += [None] if q.is_deed and "rules" not in flags else []
            if (off or policy in ("never", "bad")) and o != ASK:
                self.bars.append(o if o == REVIEW else 0)
        return spoken

    def bar(self):
        """Nobody may be asked: what some layer wants asked is declined, also behind a cancel."""
        if any(self.rule_asks if b is None else self.asked > b for b in self.bars):
            self.outcome = DECLINE

    def match(self, p, when, looks, possible):
        """The least match of all criteria. looks and possible say whether such a match counts."""
        least = YES
        for key, want in when.items():
            certain, alike, may = self.q.match(p, key, want, when)
            m = YES if certain else LOOKS if alike and looks else MAYBE if may and possible else NO
            any_tool = self.q.any_tool and (key == "tool" or key in TRAITS and p.trusts(self.q.f))
            least = min(least, MAYBE if any_tool else m)
        return least

    def rules(self, p):
        ruled = False
        for when, unless, then, broken in p.rules:
            m = self.match(p, when, then != ACCEPT, then != ACCEPT)
            e = self.match(p, unless, then == ACCEPT, True) if unless else NO
            if m == NO or e >= LOOKS or ruled and not broken:
                continue
            o, reviewer = then, self.all[1]
            if (o == ACCEPT and not (self.q.dataless and p.trusted)
                    or o == REVIEW and (reviewer == "user" or not p.trusted and reviewer != "auto_review")):
                o = ASK
            if m == MAYBE and not broken and o > ASK:
                o, self.unasked = DECLINE if any(file.unknown for file in self.files) else ASK, True
            full = m == YES and e == NO and not broken
            if full or o != ACCEPT:
                self.tighten(o, None)
            ruled = ruled or full
            self.managed_accepts = self.managed_accepts or full and o == ACCEPT and p.layer == "managed"
        return ruled

def strictest(files):
    said = {p.access for p in files} | {p.reviewer for p in files}
    return [next((w for w in words if w in said), None) for words in (("sandboxed", "full"), ("user", "auto_review"))]

def is_quiet(q, at):
    now, (start, end) = at // 60000 % 1440, [int(q[k][:2]) * 60 + int(q[k][3:]) for k in ("from", "to")]
    return at != 0 and (start <= now < end if start < end else now >= start or now < end)

def decide(layers, f, finding=None):
    """Several calls, and both readings of access and reviewer: the strictest decision holds."""
    files = [File(*one) for one in layers]
    others, cut = f.get("candidates", []), f.get("candidates_cut")
    if others or f.get("tool") and cut:
        f = {**f, "granted": ""}  # a yes to one tool is no yes to another
    one = {k: v for k, v in f.items() if k not in ("tool", "annotations")}
    calls = [Question(f)] if f.get("tool") or not others else []
    calls += [Question({**one, **c}) for c in others] + ([Question(one, True)] if cut else [])
    outcome = max(Decision(q, files, whole).decide() for q in calls for whole in (False, True))
    limits = [(SEVERITY.get(p.doc["findings"]["decline"], 2), p.trusted) for p in files if "findings" in p.doc]
    flagged = finding and SEVERITY[finding] >= min([n for n, trusted in limits if trusted or n <= 4], default=4)
    return "decline" if flagged else next(word for word, o in WORDS.items() if o == outcome)

if __name__ == "__main__":
    for line in sys.stdin:
        case = json.loads(line)
        print(decide(case["layers"], case["facts"], case.get("finding")), flush=True)
