package jacquard

import (
	"runtime/debug"
	"strings"
)

// Version identifies the build of the compiler: the version of its module, or "devel", and the commit that it was built
// from, if they are known.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	module := &info.Main
	for _, m := range info.Deps { // a program that uses the package
		if m.Path == modulePath {
			module = m
		}
	}
	version := "devel"
	if v := strings.Trim(module.Version, "()"); v != "" && module.Path == modulePath {
		version = v
	}
	if module != &info.Main {
		return version // the commit is the program's
	}
	commit, changed := "", ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			commit = s.Value[:min(12, len(s.Value))]
		case "vcs.modified":
			if s.Value == "true" {
				changed = ", changed"
			}
		}
	}
	if commit == "" {
		return version
	}
	return version + " (commit " + commit + changed + ")"
}

// modulePath is the path of this module.
const modulePath = "jacquard.example"
