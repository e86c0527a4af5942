package replay

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// outputAndFuel describes the result of an evaluation on one line.
func outputAndFuel(output, fault string, fuel int64) string {
	if fault != "" {
		output = "no verdict, " + fault
	}
	return fmt.Sprintf("%s (%d fuel)", cli.OneLine(output), fuel)
}

// print prints the result for one module. The number put counts the questions that it was asked in another's place.
func (r *guardianReplay) print(w io.Writer, path string, put int, differences []verdictDifference) {
	if r.json {
		w = cli.JSONOutput{To: w}
		fmt.Fprint(w, `{"differences":[`)
		for i, t := range differences {
			if i > 0 {
				fmt.Fprint(w, ",")
			}
			fmt.Fprintf(w, "\n%s", t.json())
		}
		fmt.Fprintf(w, "],\"digest\":%q,\"agreed\":%d,\"asked\":%d,\"changed\":%d,\"withheld\":%d}\n",
			r.guest.Digest, r.repeated, put, len(differences), r.withheld)
		return
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i, t := range differences {
		if i == 0 {
			fmt.Fprintln(table, "RECORD\tTIME (UTC)\tSERVER\tASKED\tPHASE\tTHEN\tNOW\tTOGETHER\tBECAUSE")
		}
		together := t.togetherThen + " → " + t.togetherNow
		if t.togetherThen == t.togetherNow {
			together = "still " + t.togetherNow
		}
		at := time.UnixMilli(t.at).UTC().Format("2006-01-02 15:04:05")
		fmt.Fprintf(table, "%d\t%s\t%s\t%s\t%s\t%s\t→ %s\t%s\t%s\n", t.record, at,
			cli.Cell(t.server), r.subjects[t.ID], t.Phase, cli.Cell(t.then), cli.Cell(t.now), together, cli.Cell(t.because))
	}
	table.Flush()
	if r.repeated > 0 {
		fmt.Fprintf(w, "%s: repeats its %s, for the same fuel\n", path,
			cli.Counted(r.repeated, "recorded verdict", "recorded verdicts"))
	}
	if put > 0 {
		fmt.Fprintf(w, "%s: asked %s to another module: %d would differ\n", path,
			cli.Counted(put, "recorded question", "recorded questions"), len(differences))
	}
	if r.withheld > 0 {
		fmt.Fprintf(w, "%s: %s a secret, which no journal holds, and cannot be compared\n", path,
			cli.Counted(r.withheld, "question held", "questions held"))
	}
	for _, note := range r.notes {
		fmt.Fprintf(w, "%s: %s\n", path, cli.Cell(note))
	}
}

func (t *verdictDifference) json() []byte {
	pair := func(name, then, now string) elicit.Arg {
		return elicit.Raw(name, string(cli.AppendObject(nil, []elicit.Arg{elicit.Str("then", then), elicit.Str("now", now)})))
	}
	return cli.AppendObject(nil, []elicit.Arg{elicit.Num("record", int(t.record)), elicit.Num("at", int(t.at)),
		elicit.Str("session", t.Session), elicit.Str("id", string(t.ID)), elicit.Str("server", t.server),
		elicit.Str("guardian", t.Guardian), elicit.Str("phase", string(t.Phase)),
		pair("verdict", t.then, t.now), pair("together", t.togetherThen, t.togetherNow)})
}
