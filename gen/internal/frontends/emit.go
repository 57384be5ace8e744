// SPDX-License-Identifier: MIT

package frontends

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/emit"
)

// Generate reads defs/frontends and adds the package and the manual's page.
func Generate(c *domain.Context) error {
	t, err := load(c)
	if err != nil {
		return err
	}
	if err := c.Out.Code("frontend/frontend.go", t.files, t.source()); err != nil {
		return err
	}
	return c.Out.Text("docs/frontends.md", "<!-- ", t.files, t.page())
}

func (t *tables) source() *emit.File {
	f := emit.NewFile("frontend", `Package frontend says which programs translate the languages that shaders are written in, and
how: [Languages], [Extensions] of file names, and [Commands] with their arguments and the form of their messages.
Package backend/run/frontend runs them. The rows are in defs/frontends.`)
	f.Struct("Language is a language that shaders are written in.", "Language", `
		Name string
		Doc string
		Commands []*Command // programs that translate it; the first installed one is used
		Refused string // reason why nothing is translated, or empty`)
	f.Struct("Extension is the extension of file names.", "Extension", `
		Name string // without the dot
		Language *Language
		Stage string // a stage of the IR, FromFlag or FromModule; empty if such files are refused
		Refused string // reason why such files are not translated, or empty`)
	f.Consts("Values of Extension.Stage besides the stages of the IR.", []emit.Name{
		{Name: "FromFlag = " + strconv.Quote(fromFlag), Doc: "a flag says the stage"},
		{Name: "FromModule = " + strconv.Quote(fromModule), Doc: "the module says the stage itself"},
	})
	f.Struct(`Command is a program that translates shaders, and how it is run; defs/frontends/commands.toml
describes arguments and patterns.`, "Command", `
		Name string
		Program string
		Needs []string // other programs that it runs
		Args []string
		Stages map[string]string // the program's names of the IR's stages
		Env []string // the arguments for an environment
		SPIRV string // prefix of its names of SPIR-V versions, if not spv
		Include, Define []string // the arguments for a folder of -I and a macro of -D
		Stdin string // its name of standard input
		Again []string // arguments to find all errors
		Errors, Ignored []string // patterns of messages
		Refuse []string // patterns of messages that are errors even if the program succeeds
		Continued bool // messages go on in lines that begin with a space
		Probe []string // arguments with which the right program prints Answer
		Answer string
		Debian, URL, Get string // where to get the program`)
	var rows emit.Rows
	at := map[string]int{}
	for i, c := range t.commands {
		at[c.Name] = i
		v := &c.Val
		rows.F("{Name: %q, Program: %q", c.Name, v.Program)
		for _, key := range []struct {
			name string
			list []string
		}{
			{"Needs", v.Needs}, {"Args", v.Args}, {"Env", v.Env}, {"Include", v.Include}, {"Define", v.Define}, {"Again", v.Again},
			{"Errors", v.Errors}, {"Ignored", v.Ignored}, {"Refuse", v.Refuse}, {"Probe", v.Probe},
		} {
			if len(key.list) > 0 {
				rows.F(", %s: []string{%s}", key.name, strings.Join(emit.Quoted(key.list...), ", "))
			}
		}
		if len(v.Stages) > 0 {
			rows.F(", Stages: map[string]string{")
			for _, stage := range slices.Sorted(maps.Keys(v.Stages)) {
				rows.F("%q: %q, ", stage, v.Stages[stage])
			}
			rows.F("}")
		}
		for _, key := range []struct{ name, text string }{
			{"SPIRV", v.SPIRV}, {"Stdin", v.Stdin}, {"Answer", v.Answer}, {"Debian", v.Debian}, {"URL", v.URL}, {"Get", v.Get},
		} {
			if key.text != "" {
				rows.F(", %s: %q", key.name, key.text)
			}
		}
		if v.Continued {
			rows.F(", Continued: true")
		}
		rows.F("},\n")
	}
	f.Table("Commands are the programs.", "Commands", "[...]Command", &rows)
	rows = emit.Rows{}
	language := map[string]int{}
	for i, l := range t.languages {
		language[l.Name] = i
		var commands []string
		for _, name := range l.Val.Commands {
			commands = append(commands, fmt.Sprintf("&Commands[%d]", at[name]))
		}
		rows.F("{%q, %q, []*Command{%s}, %q},\n", l.Name, l.Val.Doc, strings.Join(commands, ", "), l.Val.Refused)
	}
	f.Table("Languages are the languages.", "Languages", "[...]Language", &rows)
	rows = emit.Rows{}
	for _, e := range t.extensions {
		rows.F("{%q, &Languages[%d], %q, %q},\n", e.Name, language[e.Val.Language], e.Val.Stage, e.Val.Refused)
	}
	f.Table("Extensions are the extensions of file names.", "Extensions", "[...]Extension", &rows)
	return f
}

const pageHead = `# Front ends

A shader in a language other than SPIR-V is translated by a program that is not part of Jacquard. A file's language
and the stage of its shader follow from its name; of standard input, --lang and --stage say them. Programs are searched for
in PATH; if none for the language is installed, the error says where to get them. -I and -D are passed on. Errors are shown
with their places in the source, and debug information is always asked for, so that listings and reports have source lines.

A language is a row of a file below defs/frontends, and so are an extension and a program.

## Names of files

| extension | language | stage |
|---|---|---|
`

// page writes the manual's page.
func (t *tables) page() []byte {
	var b emit.Rows
	b.F("%s", pageHead)
	for _, e := range t.extensions {
		stage := e.Val.Stage
		switch stage {
		case "":
			stage = "refused: " + e.Val.Refused
		case fromFlag:
			stage = "as --stage says, or the extension before, as in x.frag." + e.Name
		case fromModule:
			stage = "as the module says"
		}
		b.F("| .%s | %s | %s |\n", e.Name, e.Val.Language, stage)
	}
	b.F("\n## Languages\n")
	for _, l := range t.languages {
		b.F("\n### %s\n\n%s", l.Name, l.Val.Doc)
		if l.Val.Refused != "" {
			b.F(" Files are refused: %s.", l.Val.Refused)
		}
		b.F("\n\n")
		for _, name := range l.Val.Commands {
			c := t.command(name)
			b.F("- `%s %s`: %s Get it from %s.\n", c.Val.Program, strings.Join(c.Val.Args, " "), c.Val.Doc, c.Val.source())
		}
	}
	return b.Bytes()
}

// source describes where to get a command's program.
func (c *commandRow) source() string {
	var list []string
	if c.Debian != "" {
		list = append(list, "Debian: "+c.Debian)
	}
	if c.URL != "" {
		list = append(list, c.URL)
	}
	if c.Get != "" {
		list = append(list, "`"+c.Get+"`")
	}
	return strings.Join(list, ", or ")
}
