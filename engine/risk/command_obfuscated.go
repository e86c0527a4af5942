package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
)

// The words are looked at as the line spells them (spelled), because package impact has taken quotes and escapes away.
var commandObfuscated = check{
	Doc: Doc{
		Code: "command_obfuscated", Title: "A command in disguise", Severity: elicit.High,
		About: "The command hides what it runs. decoded: text is decoded and then run (base64 -d | sh, PowerShell " +
			"-EncodedCommand). separator: $IFS stands for spaces. escapes: the program is spelled in hexadecimal or " +
			"octal. split: quotes or backslashes split the name of the program, or variables spell it. endless: it " +
			"has more than 128 KB, 512 commands or 12 texts inside of texts, so it is not read to its end.",
		Spec: "CWE-506: embedded malicious code; MITRE ATT&CK T1027, T1140",
	},
	command: func(h *hits, l *shellLine) {
		// A line that cannot be read to its end may hide anything behind it, so nothing else is looked at.
		if l.cut {
			h.add(l.text, 0, len(l.text), elicit.Str("kind", "endless"), elicit.Num("count", 1))
			return
		}
		commandCheck(func(d *dangers, c *shellCommand) {
			if kind := l.disguise(c); kind != "" {
				d.add(elicit.High, kind, c)
			}
		}, func(d *dangers) { l.executes(d, impact.Decoded, "decoded") })(h, l)
	},
}

// The kinds stand from the worst on. A disguise is a finding whatever the command does, since no honest command needs
// one.
func (l *shellLine) disguise(c *shellCommand) string {
	if impact.HasReader && (c.runsInput() && l.upstream(c, l.decodes) || c.runsWords() && l.inside(c, l.decodes) ||
		c.runsCode()) {
		return "decoded"
	}
	for i := range c.words {
		w := &c.words[i]
		// $IFS alone is common in scripts that print it.
		if spelled := l.spelled(w); w.variables > 0 && spelled != "$IFS" &&
			(strings.Contains(spelled, "$IFS") || strings.Contains(spelled, "${IFS")) {
			return "separator"
		}
	}
	name := &c.name
	switch {
	case name.escapes > 0 || l.nestedName(c):
		return "escapes"
	// $HOME/$DIR/bin has variables for directories; $A$B spells a name.
	case name.broken, name.variables > 1 && !strings.ContainsAny(name.text, "/"):
		return "split"
	}
	return ""
}

// nestedName reports whether the program is the output of a printf or echo with escapes.
func (l *shellLine) nestedName(c *shellCommand) bool { return c.name.holds && l.inside(c, escaped) }

// escaped reports whether a command writes text that is spelled in escapes.
func escaped(c *shellCommand) bool {
	if c.program != "printf" && c.program != "echo" {
		return false
	}
	for i := range c.args {
		if w := &c.args[i]; w.escapes > 2 || strings.Count(w.text, `\x`) > 2 || octal(w.text) > 2 {
			return true
		}
	}
	return false
}

// octal counts octal escapes.
func octal(s string) (n int) {
	for i := 0; i+2 < len(s); i++ {
		if s[i] == '\\' && s[i+1] >= '0' && s[i+1] <= '3' && isDigit(s[i+2]) {
			n++
		}
	}
	return n
}

// decodes reports whether the output of a command, or of one before it in its pipes, is decoded text.
func (l *shellLine) decodes(c *shellCommand) bool {
	return decoder(c) || l.upstream(c, decoder) || l.inside(c, decoder)
}

// tr A-Za-z N-ZA-Mn-za-m is ROT13. rev turns a text around: "f fr- mr" becomes "rm -rf f".
func decoder(c *shellCommand) bool {
	switch c.program {
	case "base64", "base32", "basenc", "gbase64":
		return c.flag("dD", "--decode")
	case "openssl":
		return c.flag("d", "") && (c.has("base64") || c.has("enc"))
	case "xxd":
		return c.flag("r", "")
	case "rev", "uudecode":
		return true
	case "tr":
		return len(c.args) == 2 && strings.Contains(c.args[0].text, "A-Z") && strings.Contains(c.args[1].text, "N-Z")
	}
	return escaped(c)
}

// runsCode reports whether an interpreter decodes a text and runs it. PowerShell takes each beginning of
// -EncodedCommand that is unique, such as -enc; "-ex" begins -ExecutionPolicy.
func (c *shellCommand) runsCode() bool {
	if !interpreter(c.program) {
		return false
	}
	shell := c.program == "pwsh" || c.program == "powershell"
	for i := range c.args {
		text := lowerASCII(c.args[i].text)
		if shell && len(text) > 1 && strings.HasPrefix("-encodedcommand", text) && text[1] == 'e' && text != "-ex" {
			return true
		}
		if (strings.Contains(text, "exec(") || strings.Contains(text, "eval(") || strings.Contains(text, "eval ") ||
			strings.Contains(text, "iex")) && (strings.Contains(text, "b64decode") || strings.Contains(text, "'base64'") ||
			strings.Contains(text, `"base64"`) || strings.Contains(text, "decode_base64") || strings.Contains(text, "fromhex") ||
			strings.Contains(text, "frombase64string") || strings.Contains(text, "base64_decode") ||
			strings.Contains(text, "pack(")) {
			return true
		}
	}
	return false
}
