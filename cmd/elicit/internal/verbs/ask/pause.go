package ask

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/desk"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/pause"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// pauseWithin is how long a person may take to confirm a pause.
const pauseWithin = 2 * time.Minute

// NewPause makes `elicit pause`.
func NewPause() *cobra.Command {
	var end bool
	cmd := cli.Verb("pause", cli.Args(0, 1, "give one time, such as 15m"),
		func(cmd *cobra.Command, args []string) error {
			if end {
				return pause.End()
			}
			return beginPause(cmd, append(args, "10m")[0])
		})
	cmd.Flags().BoolVar(&end, "end", false, "end the pause")
	return cmd
}

func beginPause(cmd *cobra.Command, text string) error {
	length, err := time.ParseDuration(text)
	if err != nil || length < time.Minute || length > pause.Longest {
		return fmt.Errorf("%s is no time from 1m to %s", cli.Quoted(text), pause.Longest)
	}
	if err := confirmPause(length); err != nil {
		return err
	}
	until := time.Now().Add(length)
	if err := pause.Begin(until); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "Your policy rests for hooks until %s. `elicit pause --end` ends that.\n",
		until.Format(time.TimeOnly))
	return nil
}

// confirmPause asks at the best desk of this user.
func confirmPause(length time.Duration) error {
	timeUp := time.After(pauseWithin)
	found := desk.Find(desk.Beside)
	for _, place := range found {
		defer place.Close()
	}
	question := desk.Question{Host: "elicit pause", Server: "elicit pause", Kind: elicit.KindConfirm,
		Message: fmt.Sprintf("Let your policy rest for %s? Until then no rule of yours holds an agent back. "+
			"Somebody ran `elicit pause`; decline if it was not you.", length),
		Schema: []byte(`{"type":"object","properties":{}}`)}
	for _, place := range found {
		asking, err := place.Ask(question)
		if err != nil {
			continue
		}
		answer, ended := followPause(asking, timeUp)
		asking.Close(&effect.Reply{Outcome: elicit.Cancelled, Cause: elicit.ByUser})
		switch {
		case answer != nil && *answer == elicit.Accept:
			return nil
		case answer != nil && *answer == elicit.Decline:
			return cli.Exit(cli.Declined, errors.New("you said no"))
		case answer != nil || ended:
			return cli.Exit(cli.Cancelled, errors.New("nobody has confirmed the pause"))
		}
	}
	return cli.Exit(cli.NoTerminal, errors.New("there is no place of yours to confirm this; "+
		"run `elicit answer` in another terminal, then this again"))
}

// followPause waits for what a person says. Prepared answers count as none.
func followPause(asking *desk.Asking, timeUp <-chan time.Time) (answer *elicit.Action, ended bool) {
	for {
		select {
		case said, open := <-asking.Said:
			switch {
			case !open:
				return nil, false
			case said.Answer == nil:
			case said.Answer.Via != event.ViaPerson:
				return nil, true
			default:
				return &said.Answer.Action, true
			}
		case <-timeUp:
			return nil, true
		}
	}
}
