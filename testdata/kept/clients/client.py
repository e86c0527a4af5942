"""A host of libelicit in Python: a connection, an engine that moves, a decision and a form."""
from elicit_engine import Engine, Form, InputError, Relay, evaluate, why

HELLO = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",'
    b'"capabilities":{},"clientInfo":{"name":"kept","version":"1"}}}'
)
WELCOME = (
    b'{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},'
    b'"serverInfo":{"name":"backup","version":"1"}}}'
)
SCHEMA = {"type": "object", "properties": {"days": {"type": "integer", "maximum": 30}}, "required": ["days"]}
QUESTION = (
    b'{"jsonrpc":"2.0","id":"q","method":"elicitation/create","params":{"message":"Keep for how long?",'
    b'"requestedSchema":{"type":"object","properties":{"days":{"type":"integer","maximum":30}},"required":["days"]}}}'
)
POLICY = {"version": 1, "rules": [{"name": "no-url", "when": {"mode": "url"}, "then": "decline"}]}


def told(what, effects):
    print("%s: %s" % (what, " ".join(e["effect"] for e in effects if e["effect"] not in ("append", "wake"))))


relay = {"server": "backup", "role": "client", "modes": ["form"], "config": {"policy": {"user": POLICY}}}
with Relay(relay) as connection:
    told("client", connection.receive("client", HELLO))
    told("server", connection.receive("server", WELCOME))
    effects = connection.receive("server", QUESTION)
    told("question", effects)
    show = next(e for e in effects if e["effect"] == "show")
    answer = {"event": "answered", "session": show["session"], "id": show["id"], "action": "accept"}
    told("wrong", connection.step({**answer, "content": {"days": 99}}))
    effects = connection.step({**answer, "content": {"days": 7}})
    told("answered", effects)
    print("sent: %s" % next(e for e in effects if e["effect"] == "send")["message"])

with Engine({"policy": {"user": POLICY}}, at=1000, random="ab" * 32) as first, Engine() as second:
    first.step({"event": "opened", "session": "s", "server": "backup", "side": "answering",
                "declared": ["form", "url"], "shown": ["form", "url"]}, at=1000)
    asked = {"event": "asked", "session": "s", "mode": "form", "message": "Keep?", "schema": SCHEMA, "ref": "1"}
    told("asked", first.step({"event": asked, "at": 1000, "random": "cd" * 32}))
    effects = first.step({"event": "asked", "session": "s", "mode": "url", "message": "Pay",
                          "url": "https://shop.example/", "link": "p", "ref": "2"})
    told("url", effects)
    print("why: %d sentences or more" % min(len(why(effects[-1])), 1))
    show = next(e for e in second.resume(first.save("s"), at=2000) if e["effect"] == "show")
    reply = second.step({"event": "answered", "session": "s", "id": show["id"], "action": "accept",
                         "content": {"days": 7}})
    print("reply: %s %s" % next((e["outcome"], e["content"]["days"]) for e in reply if e["effect"] == "reply"))

print("decide: %s" % evaluate("decide", {"policy": {"user": POLICY}, "facts": {"mode": "url"}})["outcome"])
with Form(SCHEMA) as form:
    print("form: %s %s" % (form.fields[0]["kind"], [p["code"] for p in form.check({"days": 99})][0]))
try:
    Engine({"limits": {"shown": -1}})
except InputError as error:
    print("refused: %s" % error.problems[0]["pointer"])
