package guardian

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// NewReviewerCommand makes `elicit reviewer`. The command itself uses no network: a program of the person calls the
// model.
func NewReviewerCommand() *cobra.Command {
	return cli.Family("reviewer", newReviewerAddCommand(), newReviewerRequestCommand(), newReviewerAnswerCommand())
}

// reviewerAdd holds the flags of `elicit reviewer add`.
type reviewerAdd struct {
	url, model, key, policy string
	escalate                bool
}

func newReviewerAddCommand() *cobra.Command {
	var a reviewerAdd
	cmd := cli.Verb("add", func(_ *cobra.Command, args []string) error {
		if len(args) == 0 {
			return errors.New("give a name for the reviewer")
		}
		return nil
	}, a.run)
	f := cmd.Flags()
	f.StringVar(&a.url, "url", "", "the base `address` of the API, which ends before /chat/completions")
	f.StringVar(&a.model, "model", "", "the `name` of the model there")
	f.StringVar(&a.key, "key-env", "", "the environment `variable` with the key of the server")
	f.StringVar(&a.policy, "policy", "", "a `text` for the model about what to deny, in place of the built-in one")
	f.BoolVar(&a.escalate, "escalate", false, "give what it declines to you, with its reason")
	return cmd
}

// A name is also the name of files, and stands in a script.
var (
	reviewerName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,31}$`)
	variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)
)

func (a *reviewerAdd) run(cmd *cobra.Command, args []string) error {
	name, command := args[0], args[1:]
	switch {
	case !reviewerName.MatchString(name):
		return fmt.Errorf("%s cannot be the name of a reviewer; give lower-case letters, digits and hyphens",
			cli.Quoted(name))
	case len(command) > 0 && a.url+a.model+a.key != "":
		return errors.New("--url, --model and --key-env are for the program that this command writes; leave them out")
	case len(command) == 0 && (a.url == "" || a.model == ""):
		return errors.New("give --url and --model, or a program of your own after --")
	case a.key != "" && !variableName.MatchString(a.key):
		return errors.New("--key-env holds no name of a variable; put the key into one, and give its name")
	}
	dir, err := guardiansDirectory("")
	if err != nil {
		return err
	}
	permit := filepath.Join(dir, name+".json")
	if _, err := os.Lstat(permit); err == nil {
		return fmt.Errorf("%s exists already; give another name, or remove it", ui.Plain(permit))
	}
	script := ""
	if len(command) == 0 {
		if script, err = a.writeScript(name); err != nil {
			return err
		}
		command = []string{"sh", script}
	}
	members := []elicit.Arg{elicit.Str("name", name), elicit.Raw("reviewer", "true"),
		elicit.Raw("command", cli.JSONStrings(command)), elicit.Raw("reads", `["/request"]`)}
	if a.escalate {
		members = append(members, elicit.Raw("escalate", "true"))
	}
	if a.policy != "" {
		members = append(members, elicit.Raw("settings", string(cli.AppendObject(nil, []elicit.Arg{
			elicit.Str("policy", a.policy)}))))
	}
	if err := cli.WriteNew(permit, permitText(members), 0o600); err != nil {
		return err
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s is a reviewer from now on: %s\n", name, ui.Plain(permit))
	if script != "" {
		fmt.Fprintf(cmd.OutOrStdout(), "This program calls the model: %s\n", ui.Plain(script))
	}
	fmt.Fprintln(cmd.OutOrStdout(),
		`It is asked where your policy says "reviewer": "auto_review", or a rule "then": "review".`)
	return nil
}

//go:embed reviewer.sh
var reviewerScript string

// writeScript writes the program of a reviewer, for its person to read and change.
func (a *reviewerAdd) writeScript(name string) (string, error) {
	base, err := url.Parse(a.url)
	switch {
	case err != nil || base.Host == "" || base.Scheme != "https" && base.Scheme != "http" || base.User != nil ||
		base.RawQuery+base.Fragment != "":
		return "", errors.New("--url is no address of a server, such as http://localhost:11434/v1")
	case base.Scheme == "http" && !loopback(base.Hostname()):
		return "", errors.New("--url is not encrypted, and the questions hold what your agents do; give an https address")
	}
	own, err := cli.OwnProgram()
	if err != nil {
		return "", err
	}
	path, err := places.Reviewer(name)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", err
	}
	script := strings.NewReplacer("@ELICIT@", quoted(own), "@MODEL@", quoted(a.model),
		"@URL@", quoted(strings.TrimRight(a.url, "/")+"/chat/completions"), "@KEY@", a.key).Replace(reviewerScript)
	if a.key == "" {
		script = withoutKey.ReplaceAllString(script, "")
	}
	return path, cli.WriteNew(path, []byte(script), 0o700)
}

// withoutKey matches what the script has for a server with a key alone.
var withoutKey = regexp.MustCompile(`(?s)# A key: begin\n.*?# A key: end\n| -H @"\$header"`)

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// quoted writes a word as a shell reads it.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// filterVerb makes a hidden verb for scripts, which prints what turn makes of standard input.
func filterVerb(use, short, advice string, most int64, turn func(in []byte) (out string, err error)) *cobra.Command {
	cmd := cli.Verb(use, cli.Args(0, 0, advice), func(cmd *cobra.Command, _ []string) error {
		in, err := io.ReadAll(io.LimitReader(cmd.InOrStdin(), most))
		if err != nil {
			return err
		}
		out, err := turn(in)
		if err == nil {
			_, err = fmt.Fprintln(cmd.OutOrStdout(), out)
		}
		return err
	})
	cmd.Short, cmd.Hidden = short, true
	return cmd
}

func newReviewerRequestCommand() *cobra.Command {
	var model string
	cmd := filterVerb("request --model NAME",
		"Turn a reviewer's question on stdin into the body of a request to the API of OpenAI",
		"give nothing but --model", 2*guardian.MaxQuestion, func(question []byte) (string, error) {
			system, user := gjson.GetBytes(question, "prompt.system"), gjson.GetBytes(question, "prompt.user")
			if !gjson.ValidBytes(question) || system.Type != gjson.String || user.Type != gjson.String {
				return "", errors.New("standard input holds no question with a prompt")
			}
			message := func(role string, text gjson.Result) string {
				return string(cli.AppendObject(nil, []elicit.Arg{elicit.Str("role", role), elicit.Str("content", text.Str)}))
			}
			return string(cli.AppendObject(nil, []elicit.Arg{elicit.Str("model", model),
				elicit.Raw("messages", "["+message("system", system)+","+message("user", user)+"]"),
				elicit.Raw("stream", "false")})), nil
		})
	cmd.Flags().StringVar(&model, "model", "", "the `name` of the model")
	return cmd
}

func newReviewerAnswerCommand() *cobra.Command {
	return filterVerb("answer", "Print the model's text in a response of the API of OpenAI on stdin", "give nothing",
		16*guardian.MaxReview, func(response []byte) (string, error) {
			first := gjson.GetBytes(response, "choices.0")
			text := first.Get("message.content")
			switch {
			case !gjson.ValidBytes(response) || text.Type != gjson.String:
				return "", fmt.Errorf("the server gave no text of a model: %s",
					cli.OneLine(string(response[:min(len(response), 500)])))
			case first.Get("finish_reason").Str == "length":
				return "", errors.New("the model's text was cut at its limit")
			}
			return text.Str, nil
		})
}
