package main

import "runtime/debug"

// version is the version that the Go module system recorded for this build, "(unknown)" without one. For a build of a
// checkout, which has no version, the commit follows.
func version() string {
	build, ok := debug.ReadBuildInfo()
	if !ok || build.Main.Version == "" {
		return "(unknown)"
	}
	if build.Main.Version != "(devel)" {
		return build.Main.Version
	}
	text := build.Main.Version
	for _, s := range build.Settings {
		switch {
		case s.Key == "vcs.revision":
			text += " " + s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			text += ", changed"
		}
	}
	return text
}
