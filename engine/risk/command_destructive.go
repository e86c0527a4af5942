package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
)

// The severity is about what is lost, and not about how likely it is: rm -rf build is medium, rm -rf ~ is high. The
// check reads words and not impacts, because a flag such as --force says more than the path.
var commandDestructive = check{
	Doc: Doc{
		Code: "command_destructive", Title: "A command that destroys", Severity: elicit.High,
		About: "The command destroys data or systems. Critical for the whole disk (rm -rf /) and a fork bomb. High " +
			"for files of a broad place (rm -rf ~, chmod -R 777 /), disk (mkfs, dd of=/dev/sda), history (git push " +
			"--force), database (DROP TABLE, TRUNCATE, DELETE without WHERE), cloud (terraform destroy, aws … " +
			"delete-…, kubectl delete namespace). Medium for rm -rf of a named directory, git reset --hard, docker " +
			"system prune.",
		Spec: "MITRE ATT&CK T1485, T1561; CWE-732",
	},
	command: func(h *hits, l *shellLine) {
		commandCheck(func(d *dangers, c *shellCommand) {
			if impact.HasReader {
				c.destroysFiles(d)
				c.destroysDisk(d)
				c.destroysWork(d)
				c.destroysRows(d)
				c.destroysCloud(d)
			}
			if strings.HasPrefix(c.program, ":") && c.piped && strings.Contains(l.text, ":(){") {
				d.add(elicit.Critical, "forks", c)
			}
		})(h, l)
	},
}

// broadness says how bad it is to lose what a path names. Only a place that is named broadly counts. A path that leads
// there by ".." or a link is for the impacts of the command.
func broadness(path string) elicit.Severity {
	path = strings.ReplaceAll(path, `\`, "/")
	bare := strings.TrimRight(strings.TrimSuffix(path, "*"), "/")
	switch {
	case (path == "/" || path == "/*" || bare == "") && strings.HasPrefix(path, "/"):
		return elicit.Critical
	case path == "*" || path == "." || path == "./" || path == "./*" || path == ".." || path == "../" || path == "../*":
		return elicit.High
	}
	switch lowerASCII(bare) {
	case "~", "$home", "${home}", "/etc", "/usr", "/bin", "/sbin", "/lib", "/var", "/home", "/root", "/boot", "/opt",
		"/users", "/library", "/system", "/dev", "c:", "c:/windows", "c:/users", "%userprofile%", "$env:userprofile",
		"~/.ssh", "~/documents", "~/desktop", "~/.config", ".git":
		return elicit.High
	}
	return elicit.Medium
}

// broadest is the broadest place among the arguments. "/s" of Windows is a flag and no path.
func (c *shellCommand) broadest() elicit.Severity {
	worst := elicit.Low
	for i := range c.args {
		text := c.args[i].text
		if strings.HasPrefix(text, "-") || len(text) == 2 && text[0] == '/' && isLetter(text[1]) {
			continue
		}
		if s := broadness(text); s.Rank() > worst.Rank() {
			worst = s
		}
	}
	return worst
}

// destroysFiles looks at programs of Unix, Windows and PowerShell that remove files or open them to everybody.
func (c *shellCommand) destroysFiles(d *dangers) {
	switch c.program {
	case "rm":
		if c.has("--no-preserve-root") {
			d.add(elicit.Critical, "files", c)
		} else if c.flag("rR", "--recursive") {
			d.add(worse(c.broadest(), elicit.Medium), "files", c)
		}
	// "find . -exec rm {} ;" and "find . -exec sudo /bin/rm {} ;" remove as -delete does.
	case "find":
		removes, runs := c.has("-delete"), false
		for i := range c.args {
			name := programName(c.args[i].text)
			removes = removes || runs && name == "rm"
			runs = strings.HasPrefix(name, "-exec") || runs && name == "sudo"
		}
		// With fewer than four words there is no test of names: "find . -delete" removes all. With more, tests choose.
		if removes && len(c.args) > 0 && len(c.args) < 4 {
			d.add(milder(worse(broadness(c.args[0].text), elicit.Medium), elicit.High), "files", c)
		} else if removes {
			d.add(elicit.Medium, "files", c)
		}
	case "chmod", "chown", "chgrp":
		// chmod -R 755 . is ordinary, chmod -R 777 . is not, and chmod -R 755 /etc is never.
		here := c.has(".", "./", "*", "./*", "..") // ordinary, but for a mode that opens everything
		open := c.program == "chmod" && c.has("777", "0777", "a+rwx", "000", "0")
		if c.flag("R", "--recursive") && c.broadest().Rank() >= elicit.High.Rank() && (open || !here) {
			d.add(elicit.High, "files", c)
		}
	case "del", "erase", "rd", "rmdir":
		if c.has("/s", "/S") {
			d.add(milder(worse(c.broadest(), elicit.Medium), elicit.High), "files", c)
		}
	case "remove-item", "ri":
		if c.hasFold("-recurse", "-r") {
			d.add(milder(worse(c.broadest(), elicit.Medium), elicit.High), "files", c)
		}
	// A file that is moved to /dev/null is gone.
	case "mv":
		if len(c.args) > 1 && c.args[len(c.args)-1].text == "/dev/null" {
			d.add(elicit.High, "files", c)
		}
	}
}

// hasFold is has without regard to case, for programs of Windows and macOS. words are in small letters.
func (c *shellCommand) hasFold(words ...string) bool {
	for i := range c.args {
		for _, w := range words {
			if lowerASCII(c.args[i].text) == w {
				return true
			}
		}
	}
	return false
}

// destroysDisk looks for programs that write over a whole disk or a part of it, and for redirections to one.
func (c *shellCommand) destroysDisk(d *dangers) {
	for i := range c.to {
		if wholeDisk(c.to[i].text) {
			d.add(elicit.High, "disk", c)
		}
	}
	switch {
	// mkfs.ext4 and its relatives begin so.
	case strings.HasPrefix(c.program, "mkfs"), c.program == "mke2fs", c.program == "wipefs" && c.flag("a", "--all"),
		c.program == "format" && len(c.args) > 0 && strings.HasSuffix(c.args[0].text, ":"),
		c.program == "diskutil" && c.hasFold("erasedisk", "erasevolume", "partitiondisk"):
		d.add(elicit.High, "disk", c)
	case c.program == "dd" || c.program == "shred" || c.program == "cp" || c.program == "tee":
		for i := range c.args {
			// dd only writes to of=; for the other programs each argument may be the disk.
			place := strings.TrimPrefix(c.args[i].text, "of=")
			if wholeDisk(place) && (c.program != "dd" || place != c.args[i].text) {
				d.add(elicit.High, "disk", c)
			}
		}
	}
}

// wholeDisk reports whether a path is a disk or a part of one.
func wholeDisk(path string) bool {
	name, ok := strings.CutPrefix(path, "/dev/")
	for _, disk := range [...]string{"sd", "hd", "vd", "xvd", "nvme", "mmcblk", "disk", "rdisk", "mapper/", "md", "loop"} {
		if ok && strings.HasPrefix(name, disk) {
			return true
		}
	}
	return false
}

// destroysWork looks at git and containers.
func (c *shellCommand) destroysWork(d *dangers) {
	switch c.program {
	case "git":
		switch {
		// The branch of others changes, and their work is gone from it. --force-with-lease refuses if there is new
		// work.
		case c.gitVerb("push") && (c.has("--force", "-f", "--mirror", "--delete", "-d", "-fu", "-uf") || c.forcedRef()):
			d.add(elicit.High, "history", c)
		case c.gitVerb("push") && c.has("--force-with-lease"), c.gitVerb("reset") && c.has("--hard"),
			c.gitVerb("clean") && c.flag("f", "--force"), c.gitVerb("branch") && c.has("-D"),
			c.gitVerb("stash") && c.has("clear", "drop"), c.gitVerb("reflog") && c.has("expire"):
			d.add(elicit.Medium, "history", c)
		case c.gitVerb("filter-branch"), c.gitVerb("filter-repo"), c.gitVerb("update-ref") && c.has("-d"):
			d.add(elicit.High, "history", c)
		}
	case "docker", "podman":
		if c.starts("system", "prune") || c.starts("volume", "rm") || c.starts("volume", "prune") ||
			c.starts("image", "prune") {
			d.add(elicit.Medium, "containers", c)
		}
	case "crontab":
		if c.has("-r") {
			d.add(elicit.Medium, "files", c)
		}
	}
}

// gitVerb reports whether git runs the subcommand, behind the options of git itself.
func (c *shellCommand) gitVerb(verb string) bool {
	for i := 0; i < len(c.args); i++ {
		switch text := c.args[i].text; {
		case text == "-C" || text == "-c" || text == "--git-dir" || text == "--work-tree" || text == "--namespace" ||
			text == "--config-env" || text == "--attr-source" || text == "--super-prefix":
			i++
		case strings.HasPrefix(text, "-"):
		default:
			return text == verb
		}
	}
	return false
}

// forcedRef reports whether git push names a reference with a plus sign, or deletes one by an empty source.
// "git push origin +main" forces, and "git push origin :old" deletes (git-push, "<refspec>").
func (c *shellCommand) forcedRef() bool {
	for i := 1; i < len(c.args); i++ {
		if text := c.args[i].text; len(text) > 1 && (text[0] == '+' || text[0] == ':') {
			return true
		}
	}
	return false
}

// destroysRows looks at the SQL that a client of a database runs.
func (c *shellCommand) destroysRows(d *dangers) {
	switch c.program {
	case "dropdb":
		d.add(elicit.High, "database", c)
		return
	case "redis-cli", "valkey-cli":
		if c.hasFold("flushall", "flushdb") {
			d.add(elicit.High, "database", c)
		}
		return
	case "psql", "mysql", "mariadb", "sqlite3", "sqlcmd", "duckdb", "clickhouse-client", "cockroach", "mongosh", "mongo",
		"bq", "snowsql":
	default:
		return
	}
	for i := range c.args {
		if destroysRows(c.args[i].text) {
			d.add(elicit.High, "database", c)
			return
		}
	}
	if destroysRows(c.stdin) {
		d.add(elicit.High, "database", c)
	}
}

// A statement ends at ";". "delete from a; select 1 where b" must not borrow the condition of the next statement.
func destroysRows(sql string) bool {
	if len(sql) < len("drop x") {
		return false
	}
	sql = strings.Join(strings.Fields(lowerASCII(sql)), " ")
	for _, words := range [...]string{"drop table", "drop database", "drop schema", "drop owned", "truncate ",
		".dropdatabase()", ".drop()", "deletemany({})"} {
		if strings.Contains(sql, words) {
			return true
		}
	}
	// Each statement is looked at, because a harmless one may come first.
	for at := strings.Index(sql, "delete from "); at >= 0; {
		statement, rest, _ := strings.Cut(sql[at:], ";")
		if !strings.Contains(statement, " where ") {
			return true
		}
		sql = rest
		at = strings.Index(sql, "delete from ")
	}
	return false
}

// destroysCloud looks at tools that manage machines.
func (c *shellCommand) destroysCloud(d *dangers) {
	verb := func(prefixes ...string) bool {
		for i := range c.args {
			for _, p := range prefixes {
				if strings.HasPrefix(c.args[i].text, p) {
					return true
				}
			}
		}
		return false
	}
	switch c.program {
	case "terraform", "tofu", "pulumi", "cdk", "terragrunt", "serverless", "sls":
		if verb("destroy", "-destroy") {
			d.add(elicit.High, "cloud", c)
		}
	case "kubectl", "oc":
		if verb("delete") && (verb("namespace", "ns", "--all", "pv", "crd", "node")) {
			d.add(elicit.High, "cloud", c)
		} else if verb("delete", "drain") {
			d.add(elicit.Medium, "cloud", c)
		}
	case "aws":
		if verb("delete-", "terminate-", "purge-", "deregister-") || c.starts("s3", "rb") ||
			c.starts("s3", "rm") && c.has("--recursive") {
			d.add(elicit.High, "cloud", c)
		}
	case "gcloud", "az", "heroku", "flyctl", "fly", "doctl", "vercel":
		if verb("delete", "destroy", "apps:destroy", "purge") {
			d.add(elicit.High, "cloud", c)
		}
	case "gsutil":
		if verb("rm", "rb") && c.flag("r", "") {
			d.add(elicit.High, "cloud", c)
		}
	case "helm":
		if verb("uninstall", "delete") {
			d.add(elicit.Medium, "cloud", c)
		}
	case "gh":
		if c.starts("repo", "delete") {
			d.add(elicit.High, "cloud", c)
		}
	}
}

func worse(a, b elicit.Severity) elicit.Severity {
	if a.Rank() > b.Rank() {
		return a
	}
	return b
}

func milder(a, b elicit.Severity) elicit.Severity {
	if a.Rank() < b.Rank() {
		return a
	}
	return b
}
