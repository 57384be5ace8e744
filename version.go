// SPDX-License-Identifier: MIT

package jacquard

import (
	"runtime/debug"
	"strings"

	"jacquard.example/generated/tables"
)

// Version identifies the build of the compiler: the version of its module, or "devel"; the commit that it was built
// from, if known; and the tables that it was generated from.
func Version() string {
	version, commit := "devel", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version, commit = built(info)
	}
	return version + " (" + commit + "tables " + tables.Hash + ")"
}

// built returns the version of this module that a build records, and the text about the commit that precedes the tables
// in Version. commit is empty if the build is of another main module.
func built(info *debug.BuildInfo) (version, commit string) {
	version = "devel"
	for _, m := range append(info.Deps, &info.Main) {
		if v := strings.Trim(m.Version, "()"); m.Path == modulePath && v != "" {
			version = v
		}
	}
	if info.Main.Path != modulePath {
		return version, "" // the commit belongs to the program that uses the package
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = "commit " + s.Value[:min(12, len(s.Value))] + ", "
		case s.Key == "vcs.modified" && s.Value == "true":
			commit += "changed, "
		}
	}
	return version, commit
}

// modulePath is the path of this module.
const modulePath = "jacquard.example"
