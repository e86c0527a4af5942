package commands

// furniture is what the home, the project and /etc of the sandbox have before each line.
var furniture = map[string]string{
	project + "/README.md":          "# Project\n\nA project for tests.\n",
	project + "/notes.txt":          "alpha\nbeta\ngamma\nbeta\n",
	project + "/my file.txt":        "a name with a blank\n",
	project + "/old.log":            "ERROR one\nINFO two\n",
	project + "/src/main.py":        "import util\nprint(util.double(21))\n",
	project + "/src/util.py":        "def double(n):\n    return 2 * n\n",
	project + "/src/app.js":         "console.log('app')\n",
	project + "/src/hello.c":        "int main(void) { return 0; }\n",
	project + "/src/deep/a.txt":     "a\n",
	project + "/src/deep/b.txt":     "b\n",
	project + "/data/a.csv":         "id,name\n2,bee\n1,ant\n",
	project + "/data/b.json":        "{\"items\": [1, 2, 3]}\n",
	project + "/tests/test_main.py": "def test_it():\n    assert True\n",
	project + "/build/out.o":        "object",
	project + "/build/cache/x.tmp":  "x",
	project + "/.env":               "TOKEN=not-a-secret\n",
	project + "/.gitignore":         "build/\n*.log\n",
	project + "/script.sh":          "#!/bin/bash\necho from-script > script.out\n",
	project + "/package.json":       "{\"name\": \"p\", \"scripts\": {\"make\": \"echo made > made.txt\"}}\n",
	project + "/Makefile":           "all:\n\techo all > all.txt\nclean:\n\trm -rf build\n",
	project + "/commands.txt":       "echo one\necho two\n",
	project + "/list.txt":           "old.log\nnotes.txt\n",
	project + "/fix.patch": "--- a/notes.txt\n+++ b/notes.txt\n@@ -1,4 +1,4 @@\n-alpha\n+ALPHA\n beta\n" +
		" gamma\n beta\n",
	home + "/.ssh/id_rsa":           "-----BEGIN not a key-----\n",
	home + "/.ssh/config":           "Host example\n  HostName 127.0.0.1\n",
	home + "/.aws/credentials":      "[default]\n",
	home + "/.bashrc":               "# start\n",
	home + "/.profile":              "# profile\n",
	home + "/.gitconfig":            "[user]\n\tname = Me\n\temail = me@example.org\n[init]\n\tdefaultBranch = main\n",
	home + "/.claude/settings.json": "{}\n",
	home + "/Documents/plan.txt":    "plan\n",
	"/tmp/t.txt":                    "t\n",
	"/etc/passwd":                   "root:x:0:0:root:/root:/bin/bash\nme:x:1000:1000:Me:/home/me:/bin/bash\n",
	"/etc/group":                    "root:x:0:\nme:x:1000:\n",
	"/etc/hosts": "127.0.0.1 localhost example.org example.com example.net evil.example files.example " +
		"registry.npmjs.org pypi.org github.com\n",
	"/etc/nsswitch.conf":      "passwd: files\ngroup: files\nhosts: files\n",
	"/etc/ssl/openssl.cnf":    "",
	"/etc/cron.d/.keep":       "",
	"/etc/systemd/system/a":   "[Unit]\n",
	"/var/spool/cron/.keep":   "",
	"/etc/profile.d/.keep":    "",
	"/etc/ssh/ssh_config":     "",
	"/etc/shadow":             "root:*:19000:0:99999:7:::\n",
	"/etc/gitconfig":          "",
	"/etc/sudoers.d/.keep":    "",
	"/etc/environment":        "",
	"/etc/ca-certificates/.k": "",
}

// prepare makes what files alone cannot be: a repository with two branches and a change, archives, links.
const prepare = `set -e
git init -q . && git add -A && git commit -q -m first && git branch topic && git tag v1
echo delta >> notes.txt
tar -czf archive.tar.gz data && zip -qr archive.zip data
gzip -c old.log > old.log.gz
ln -s notes.txt link.txt
python3 -c 'import base64; open("blob.b64","wb").write(base64.b64encode(b"echo decoded > decoded.txt\n"))'
sqlite3 db.sqlite 'create table t(a); insert into t values(1)'
git init -q --bare ~/remote.git && git remote add origin ~/remote.git && git push -q origin main
touch -d '2020-01-01' notes.txt README.md src/*.py
`
