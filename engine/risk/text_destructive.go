package risk

import (
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// Three signs are tried from the surest on: a command, signs without words, and a sentence that says so.
var textDestructive = check{
	Doc: Doc{
		Code: "text_destructive", Title: "Something is destroyed", Severity: elicit.Medium,
		About: "A text names a command that destroys data or systems: SQL (DROP TABLE, DELETE FROM, TRUNCATE), " +
			"shells (rm -rf, git push --force, mkfs), infrastructure and clouds (terraform destroy, kubectl delete, " +
			"aws … delete-…). Low when a text only says so in words (\"cannot be undone\"), in 13 languages.",
		Spec: "MCP client/elicitation, Security (R15): present what is asked",
	},
	text: func(h *hits, text string) {
		if h.at.field != nil && h.at.part == "" && !h.at.label || h.destroys && h.at.root == "/message" {
			return // the names of fields are identifiers
		}
		w := h.walkWords(text)
		if f := &w.found[wordsCommand]; f.count > 0 {
			h.add(text, f.from, f.to, elicit.Num("count", f.count))
		} else if from, to := destructiveSigns(text); to > 0 {
			h.add(text, from, to, elicit.Num("count", 1))
		} else if f := &w.found[wordsForGood]; f.count > 0 {
			h.addAs(elicit.Low, text, f.from, f.to, elicit.Num("count", f.count))
		}
	},
}

// destructiveSigns finds a command that has no words: a fork bomb, or what is written over a disk.
func destructiveSigns(text string) (start, end int) {
	for _, sign := range [...]string{":(){", ":() {", ">/dev/sd", "> /dev/sd", ">/dev/nvme", "> /dev/nvme"} {
		if at := strings.Index(text, sign); at >= 0 {
			return at, at + len(sign)
		}
	}
	return 0, 0
}

var forGoodWords = []string{"cannot be undone", "can not be undone", "cant be undone", "is irreversible",
	"irreversibly", "permanently delete", "permanently deleted", "permanently deletes", "permanently remove",
	"permanently removed", "permanently erase", "permanently erased", "erase all", "erase everything", "wipe all",
	"delete everything", "destroy all", "destroys all", "remove all data", "factory reset", "endgültig gelöscht",
	"endgültig löschen", "unwiderruflich", "nicht rückgängig gemacht", "alles löschen", "definitief verwijderen",
	"onherroepelijk", "supprimer définitivement", "définitivement supprimé", "irréversible", "tout supprimer",
	"eliminar permanentemente", "eliminar definitivamente", "no se puede deshacer", "excluir permanentemente",
	"não pode ser desfeito", "eliminare definitivamente", "irreversibile", "non può essere annullato", "trwale usunąć",
	"nieodwracalnie", "безвозвратно", "удалить навсегда", "kalıcı olarak sil", "geri alınamaz", "永久删除", "无法撤销", "永久刪除",
	"無法復原", "完全に削除", "元に戻せません", "영구 삭제", "되돌릴 수 없"}

// commands are the beginnings of commands that destroy. If then is set, one of its texts must follow on the same line.
var commands = [...]struct {
	words string
	then  []string
	prose bool // the words also occur in ordinary English
}{
	{words: "drop table", prose: true}, {words: "drop database"}, {words: "drop schema"},
	{words: "drop view", prose: true}, {words: "drop user", prose: true}, {words: "drop column", prose: true},
	{words: "drop role", prose: true}, {words: "drop index", prose: true}, {words: "drop keyspace"},
	{words: "drop collection"}, {words: "truncate table"}, {words: "truncate", prose: true},
	{words: "delete from", prose: true}, {words: "rm rf"}, {words: "rm fr"}, {words: "rm r"}, {words: "rm f r"},
	{words: "rm recursive"}, {words: "sudo rm"}, {words: "wipefs"}, {words: "blkdiscard", then: []string{" /dev/"}},
	{words: "git push", then: []string{" --force", " -f", " --delete", " --mirror"}},
	{words: "git reset hard"}, {words: "git clean fd"}, {words: "git clean f"}, {words: "git clean fdx"},
	{words: "git clean xdf"}, {words: "git clean dfx"}, {words: "git branch d", then: []string{"-D"}},
	{words: "git tag d", then: []string{" -d"}}, {words: "git filter branch"}, {words: "git reflog expire"},
	{words: "gh repo delete"}, {words: "glab repo delete"}, {words: "npm unpublish"}, {words: "cargo yank"},
	{words: "gem yank"}, {words: "mkfs", then: []string{" /dev/"}}, {words: "dd if", then: []string{" of="}},
	{words: "shred", then: []string{" -u", " -n", " -z", " /dev/"}},
	{words: "find", then: []string{" -delete", " -exec rm"}},
	{words: "format c", then: []string{"c:", "C:"}}, {words: "del s", then: []string{"/s"}},
	{words: "rd s", then: []string{"/s"}}, {words: "rmdir s", then: []string{"/s"}},
	{words: "remove item", then: []string{"-Recurse", "-recurse", "-Force", "-force"}}, {words: "chmod r 777"},
	{words: "docker system prune"}, {words: "docker volume rm"}, {words: "docker volume prune"},
	{words: "podman system prune"}, {words: "podman volume rm"}, {words: "terraform destroy"},
	{words: "terraform apply", then: []string{"-destroy"}}, {words: "terraform state rm"}, {words: "terragrunt destroy"},
	{words: "tofu destroy"}, {words: "pulumi destroy"}, {words: "cdk destroy"}, {words: "serverless remove"},
	{words: "vagrant destroy"}, {words: "kubectl drain"}, {words: "kubectl", then: []string{" delete"}},
	{words: "oc delete"}, {words: "helm uninstall"}, {words: "helm delete"}, {words: "aws s3 rm"}, {words: "aws s3 rb"},
	{words: "aws", then: []string{" delete-", " terminate-", " purge-", " deregister-"}},
	{words: "gcloud", then: []string{" delete"}}, {words: "gsutil rm"}, {words: "gsutil m rm"},
	{words: "az", then: []string{" delete", " purge"}}, {words: "doctl", then: []string{" delete"}},
	{words: "hcloud", then: []string{" delete"}}, {words: "etcdctl", then: []string{" del"}},
	{words: "rclone", then: []string{" purge", " delete"}}, {words: "restic", then: []string{" forget"}},
	{words: "heroku apps destroy"}, {words: "heroku pg reset"}, {words: "flyctl apps destroy"},
	{words: "fly apps destroy"}, {words: "zfs destroy"}, {words: "zpool destroy"}, {words: "lvremove"},
	{words: "vgremove"}, {words: "virsh undefine"}, {words: "redis cli flushall"}, {words: "flushall"},
	{words: "flushdb"}, {words: "dropdb"},
}

// maxCommand is how many bytes of a command are read to see whether it destroys.
const maxCommand = 120

// commandEnd returns the end of the evidence for a command that begins with text[start:end]. It returns 0 for an
// identifier such as drop_table and for an ordinary sentence such as "delete from the list". "DROP TABLE users" is a
// command. "drop table" in a sentence counts only if SQL follows: "drop table users;" does, and "drop table legs" does
// not.
func commandEnd(text string, command, start, end int) int {
	c, written := &commands[command], plainSpaces(text[start:end])
	switch {
	// The table matches drop_table and dropTable as well, which are names in programs.
	case c.then == nil && strings.Contains(c.words, " ") && !strings.Contains(written, " "):
		return 0
	case c.prose && written != upperASCII(c.words) && !namesRows(text[end:]),
		c.words == "rm r" && !strings.Contains(written, "-"):
		return 0
	case c.then == nil:
		return end
	}
	line := plainSpaces(text[start:min(len(text), start+maxCommand)])
	line = line[:indexAny(line, "\r\n")]
	for _, then := range c.then {
		if at := strings.Index(line, then); at >= 0 {
			return max(end, start+at+len(then))
		}
	}
	return 0
}

// plainSpaces returns s with spaces for the blanks beyond ASCII, which a person cannot tell apart. It has as many
// bytes. The number of bytes stays, so that spans in the result are spans of s.
func plainSpaces(s string) string {
	blank := func(r rune) bool { return r >= utf8.RuneSelf && isSpace(r) }
	if strings.IndexFunc(s, blank) < 0 {
		return s
	}
	b := []byte(s)
	for i, r := range s {
		if blank(r) {
			for k := range utf8.RuneLen(r) {
				b[i+k] = ' '
			}
		}
	}
	return string(b)
}

func upperASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c - 32
		}
	}
	return string(b)
}

// namesRows reports whether small letters continue as SQL: with a name, and then the end of the statement, the end of
// code in the text, or a condition.
func namesRows(rest string) bool {
	rest = lowerASCII(strings.TrimLeft(rest[:min(len(rest), maxCommand)], " "))
	n := 0
	for n < len(rest) && (wordByte(rest[n]) || rest[n] == '.' || rest[n] == '"' || rest[n] == '`') {
		n++
	}
	name := rest[:n]
	rest = strings.TrimLeft(rest[n:], " ")
	return n > 0 && (strings.HasPrefix(rest, ";") || strings.HasSuffix(name, "`") || strings.HasPrefix(rest, "where ") ||
		strings.HasPrefix(rest, "cascade") || name == "if" && strings.HasPrefix(rest, "exists"))
}
