//go:build !browser

package impact

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/shell"
)

// These bound the work for a hostile line. What goes beyond is Unknown.
const (
	maxTarget = 4 << 10 // bytes of a path or a host
	// The parser takes time that grows with the line, and maxWork bounds all that comes after it. A line of 128 KiB is
	// the longest single argument that Linux takes (MAX_ARG_STRLEN), so an agent cannot run a longer one by sh -c.
	maxLine     = 128 << 10 // bytes
	maxWork     = 1 << 21   // bytes of words, and more for each command
	wordWork    = 64        // of that, for each word
	maxCommands = 512
	maxImpacts  = 256
	maxNested   = 12      // texts in texts, and functions in functions
	maxValue    = 4 << 10 // bytes of the value of a variable
	maxFaults   = 8       // behind which the reader goes on
	maxFields   = 64      // words that one word becomes
)

const HasReader = true // false in the module for pages, so that the linker leaves out what only looks at commands

// Read reads a line of a POSIX shell or of Bash.
func Read(command string, options Options) Report {
	r := reader{line: command, left: maxWork}
	r.report = Report{Plain: true, Impacts: make([]Impact, 0, 8), Commands: make([]Command, 0, 4)}
	r.vars.move(&r, value{text: options.Cwd, known: true})
	r.start = options.Cwd
	if len(command) > maxLine {
		r.unknown(Limit, "", span{0, len(command)})
		return r.end()
	}
	if strings.IndexByte(command, AnyText) >= 0 || strings.IndexByte(command, AnyWord) >= 0 {
		r.unknown(Syntax, "", span{0, len(command)})
	}
	for i := range len(command) {
		if b := command[i]; b < ' ' && b != '\t' && b != '\n' || b >= 0x7f {
			r.report.Plain = false
		}
	}
	// First the line, then what traps run when the shell ends, then functions that nothing has called. The later steps
	// see the variables as the line leaves them.
	r.text(command, flow{}, nowhere)
	for i := 0; i < len(r.exits); i++ {
		r.child(nil, func() flow {
			r.vars.outer = 0
			return r.within(r.exits[i], r.exits[i].Text, flow{}, nowhere)
		})
	}
	r.uncalled()
	r.woke()
	r.racesBehind()
	return r.end()
}

// reader reads one line. It is made for one call of Read and never shared. Fields that describe where the reader stands
// (outer, shift, params, inside, holed, ticked) are set on the way down and restored on the way up.
type reader struct {
	line   string
	report Report
	parser *shell.Parser
	vars   variables
	funcs  map[string]*function
	bodies []*function     // in their order
	files  map[string]flow // what the line writes into files
	wrote  []string        // these files, in the order in which it does
	links  []link
	noted  []int    // the impacts as they were noted, and again when a command repeats one: places in the report
	behind [][3]int // see remains
	left   int      // work that may still be done
	nested int
	shift  int // where the text begins in the line, behind a fault
	faults int
	outer  span // of the word with the text that is read, if that is within the line
	params []Text
	holed  bool // the text that is read has a hole, so that any word of it may be several
	inside bool // params are those of a function, and nothing has changed them
	jumped bool // the function that is read may end early
	locals []string
	start  string // the directory in which the line begins
	exits  []Text // what traps run at the end
	ticked bool   // what is read stands between backquotes
	fed    bool   // exec has opened another input for the commands that follow

	asleep, woken again
	asleepAt      span
}

type span struct{ at, end int }

// nowhere is the place of no command.
const nowhere = -1

func (r *reader) end() Report {
	rep := r.report
	for i := range rep.Impacts {
		if in := &rep.Impacts[i]; in.Kind == Unknown {
			rep.Unknown, rep.Plain = true, rep.Plain && in.How != Syntax && in.How != Limit
		}
	}
	return rep
}

// add notes an impact once. Equal impacts at other places are one impact, so a loop adds nothing new. When the list is
// full, its last entry becomes Unknown with Limit: a report never looks complete when it is not.
func (r *reader) add(in Impact) {
	if len(in.Target) > maxTarget { // no system takes such a path, so what follows the cut does not matter
		r.unknown(Limit, "", span{in.At, in.End})
		in.Target, in.Open, in.Free = in.Target[:maxTarget], true, true
	}
	in.Target = strings.ToValidUTF8(shown(in.Target), "\uFFFD") // $'\200'
	in.Program = strings.ToValidUTF8(in.Program, "\uFFFD")
	list := r.report.Impacts
	if n := len(list); n == maxImpacts && list[n-1].Kind == Unknown && list[n-1].How == Limit {
		return
	}
	for i := range list {
		if had := &list[i]; had.Kind == in.Kind && had.Target == in.Target && had.How == in.How &&
			had.Program == in.Program && had.Open == in.Open && had.Free == in.Free {
			r.noted = append(r.noted, i)
			return
		}
	}
	if len(list) < maxImpacts {
		r.noted = append(r.noted, len(list))
		r.report.Impacts = append(list, in)
		return
	}
	r.report.Impacts[maxImpacts-1] = Impact{Kind: Unknown, How: Limit, At: in.At, End: in.End}
	r.left = -1
}

func (r *reader) unknown(how How, program string, at span) {
	r.add(Impact{Kind: Unknown, How: how, Target: program, At: at.at, End: at.end})
}

// spend pays for work. It returns false when there is no more.
func (r *reader) spend(n int) bool {
	if r.left < 0 {
		return false
	}
	if r.left -= n; r.left < 0 {
		r.unknown(Limit, "", span{0, len(r.line)})
		return false
	}
	return true
}

// span is the place of a node in the line. The parser counts bytes within its own text. Within a nested text, the place
// of the outer word stands for all of it, because escapes and expansions leave no exact place.
func (r *reader) span(n shell.Node) span {
	if r.outer.end > 0 {
		return r.outer
	}
	return span{r.shift + int(n.Pos().Offset()), min(r.shift+int(n.End().Offset()), len(r.line))}
}

// text reads a script: the line, or a text in it that a shell gets. It returns what the script writes to its output.
func (r *reader) text(script string, in flow, into int) flow {
	if r.nested++; r.nested > maxNested || !r.spend(len(script)) {
		r.nested--
		r.unknown(Limit, "", r.outer)
		return flow{built: true}
	}
	defer func() { r.nested-- }()
	if r.parser == nil {
		r.parser = shell.NewParser()
	}
	was := r.holed
	if r.holed = holed(script); r.holed { // the parser drops AnyText
		r.report.Plain = false
		r.unknown(Built, "", r.outer)
		script = strings.ReplaceAll(script, string(AnyText), string(AnyWord))
	}
	defer func() { r.holed = was }()
	file, err := r.parser.Parse(script, "")
	if r.parser.Commented {
		r.report.Plain = false
	}
	if err != nil {
		at := r.outer
		if at.end == 0 {
			at = span{r.shift, len(r.line)}
		}
		r.unknown(Syntax, "", at)
	}
	out := r.list(file.Stmts, in, into)
	if fault, is := err.(shell.ParseError); is {
		r.rest(script, int(fault.Pos.Offset()), in, into)
	}
	return out
}

// rest reads the lines behind one with a fault. A shell does not run them, but the fault may be the reader's. For
// example, "rm -rf /⏎)" has a fault in its second line, and a shell that reads line by line has run the first one.
func (r *reader) rest(script string, fault int, in flow, into int) {
	next := strings.IndexByte(script[min(fault, len(script)):], '\n')
	if r.faults++; next < 0 || r.faults > maxFaults {
		return
	}
	was := r.shift
	if r.outer.end == 0 {
		r.shift += fault + next + 1
	}
	r.text(script[fault+next+1:], in, into)
	r.shift = was
}

// within reads a script that stands in a word of the line.
func (r *reader) within(w Text, script string, in flow, into int) flow {
	was := r.outer
	if r.outer.end == 0 {
		r.outer = span{w.At, w.End}
	}
	out := r.text(script, in, into)
	r.outer = was
	return out
}

func (r *reader) list(stmts []*shell.Stmt, in flow, into int) (out flow) {
	for i, s := range stmts {
		from, _ := r.vars.get(r, "PWD")
		one := r.stmt(s, in, into, nowhere)
		r.stays(from)
		if i == 0 {
			out = one
		} else {
			out = out.and(one)
		}
	}
	return out
}

// stays notes that cd may have failed. Then the next statement still runs in the directory before. That matters if it
// is another place than the one in which the line began, or one that the line does not tell.
func (r *reader) stays(from value) {
	to, _ := r.vars.get(r, "PWD")
	inside := r.start != "" && strings.HasPrefix(from.text, strings.TrimSuffix(r.start, "/")+"/") ||
		r.start == "" && from.text != "" && !strings.ContainsAny(from.text[:1], "/~*.")
	if to.known && (!from.known || to.text != from.text && from.text != r.start && !inside) {
		r.vars.move(r, value{})
	}
}

// stmt reads a statement. in is its input, into the command that gets its output in a word, and after the command whose
// output it reads, or -1.
func (r *reader) stmt(s *shell.Stmt, in flow, into, after int) flow {
	if s == nil || !r.spend(32) {
		return flow{built: true}
	}
	if s.Negated || s.Coprocess || s.Disown {
		r.report.Plain = false
	}
	if s.Background || s.Coprocess || s.Disown { // a shell of its own
		mark, wrote, first := r.vars.mark(), len(r.wrote), len(r.noted)
		defer func() { r.vars.undo(mark); r.doubt(wrote); r.remains(first) }()
	}
	call, plain := s.Cmd.(*shell.CallExpr)
	if plain || s.Cmd == nil {
		return r.call(call, s.Redirs, in, into, after)
	}
	if len(s.Redirs) == 0 {
		return r.compound(s.Cmd, in, into, after)
	}
	at := r.begin(r.span(s), into, after)
	if at < 0 {
		return flow{built: true}
	}
	in, outputs := r.redirections(at, s.Redirs, in)
	return r.redirected(r.unlessFails(s.Redirs, func() flow { return r.compound(s.Cmd, in, into, after) }), outputs)
}

func (r *reader) compound(cmd shell.Command, in flow, into, after int) flow {
	if _, simple := cmd.(*shell.BinaryCmd); !simple {
		r.report.Plain = false
	}
	switch c := cmd.(type) {
	case *shell.BinaryCmd:
		return r.binary(c, in, into, after)
	case *shell.Block:
		return r.list(c.Stmts, in, into)
	case *shell.Subshell:
		return r.subshell(c.Stmts, in, into)
	case *shell.IfClause:
		return r.branches(c, in, into)
	case *shell.WhileClause:
		return r.loop("", func() flow { return r.list(c.Cond, in, into).and(r.list(c.Do, in, into)) })
	case *shell.ForClause:
		return r.forLoop(c, in, into)
	case *shell.CaseClause:
		r.touch(c.Word)
		return r.maybe(func() (out flow) {
			for _, item := range c.Items {
				for _, p := range item.Patterns {
					r.touch(p)
				}
				out = out.and(r.list(item.Stmts, in, into))
			}
			return out
		})
	case *shell.FuncDecl:
		r.declare(c)
	case *shell.ArithmCmd:
		r.arithmCommand(c.X)
	case *shell.LetClause:
		for _, x := range c.Exprs {
			r.arithm(x)
		}
	case *shell.TestClause:
		r.test(c.X)
	case *shell.DeclClause:
		return r.declares(c, into, after)
	case *shell.TimeClause:
		return r.stmt(c.Stmt, in, into, after)
	case *shell.CoprocClause:
		if c.Name != nil {
			r.touch(c.Name)
			r.vars.set(r, c.Name.Lit(), value{})
		}
		return r.subshell([]*shell.Stmt{c.Stmt}, flow{built: true}, into)
	default:
		r.unknown(Syntax, "", r.span(cmd))
	}
	return flow{known: true}
}

// binary reads a chain of && and ||, or a pipe. The tree leans to the left, so it is climbed down without recursion.
func (r *reader) binary(c *shell.BinaryCmd, in flow, into, after int) flow {
	chain := []*shell.BinaryCmd{c}
	for {
		left, is := chain[len(chain)-1].X.Cmd.(*shell.BinaryCmd)
		if !is || len(chain[len(chain)-1].X.Redirs) > 0 || isPipe(left) != isPipe(c) {
			break
		}
		chain = append(chain, left)
	}
	if isPipe(c) {
		return r.pipe(chain, in, into, after)
	}
	out := r.stmt(chain[len(chain)-1].X, in, into, after)
	return r.maybe(func() flow {
		for i := len(chain) - 1; i >= 0; i-- {
			out = out.and(r.stmt(chain[i].Y, in, into, nowhere))
		}
		return out
	})
}

func isPipe(c *shell.BinaryCmd) bool { return c.Op == shell.Pipe || c.Op == shell.PipeAll }

// pipe reads the parts from the left to the right. They run at the same time: see races.
func (r *reader) pipe(chain []*shell.BinaryCmd, in flow, into, after int) flow {
	first, wrote := len(r.noted), len(r.wrote)
	part := func(s *shell.Stmt, in flow, after int, last bool) (out flow, at int) {
		from, mark := len(r.report.Commands), r.vars.mark()
		had, fresh := len(r.noted), len(r.wrote)
		out = r.stmt(s, in, into, after)
		r.races(fresh, r.noted[first:had])
		at = r.lastOf(from, into)
		if last { // the last part runs in the shell itself in some shells
			r.vars.doubt(mark)
		} else {
			r.vars.undo(mark)
		}
		return out, at
	}
	out, at := part(chain[len(chain)-1].X, in, after, false)
	for i := len(chain) - 1; i >= 0; i-- {
		out, at = part(chain[i].Y, out, at, i == 0)
	}
	r.settles(wrote)
	return out
}

// lastOf is the last command from one place on that does not stand in a word of another.
func (r *reader) lastOf(from, into int) int {
	for i := len(r.report.Commands) - 1; i >= from; i-- {
		if r.report.Commands[i].Into == into {
			return i
		}
	}
	return nowhere
}

func (r *reader) subshell(stmts []*shell.Stmt, in flow, into int) flow {
	mark, wrote := r.vars.mark(), len(r.wrote)
	out := r.list(stmts, in, into)
	r.vars.undo(mark)
	r.doubt(wrote) // it may have ended early
	return out
}
