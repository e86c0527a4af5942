// Package guarded has the table of sensitive places, and knows what Elicit's own protection rests on: its files,
// sockets and processes, and the settings of the agents that load it.
//
//	report := impact.Read("rm -r ~/.claude", impact.Options{})
//	guarded.Of(&report, guarded.Work{}) // {settings .claude/settings*}
//
// A report of package impact comes in: the commands of a line, and what they read, write, delete and start. One Touch
// goes out, the first that is found. Package risk makes findings of it, and package policy protects itself by it.
//
// Every line below was read with the directory /home/me/p:
//
//	rm -r ~/.claude                                settings .claude/settings*
//	rm -rf ~                                       settings, a directory above them
//	echo x > $f/.claude                            settings .claude/settings*: $f may be any directory
//	curl https://x.example/a.tar | tar xf -        settings, a directory above them: the archive names the files
//	cat /run/user/1000/elicit/desk-1               settings run/user/*/elicit/: its reader can answer
//	pkill -f 'el.*t'                               process elicit
//	kill $(pgrep elicit)                           process elicit
//	x=elicit; $x uninstall                         elicit elicit
//	cp $(which elicit) x                           elicit elicit: a copy under another name is Elicit too
//	codex --config=features.hooks=false            agent codex
//	CLAUDE_CONFIG_DIR=/tmp/x claude                agent environment
//	npm uninstall -g elicit                        package elicit
//	gdb -p 123                                     process, another process
//	rm -r build, pkill node, elicit status         nothing
//
// Two mistakes are possible, and they do not weigh the same. A Touch too many asks a person once more. A Touch too few
// lets a program switch off what asks. Where a line is not clear, the answer is therefore a Touch.
//
// Files: of.go has Of and what files a deed reaches. commands.go reads single commands, and agents.go those of agents.
// unseen.go reads what no command of the line shows. places.go has the table.
//
// Names in what it returns come from its own tables and never from the request.
package guarded
