package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/guarded"
)

// All of it is ordinary for an administrator, so the severity is low; it is for logs and for policies that count. Only
// what removes traces is medium.
var commandIntruder = check{
	Doc: Doc{
		Code: "command_intruder", Title: "What intruders do", Severity: elicit.Low,
		About: "The command does what intruders do first or last; others do it too. accounts, network, machine (kernel " +
			"modules, a virtual machine), guards (security programs): it lists these. secrets, setuid: it looks for such " +
			"files. watches: it reads the screen, the clipboard or packets. permissions: everybody may write. loads: other " +
			"programs load a file. traces: it changes dates; medium for logs and the history of a shell.",
		Spec: "MITRE ATT&CK TA0007, T1040, T1070, T1113, T1222, T1562, T1574",
	},
	command: func(h *hits, l *shellLine) {
		d := dangers{line: l}
		for i := range l.commands {
			c := &l.commands[i]
			if impact.HasReader && !c.has("--help", "--version") {
				if severity, kind := c.intrudes(l.report.Commands[i].Assigns); kind != "" {
					d.add(severity, kind, c)
				}
			}
		}
		for i := range l.impacts {
			if severity, kind := traced(&l.impacts[i]); kind != "" {
				d.add(severity, kind, l.of(&l.impacts[i]))
			}
		}
		h.dangers(&d)
	},
}

// intruding are programs by what they are for. A word behind a colon is what one of them is told.
var intruding = [...]struct {
	kind     string
	programs guarded.Words
}{
	{"accounts", "who w users last lastb lastlog lslogins finger pinky chage faillog pwpolicy dscl dscacheutil quser " +
		"getent:passwd getent:group getent:shadow net:user net:users net:localgroup net:group net:accounts " +
		"query:user get-localuser get-localgroup get-aduser loginctl:list-users loginctl:list-sessions"},
	{"network", "nmap masscan zmap rustscan arp-scan netdiscover nbtscan fping arping unicornscan hping3 smbmap " +
		"enum4linux rpcinfo showmount avahi-browse nltest arp route sockstat ip:neigh ip:neighbor ip:neighbour ip:n " +
		"ip:route ip:r net:view netstat:-r netstat:-rn get-netneighbor smbutil:view"},
	{"machine", "lsmod modinfo kmod:list kextstat kmutil dmidecode systemd-detect-virt virt-what imvirt ioreg " +
		"system_profiler"},
	{"setuid", "getcap"},
	{"watches", "pbpaste wl-paste screencapture scrot grim gnome-screenshot spectacle xwd tcpdump tshark dumpcap " +
		"ettercap arecord xinput:test xinput:test-xi2 xclip:-o xclip:-out xsel:-o get-clipboard"},
	{"traces", "shred srm wevtutil:cl clear-eventlog"},
}

// intruder returns what a program is for, or "".
func intruder(program string) string {
	for i := range intruding {
		if intruding[i].programs.Has(program) {
			return intruding[i].kind
		}
	}
	return ""
}

// security are parts of the names of programs that watch over a machine.
var security = strings.Fields("crowdstrike falcon-sensor falconctl falcond carbonblack cbagentd cbdaemon sentinelone " +
	"sentinelctl mdatp osquery auditd auditbeat sysmon clamav clamd wazuh ossec-agent ossec-control tripwire rkhunter " +
	"chkrootkit cylance sophos mcafee symantec bitdefender kaspersky trendmicro littlesnitch knockknock blockblock " +
	"santad apparmor selinux falco taniumclient qualys defender xprotect")

// intrudes says which of these a command does by its words.
func (c *shellCommand) intrudes(assigns []impact.Text) (elicit.Severity, string) {
	// In "env HISTFILE= bash", the words before the inner command may set variables.
	before := texts(c.words[:len(c.words)-min(len(c.words), len(c.args)+1)]) // of env
	for i := range assigns {
		before = append(before, assigns[i].Text)
	}
	if severity, kind := intrudingVariables("env", before); kind != "" {
		return severity, kind
	}
	if kind := intruder(c.program); kind != "" {
		return elicit.Low, kind
	}
	words := texts(c.args)
	switch c.program {
	case "export", "declare", "typeset", "unset", "set", "env", "readonly", "setx":
		return intrudingVariables(c.program, words)
	case "history":
		if c.flag("cd", "clear") || c.has("clear") {
			return elicit.Medium, "traces"
		}
	case "touch":
		for _, word := range words {
			if isShortFlag(word, 't') || isShortFlag(word, 'd') || isShortFlag(word, 'r') || strings.HasPrefix(word, "--d") ||
				strings.HasPrefix(word, "--r") {
				return elicit.Low, "traces"
			}
		}
	// With -l, -r, -i or -s they list what listens, routes or counters, which are no connections to others.
	case "netstat", "ss":
		if !c.flag("lirsM", "--listening") && !c.has("--route", "--interfaces", "--statistics", "--help") {
			return elicit.Low, "network"
		}
	case "lsof":
		for i, word := range words {
			if word == "-u" {
				return elicit.Low, "accounts"
			}
			if word == "-i" && (i+1 == len(words) || !strings.Contains(words[i+1], ":")) {
				return elicit.Low, "network"
			}
		}
	case "nc", "ncat", "netcat":
		if c.flag("z", "") {
			return elicit.Low, "network"
		}
	case "chmod":
		if len(words) > 1 && writableByAll(words) {
			return elicit.Low, "permissions"
		}
	case "find", "fd", "locate", "mlocate", "plocate", "mdfind":
		if kind := looksFor(words); kind != "" {
			return elicit.Low, kind
		}
	}
	for _, word := range words {
		if kind := intruder(c.program + ":" + word); kind != "" {
			return elicit.Low, kind
		}
	}
	if c.asksForGuards(words) {
		return elicit.Low, "guards"
	}
	return "", ""
}

// asksForGuards reports whether a command looks for a security program among those that run or are installed.
func (c *shellCommand) asksForGuards(words []string) bool {
	switch c.program {
	// A search in a file for the name of a product is ordinary. A search in the output of ps is not.
	case "grep", "egrep", "fgrep", "rg", "findstr", "awk", "select-string":
		if !c.piped {
			return false
		}
	case "pgrep", "pidof", "ps", "ls", "find", "which", "command", "type", "locate", "mdfind", "tasklist", "get-process",
		"systemctl", "service", "launchctl", "sc", "get-service", "test", "[":
	default:
		return false
	}
	for _, word := range words {
		word = strings.ReplaceAll(lowerASCII(word), " ", "")
		for _, name := range security {
			if strings.Contains(word, name) {
				return true
			}
		}
	}
	return false
}

// intrudingVariables reads the words of a program that sets variables or options of the shell.
func intrudingVariables(program string, words []string) (elicit.Severity, string) {
	for i, word := range words {
		if program == "set" {
			if word == "history" && i > 0 && words[i-1] == "+o" {
				return elicit.Medium, "traces"
			}
			continue
		}
		if program == "unset" {
			word += "="
		}
		if severity, kind := intrudingVariable(word); kind != "" {
			return severity, kind
		}
	}
	return "", ""
}

// intrudingVariable reads NAME=VALUE of a variable that stops the history of a shell, or that loads a file into each
// program.
func intrudingVariable(text string) (elicit.Severity, string) {
	name, value, assigned := strings.Cut(text, "=")
	if !assigned {
		return "", ""
	}
	switch name {
	case "HISTFILE":
		if value == "" || strings.HasPrefix(value, "/dev/") {
			return elicit.Medium, "traces"
		}
	case "HISTSIZE", "HISTFILESIZE", "SAVEHIST":
		if value == "" || value == "0" {
			return elicit.Medium, "traces"
		}
	case "HISTIGNORE":
		if value == "*" {
			return elicit.Medium, "traces"
		}
	case "HISTCONTROL":
		if strings.Contains(value, "ignore") {
			return elicit.Low, "traces"
		}
	case "LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES":
		for _, place := range [...]string{"/tmp/", "/var/tmp/", "/dev/shm/", "~", "/home/"} {
			if strings.HasPrefix(value, place) {
				return elicit.Low, "loads"
			}
		}
	}
	return "", ""
}

// writableByAll reports whether permissions of chmod, its first word that is no option, let everybody write.
func writableByAll(words []string) bool {
	for _, mode := range words {
		if strings.HasPrefix(mode, "--") || len(mode) > 1 && mode[0] == '-' && strings.Trim(mode[1:], "Rcfv") == "" {
			continue
		}
		_, all := impact.ModeOf(mode)
		return all
	}
	return false
}

// looksFor says what a command that finds files looks for: files of secrets, or those that run as their owner.
func looksFor(words []string) string {
	for i, word := range words {
		// -4000, /4000 and -u+s all look for programs that run as their owner.
		if i > 0 && words[i-1] == "-perm" {
			bits := strings.TrimLeft(word, "-/+0")
			if len(bits) == 4 && strings.ContainsAny(bits[:1], "2467") || strings.Contains(word, "s") {
				return "setuid"
			}
		}
		if name := strings.Trim(word, "*"); len(name) > 2 && !strings.HasPrefix(word, "-") {
			if place := guarded.PlaceOf(name, true, false); place != nil && (place.Read == elicit.High ||
				place.Read == elicit.Medium) {
				return "secrets"
			}
		}
	}
	return ""
}

// Places that tell of accounts, of the network, of the machine, and of what happened on it. One that ends with "/" is
// all below.
const (
	accountFiles = " /etc/passwd /etc/group /run/utmp /var/run/utmp /etc/pam.d/ /etc/login.defs /etc/security/ " +
		"/etc/default/useradd /var/db/dslocal/ " + accountLogs
	networkFiles = " /proc/net/ /proc/self/net/ /etc/hosts.equiv /etc/exports "
	machineFiles = " /proc/modules /proc/kallsyms /sys/class/dmi/ /sys/devices/virtual/dmi/ /sys/hypervisor/ " +
		"/sys/module/ /proc/scsi/ "
	accountLogs = " /var/log/wtmp /var/log/btmp /var/log/lastlog /var/log/faillog /var/log/auth.log /var/log/secure " +
		"/var/log/sudo.log "
	guardLogs = " /var/log/audit/ /var/log/ufw.log /var/log/firewalld /var/log/fail2ban.log /var/log/clamav/ " +
		"/var/log/apparmor/ /var/ossec/logs/ "
	systemLogs = accountLogs + guardLogs + "/var/log/syslog /var/log/messages /var/log/kern.log /var/log/journal/ " +
		"/var/log/system.log /var/log/cron /var/log/maillog /var/log/mail.log /var/log/boot.log /var/log "
)

// traced says which of these an impact on a place is. ls and test only ask whether a file is there.
func traced(in *impact.Impact) (elicit.Severity, string) {
	switch in.Kind {
	case impact.Writes, impact.Deletes:
		if placedIn(in.Target, systemLogs) && in.Program != "mkdir" ||
			in.Kind == impact.Deletes && strings.HasPrefix(in.Target, "/var/log/") {
			return elicit.Medium, "traces"
		}
	case impact.Reads:
		switch {
		case in.Program == "ls", in.Program == "test", in.Program == "[":
		case placedIn(in.Target, accountFiles):
			return elicit.Low, "accounts"
		case placedIn(in.Target, guardLogs):
			return elicit.Low, "guards"
		case placedIn(in.Target, networkFiles):
			return elicit.Low, "network"
		case placedIn(in.Target, machineFiles):
			return elicit.Low, "machine"
		}
	}
	return "", ""
}

// placedIn reports whether a path is one of the list, or below one. It tries the path and each directory above it, so
// the cost is the depth of the path times the length of the list.
func placedIn(path, list string) bool {
	if path == "" || path[0] != '/' {
		return false
	}
	for {
		if strings.Contains(list, " "+path+" ") {
			return true
		}
		at := strings.LastIndexByte(strings.TrimSuffix(path, "/"), '/')
		if at <= 0 {
			return false
		}
		path = path[:at+1]
	}
}
