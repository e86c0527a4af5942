package main

// scene is one proxy with one server, and the tools that a client calls there.
type scene struct {
	title    string
	protocol string   // the version that the client speaks
	flags    []string // of `elicit proxy`, beside those of every scene
	server   []string
	acts     []act
}

// act is one call of a tool, and how it must end.
type act struct {
	tool, about string
	arguments   map[string]any
	outcomes    string // of the questions, in their order
	says        string // a part of the text that the client gets
	certain     bool   // it ends so whoever answers, because no person is asked
}

const guardian = "dist/demo-guardian" // made by build.sh

func scenes() []scene {
	return []scene{
		{title: "A server of 2025-11-25", protocol: "2025-11-25",
			server: []string{"demoserver", "-protocol", "2025-11-25"}, acts: []act{
				{tool: "deploy", about: "A confirmation before something costly.",
					outcomes: "accept", says: "Deployed shop to production."},
				{tool: "profile", about: "A form with every kind of field the protocol has, falsy defaults included.",
					outcomes: "accept", says: "Ada Lovelace"},
				{tool: "connect", about: "A page to visit. Consent is one thing, finishing the page another.",
					outcomes: "accept", says: "Linked"},
				{tool: "phish", about: "The same, but the address pretends to be somebody else.",
					arguments: map[string]any{"trick": "userinfo"}, outcomes: "decline", says: "Declined", certain: true},
				{tool: "leak", about: "A form that asks for secrets, which the protocol forbids. Our policy declines it.",
					outcomes: "decline", says: "Declined", certain: true},
				{tool: "nested", about: "A schema the protocol does not allow. The server is told where and why.",
					outcomes: "error", says: "/requestedSchema/properties/address", certain: true},
			}},
		{title: "A server of 2025-06-18", protocol: "2025-06-18",
			server: []string{"demoserver", "-protocol", "2025-06-18"}, acts: []act{
				{tool: "deploy", about: "The first version of the protocol, answered in its own spelling.",
					outcomes: "accept", says: "Deployed shop to production."},
			}},
		{title: "A server of 2026-07-28", protocol: "2026-07-28",
			server: []string{"demoserver", "-protocol", "2026-07-28", "-refuse-initialize"}, acts: []act{
				{tool: "plan", about: "Two rounds of questions in results; the client does not support rounds, " +
					"so the proxy retries for it.", outcomes: "accept accept", says: `Planned backups in eu: {"days":14}`},
			}},
		{title: "A server that speaks the shape of a draft", protocol: "2025-11-25",
			server: []string{"rawserver", "testdata/rawserver/scripts/draft.jsonl"}, acts: []act{
				{tool: "go", about: "Questions as an array in _meta, as some articles show them.",
					outcomes: "accept", says: `"Keep"`},
			}},
		{title: "Calls that wait for you", protocol: "2025-11-25", flags: []string{"--hold-calls"},
			server: []string{"demoserver", "-protocol", "2025-11-25"}, acts: []act{
				{tool: "erase", about: "The model wants to erase your home. You change the path and allow that.",
					arguments: map[string]any{"path": "/home/ada"}, outcomes: "accept", says: "Erased /home/ada/old-builds."},
				{tool: "erase", about: "The model wants to erase everything. You say no, and the model reads why.",
					arguments: map[string]any{"path": "/"}, outcomes: "decline", says: "Nobody erases the root."},
			}},
		{title: "A guardian in a sandbox", protocol: "2025-11-25",
			flags:  []string{"--guardian", guardian + "/permit.json"},
			server: []string{"demoserver", "-protocol", "2025-11-25"}, acts: []act{
				{tool: "connect", about: "A WebAssembly module knows which hosts may be opened. This one may not.",
					outcomes: "decline", says: "Declined", certain: true},
			}},
	}
}
