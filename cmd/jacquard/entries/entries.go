// SPDX-License-Identifier: MIT

// Package entries selects among the entry points of a module: [Choose] returns the entry point that a command line
// selects, or an error that lists the candidates with the flags that select each. Subcommands that compile one shader
// use it; subcommands that compile every shader range over jacquard.EntryPoints.
package entries

import (
	"fmt"
	"slices"
	"strings"

	"jacquard.example"
)

// most bounds the number of entry points listed.
const most = 24

// Choose returns the only entry point that can be compiled and matches entry and stage; an empty string matches all.
// ok is false if there is none; the compiler then reports the reason. The error, about file, lists the entry points if
// several match, or if none of several has the name.
func Choose(file string, list []jacquard.EntryPoint, entry, stage string) (chosen jacquard.EntryPoint, ok bool, err error) {
	can := slices.DeleteFunc(Matching(list, entry, stage), func(p jacquard.EntryPoint) bool {
		return !slices.Contains(jacquard.Stages(), p.Stage)
	})
	switch {
	case entry != "" && len(list) > 1 && len(Matching(list, entry, "")) == 0:
		return chosen, false, &jacquard.Error{File: file, Msg: fmt.Sprintf("no entry point %q; the module has:", entry) + lines(list)}
	case len(can) == 0 || allSame(can): // duplicates are invalid in a module
		return chosen, false, nil
	case len(can) == 1:
		return can[0], true, nil
	}
	return chosen, false, &jacquard.Error{File: file,
		Msg: fmt.Sprintf("the module has %d entry points%s; choose one of them:", len(can), among(entry, stage)) + lines(can)}
}

// lines returns a line for each entry point of a list, with the flags that choose it.
func lines(list []jacquard.EntryPoint) string {
	var b strings.Builder
	for i, p := range list {
		if i == most {
			fmt.Fprintf(&b, "\n  and %d more", len(list)-most)
			break
		}
		fmt.Fprintf(&b, "\n  %-8s %-24q %s", p.Stage, p.Name, Flags(list, p))
	}
	return b.String()
}

// Matching returns the entry points that have the name entry and are of the stage; either may be empty.
func Matching(list []jacquard.EntryPoint, entry, stage string) (matching []jacquard.EntryPoint) {
	for _, p := range list {
		if (entry == "" || p.Name == entry) && (stage == "" || string(p.Stage) == stage) {
			matching = append(matching, p)
		}
	}
	return matching
}

// allSame reports whether several entry points have the same name and stage.
func allSame(list []jacquard.EntryPoint) bool {
	differs := func(p jacquard.EntryPoint) bool { return p.Name != list[0].Name || p.Stage != list[0].Stage }
	return len(list) > 1 && !slices.ContainsFunc(list, differs)
}

// among describes the filter on entry points in a message.
func among(entry, stage string) string {
	switch {
	case entry != "":
		return fmt.Sprintf(" named %q", entry)
	case stage != "":
		return " of stage " + stage
	}
	return ""
}

// Flags returns the flags that select an entry point of a list: its name, its stage if the name is ambiguous, or
// both.
func Flags(list []jacquard.EntryPoint, p jacquard.EntryPoint) string {
	names, stages := 0, 0
	for _, q := range list {
		if q.Name == p.Name {
			names++
		}
		if q.Stage == p.Stage {
			stages++
		}
	}
	switch {
	case names == 1:
		return "--entry " + quoted(p.Name)
	case stages == 1:
		return string("--stage " + p.Stage)
	}
	return "--entry " + quoted(p.Name) + " --stage " + string(p.Stage)
}

// quoted quotes a word for the shell.
func quoted(name string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_-.:/@%+", c)
	}
	if name != "" && !strings.ContainsFunc(name, func(c rune) bool { return !plain(c) }) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}
