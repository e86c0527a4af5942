// Package places says where the command keeps its files when no flag names another place.
//
//	path, err := places.Policy() // ~/.config/elicit/policy.json on Linux
//
// The configuration directory holds the policy, which a person writes, the grants and the guardians. The state
// directory holds what the command writes: journals, copies of files that it changes, and machine code of guardians.
//
//	           configuration                            state
//	Linux      $XDG_CONFIG_HOME or ~/.config            $XDG_STATE_HOME or ~/.local/state
//	macOS      ~/Library/Application Support            the same
//	Windows    %AppData%                                %LocalAppData%
//
// Each has a directory elicit. Nothing here looks at a file or makes one.
package places

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// None is the value of a flag that asks for no file, not even the one at the default place. A file of that name is
// spelled ./none.
const None = "none"

// Policy returns the path of the policy of the user layer.
func Policy() (string, error) { return config("policy.json") }

// Grants returns the path of the file of grants: the one that a flag gives, unless that is "".
func Grants(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	return config("grants.json")
}

// Guardians returns the directory of guardians.
func Guardians() (string, error) { return config("guardians") }

// Reviewer returns the path of the program of a reviewer.
func Reviewer(name string) (string, error) { return config(filepath.Join("reviewers", name+".sh")) }

// Journals returns the directory of journals.
func Journals() (string, error) { return state("journal") }

// Labels returns the directory of the labels of agents' sessions.
func Labels() (string, error) { return state("labels") }

// Pause returns the path of the note of a pause.
func Pause() (string, error) { return state("pause.json") }

// Installed returns the directory in which `elicit install` keeps the files of clients as they were.
func Installed() (string, error) { return state("installed") }

// MachineCode returns the directory of the machine code of guardians.
func MachineCode() (string, error) { return state("compiled") }

func config(name string) (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("this user has no configuration directory: %w", err)
	}
	return filepath.Join(dir, "elicit", name), nil
}

func state(name string) (string, error) {
	dir, err := stateDir(runtime.GOOS, os.Getenv)
	if err != nil {
		return "", fmt.Errorf("this user has no directory for state: %w", err)
	}
	return filepath.Join(dir, "elicit", name), nil
}

// stateDir is what os.UserConfigDir is for configuration.
func stateDir(system string, env func(string) string) (string, error) {
	switch system {
	case "windows":
		if dir := env("LocalAppData"); dir != "" {
			return dir, nil
		}
		return "", errors.New("%LocalAppData% is not defined")
	case "darwin":
		if home := env("HOME"); home != "" {
			return filepath.Join(home, "Library", "Application Support"), nil
		}
		return "", errors.New("$HOME is not defined")
	}
	if dir := env("XDG_STATE_HOME"); dir != "" {
		if !filepath.IsAbs(dir) {
			return "", errors.New("the path in $XDG_STATE_HOME is relative")
		}
		return dir, nil
	}
	if home := env("HOME"); home != "" {
		return filepath.Join(home, ".local", "state"), nil
	}
	return "", errors.New("neither $XDG_STATE_HOME nor $HOME is defined")
}
