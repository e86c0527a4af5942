package main

import "github.com/spf13/cobra"

// completeFlag makes the shell offer words as the values of a flag.
func completeFlag(cmd *cobra.Command, flag string, words ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}
