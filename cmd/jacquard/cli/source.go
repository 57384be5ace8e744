// SPDX-License-Identifier: MIT

package cli

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"jacquard.example/backend/run/frontend"
	table "jacquard.example/generated/frontend"
)

// sources holds the flags for sources that are translated.
type sources struct {
	language        string // of a file whose name does not give it, or ""
	include, define repeated
	stage, entry    *string // stage and name of the selected entry point
}

// Source declares the flags for sources that are translated. stage and entry point to the values of the flags that
// select the entry point, or nil if the subcommand has no such flags.
func (f *FlagSet) Source(stage, entry *string) {
	f.sources.stage, f.sources.entry = stage, entry
	f.Choice(&f.sources.language, "lang", frontend.Languages(), "the language of standard input, or of a file whose name does not say it")
	f.sources.include.what, f.sources.define.what = "a folder", "NAME or NAME=VALUE"
	f.declare(&f.sources.include, "I", "DIR", "", "search this folder for files that a source includes; may be repeated")
	f.declare(&f.sources.define, "D", "NAME[=VALUE]", "", "define a macro in a source; may be repeated")
}

// repeated holds the values of a flag that may be repeated.
type repeated struct {
	list []string
	what string // what a value must be
}

func (r *repeated) String() string { return "" }
func (r *repeated) Set(s string) error {
	if name, _, _ := strings.Cut(s, "="); name == "" {
		return errors.New("must be " + r.what)
	}
	r.list = append(r.list, s)
	return nil
}

// languageOf returns the language of a file, or "" if neither its name nor a flag gives it. It returns an error for a
// file in a language that is not supported.
func (a *App) languageOf(in *Input) (string, error) {
	e := frontend.Extension(in.Name)
	switch {
	case e == nil:
		return a.sources.language, nil
	case e.Refused != "":
		return "", &frontend.Error{File: in.Name, Msg: e.Refused}
	}
	return e.Language.Name, nil
}

// translate translates a source to a module.
func (a *App) translate(ctx context.Context, in *Input) ([]byte, error) {
	s := frontend.Source{
		File: in.Name, Line: 1, Text: string(in.Data), Language: in.language, Stage: frontend.StageOf(in.Name),
		Include: a.sources.include.list, Define: a.sources.define.list,
	}
	if a.sources.stage != nil && s.Stage == "" {
		s.Stage, s.Entry = *a.sources.stage, *a.sources.entry
	}
	if in.file != "-" {
		s.Dir = filepath.Dir(in.file)
	}
	return a.Programs.Translate(ctx, &s)
}

// SourceFlags describes the flags for sources. It differs if their translation may.
func (a *App) SourceFlags() string {
	return fmt.Sprintf("%q %q %q", a.sources.language, a.sources.include.list, a.sources.define.list)
}

// isSource reports whether a file found in a folder is a shader to translate. If a language's own extension does not
// give the stage, a file needs a second extension that does, as in x.frag.hlsl; other files of the language are taken
// to be included files.
func isSource(file string) bool {
	e := frontend.Extension(file)
	return e != nil && e.Refused == "" && e.Language.Refused == "" && (e.Stage == table.FromModule || frontend.StageOf(file) != "")
}

// sourceNames lists the extensions of the files that can be translated, for messages.
func sourceNames() (list []string) {
	for i := range table.Extensions {
		if e := &table.Extensions[i]; e.Refused == "" && e.Language.Refused == "" {
			list = append(list, "."+e.Name)
		}
	}
	return list
}
