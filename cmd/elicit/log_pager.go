package main

import (
	"os"
	"os/exec"
	"os/signal"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

// startPager sends what the command prints through $PAGER, when it prints to a terminal. The returned function waits
// until the person has left the pager.
func startPager(cmd *cobra.Command, wanted bool) (wait func()) {
	screen, isFile := cmd.OutOrStdout().(*os.File)
	words := strings.Fields(os.Getenv("PAGER"))
	if !wanted || len(words) == 0 || !isFile || !term.IsTerminal(screen.Fd()) {
		return func() {}
	}
	pager := exec.Command(words[0], words[1:]...)
	pager.Stdout, pager.Stderr = screen, os.Stderr
	if os.Getenv("LESS") == "" {
		pager.Env = append(os.Environ(), "LESS=FRX") // print a short text at once, obey colours, and leave it on the screen
	}
	in, err := pager.StdinPipe()
	if err == nil {
		err = pager.Start()
	}
	if err != nil {
		return func() {} // without the pager the text is as good
	}
	cmd.SetOut(in)
	cmd.SetErr(in)
	signal.Ignore(os.Interrupt) // it is for the pager, which would lose its terminal if this process ended before it
	return func() {
		in.Close()
		_ = pager.Wait()
		signal.Reset(os.Interrupt)
	}
}
