package risk

import "testing"

func TestCommands(t *testing.T) {
	for text, want := range map[string]string{
		"DROP TABLE users": "DROP TABLE", "drop table users;": "drop table", "`drop table users`": "drop table",
		"drop table if exists a": "drop table",
		"drop table 4":           "", "Drop database shop": "Drop database", "dropTable(x)": "",
		"TRUNCATE TABLE a": "TRUNCATE TABLE",
		"DELETE FROM a":    "DELETE FROM", "delete from a where b": "delete from", "delete from the list": "",
		"rm -rf /": "rm -rf", "rm -r -f x": "rm -r -f",
		"rm -fr x": "rm -fr", "rm -r x": "rm -r", "Rm. R": "", "git push -f": "git push -f", "git push": "",
		"git push\nrm --force":  "",
		"git reset --hard HEAD": "git reset --hard", "aws rds delete-db-instance": "aws rds delete-", "aws s3 ls": "",
		"aws s3 rm s3://b --recursive": "aws s3 rm",
		"gcloud projects delete x":     "gcloud projects delete", "az group delete -n x": "az group delete",
		"terraform apply -destroy": "terraform apply -destroy",
		"terraform plan":           "", "Remove-Item x -Recurse": "Remove-Item x -Recurse",
		"dd if=/dev/zero of=/dev/sda": "dd if=/dev/zero of=", "format c: /q": "format c:",
		"format C code": "", "mkfs.ext4 /dev/sda1": "mkfs.ext4 /dev/", "Shred the carrots - finely": "",
		"kubectl delete pod x": "kubectl delete", "kubectl get pods": "",
		"kubectl -n prod delete pod x": "kubectl -n prod delete", "kubectl\ndelete it": "",
		"find . -delete":         "find . -delete",
		"find the delete button": "", "TRUNCATE\nTABLE a": "TRUNCATE", "TRUNCATE a": "TRUNCATE",
		"rm\u00a0-r\u200bf /": "rm\u00a0-r\u200bf", "git push\u2003--force": "git push\u2003--force",
		"truncate the text": "", "git tag -d v1": "git tag -d", "git tag done": "", "zfs destroy tank": "zfs destroy",
	} {
		h := hits{doc: &textDestructive.Doc, at: place{root: "/message"}}
		f := h.walkWords(text).found[wordsCommand]
		if got := f.of(text); got != want {
			t.Errorf("%q: %q; want %q", text, got, want)
		}
	}
}
