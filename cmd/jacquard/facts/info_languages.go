// SPDX-License-Identifier: MIT

package facts

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"jacquard.example/backend/run/frontend"
	"jacquard.example/cmd/jacquard/cli"
	table "jacquard.example/generated/frontend"
)

// InfoLanguages lists the languages that are translated, with the programs that translate them and their paths, or
// shows one language.
func InfoLanguages(a *cli.App, name string) error {
	list := frontend.Languages()
	if name != "" {
		if list = []string{name}; frontend.Language(name) == nil {
			return fmt.Errorf("jacquard: error: unknown language %q; known are %s", name, strings.Join(frontend.Languages(), ", "))
		}
	}
	w := tabwriter.NewWriter(a.Stdout, 0, 0, 2, ' ', 0)
	for _, name := range list {
		l := frontend.Language(name)
		fmt.Fprintf(w, "%s\t%s\n\t  files: %s\n", name, l.Doc, strings.Join(extensionsOf(l), ", "))
		for _, c := range l.Commands {
			path, reason, err := a.Programs.Find(a.Ctx, c)
			if err != nil {
				return err
			}
			if reason == "" {
				reason = "by " + path
			}
			fmt.Fprintf(w, "\t  %s\n", reason)
		}
	}
	return w.Flush()
}

// extensionsOf lists the file extensions of a language, with a note if the language is refused or if the stage must
// be given in another way.
func extensionsOf(l *table.Language) (list []string) {
	for i := range table.Extensions {
		e := &table.Extensions[i]
		switch {
		case e.Language != l:
		case e.Refused != "":
		case l.Refused != "":
			list = append(list, "."+e.Name+" (refused)")
		case e.Stage == table.FromFlag:
			list = append(list, fmt.Sprintf(".%s (--stage, or as in .vert.%[1]s)", e.Name))
		default:
			list = append(list, "."+e.Name)
		}
	}
	return list
}
