package english

var findings = map[string]string{
	// engine/risk
	"secret_in_form": "this form asks for a secret ({word}); what is typed here reaches the server and possibly " +
		"the model, so do not type one",
	"url_scheme":   "this is not a web page: a {scheme} address can run code, read files or start a program",
	"url_insecure": "the connection is not encrypted; anybody on the way can read and change the page",
	"url_userinfo": "what stands before the @ is decoration; the page that opens is {host}",
	"url_control":  "the address hides {count} invisible characters; what you read is not what opens",
	"url_bidi":     "the address contains marks that turn the direction of text; what you read is not what opens",
	"url_backslash": "the address contains a backslash, which programs read in different ways to reach " +
		"different hosts",
	"url_encoded_host": "the host is hidden behind percent escapes; it means {decoded}",
	"url_ip_literal":   "the host is a bare number, {address} ({reach} network), and says nothing about who runs it",
	"url_punycode": "the host is an international name that may be shown as {unicode}; compare both forms " +
		"letter by letter",
	"url_mixed_script": "the host mixes {scripts} letters in one name ({label}), as imitations do",
	"url_lookalike": "the host is written in foreign letters that only look Latin ({label}); it is not the name " +
		"it seems",
	"url_known_lookalike": "this host only resembles {known}, which is known",
	"secret_value":        "the text contains what looks like a secret ({kind}); whoever keeps a log of this holds it",
	"guardian_finding":    "{guardian} says: {message}",
	"reviewer_finding":    "the reviewer {guardian} says: {message}",
	"secret_in_answer": "your answer contains what looks like a secret ({kind}); it reaches the server and " +
		"possibly the model",
	"server_lookalike":      "the server that asks has a name that resembles {known}, another server",
	"url_non_ascii_host":    "the host is written in letters outside plain ASCII; compare them one by one",
	"url_host_in_subdomain": "the address begins like somebody else's, but its owner is {owner}",
	"url_many_subdomains":   "the host has {parts} parts; look at the end of it to see who owns it",
	"url_host_in_path":      "the path contains another address; only the host at the front is visited",
	"url_port":              "the address names the unusual port {port}",
	"url_long":              "the address is {bytes} bytes long; its end may hide something",
	"url_secret_in_query": "the address carries what looks like a secret; it may be open to others, or open somebody " +
		"else's session",
	"url_unparsable": "this is not an address that every program reads in the same way, so nobody can say what " +
		"would open",
	"text_link": "the text contains a link ({count} in all); open nothing but the address you are asked to " +
		"agree to",
	"text_link_mismatch": "a link shows {shown} but leads to {target}",
	"text_markup":        "the text contains HTML ({count} tags); it is shown as plain text",
	"text_bidi": "the text contains {count} marks that turn its direction; it may say something else than " +
		"it shows",
	"text_control":          "the text contains {count} invisible characters, which can hide words or repaint a terminal",
	"text_pressure":         "the text presses you ({kind}); take your time, and ask somebody before you agree",
	"text_destructive":      "this destroys something that may not come back; read it twice",
	"text_impersonation":    "the text speaks as somebody else ({claim}), but the server wrote every word of it",
	"command_destructive":   "the command destroys something ({kind}); make sure that you can undo it",
	"command_exfiltrates":   "the command sends data off this machine ({kind})",
	"command_obfuscated":    "the command hides what it runs ({kind})",
	"command_pipe_to_shell": "the command downloads a program and runs it unread",
	"command_sensitive":     "the command reaches a place that holds secrets, or that others run or trust ({kind})",
	"command_intruder":      "the command does what intruders do too ({kind})",
	"command_package":       "the name of the package {package} resembles the well-known {known}",
	"command_control": "the command contains {count} invisible characters; the shell reads another command " +
		"than you do",
	"patch_sensitive": "this file runs or decides something later ({kind})",
	"patch_outside":   "this reaches beyond the places that the agent may write to",
	"text_long":       "the text is {bytes} bytes long; what matters may stand where nobody reads",
}
