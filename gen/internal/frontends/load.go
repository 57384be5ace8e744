// SPDX-License-Identifier: MIT

package frontends

import (
	"iter"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
	"jacquard.example/gen/internal/domain"
	"jacquard.example/gen/internal/irtab"
	"jacquard.example/gen/internal/table"
)

type (
	language  = table.Row[languageRow]
	extension = table.Row[extensionRow]
	command   = table.Row[commandRow]
)

// tables are the rows.
type tables struct {
	files      []string
	languages  []*language
	extensions []*extension
	commands   []*command
	stages     []string // stages of the IR
}

// Values of an extension's stage besides the stages of the IR.
const (
	fromFlag   = "flag"
	fromModule = "module"
)

// words are the words allowed in braces in the arguments of a command.
var words = []string{"in", "out", "name", "stage", "entry", "env", "include", "define", "passes"}

// parts are the words allowed in braces in a pattern of messages.
var parts = []string{"file", "line", "col", "code", "msg"}

var braced = regexp.MustCompile(`\{([^{}]*)\}`)

func load(c *domain.Context) (*tables, error) {
	set, err := c.Load("frontends")
	if err != nil {
		return nil, err
	}
	if err := set.Only(Schema.Names()...); err != nil {
		return nil, err
	}
	t := &tables{files: set.Files}
	if t.languages, err = table.Rows[languageRow](set, "language"); err != nil {
		return nil, err
	}
	if t.extensions, err = table.Rows[extensionRow](set, "extension"); err != nil {
		return nil, err
	}
	if t.commands, err = table.Rows[commandRow](set, "command"); err != nil {
		return nil, err
	}
	ir, err := irtab.Load(c)
	if err != nil {
		return nil, err
	}
	for _, e := range ir.Enums {
		if e.Name == "stage" {
			t.stages = slices.Collect(e.Val.Names())
		}
	}
	return t, t.check()
}

// check reports errors in the rows. It also completes the commands: keys are copied from rows named by like.
func (t *tables) check() error {
	var errs diag.List
	for _, c := range t.commands {
		if c.Val.Like != "" {
			t.copyKeys(&errs, c)
		}
	}
	if err := errs.Err(); err != nil {
		return err
	}
	used := map[string]bool{}
	for _, l := range t.languages {
		if len(l.Val.Commands) == 0 {
			errs.Addf(l.At("commands"), l.Full, "commands: a language needs one")
		}
		for _, name := range l.Val.Commands {
			if used[name] = true; t.command(name) == nil {
				errs.Unknown(l.At("commands"), l.Full, "command", name, table.Names(t.commands))
			}
		}
		if !slices.ContainsFunc(t.extensions, func(e *extension) bool { return e.Val.Language == l.Name }) {
			errs.Addf(l.Pos, l.Full, "no [extension] belongs to this language")
		}
	}
	for _, e := range t.extensions {
		t.checkExtension(&errs, e)
	}
	if err := errs.Err(); err != nil { // a misspelled command would also be reported as unused
		return err
	}
	for _, c := range t.commands {
		if used[c.Name] == c.Val.Scripts {
			errs.Addf(c.Pos, c.Full, "a command is used by a language or has scripts = true")
		}
		t.checkCommand(&errs, c)
	}
	return errs.Err()
}

// copyKeys gives a command the keys that it lacks and the command that it is like has.
func (t *tables) copyKeys(errs *diag.List, c *command) {
	from := t.command(c.Val.Like)
	switch {
	case from == nil:
		errs.Unknown(c.At("like"), c.Full, "command", c.Val.Like, table.Names(t.commands))
		return
	case from.Val.Like != "":
		errs.Addf(c.At("like"), c.Full, "like: [%s] is like another itself", from.Full)
		return
	}
	to, source := reflect.ValueOf(&c.Val).Elem(), reflect.ValueOf(&from.Val).Elem()
	for _, f := range table.Fields(to.Type()) {
		if !c.Has(table.Key(f)) {
			to.FieldByName(f.Name).Set(source.FieldByName(f.Name))
		}
	}
}

func (t *tables) command(name string) *command {
	for _, c := range t.commands {
		if c.Name == name {
			return c
		}
	}
	return nil
}

func (t *tables) checkExtension(errs *diag.List, e *extension) {
	v := &e.Val
	if !slices.ContainsFunc(t.languages, func(l *language) bool { return l.Name == v.Language }) {
		errs.Unknown(e.At("language"), e.Full, "language", v.Language, table.Names(t.languages))
	}
	switch {
	case (v.Stage == "") == (v.Refused == ""):
		errs.Addf(e.Pos, e.Full, "an extension has a stage, or a reason why it is refused")
	case v.Stage != "" && v.Stage != fromFlag && v.Stage != fromModule && !slices.Contains(t.stages, v.Stage):
		errs.Unknown(e.At("stage"), e.Full, "stage", v.Stage, slices.Values(append(slices.Clone(t.stages), fromFlag, fromModule)))
	}
}

func (t *tables) checkCommand(errs *diag.List, c *command) {
	v := &c.Val
	if v.Program == "" {
		errs.Addf(c.Pos, c.Full, "program is missing: the program's file, which is searched for in PATH")
	}
	has := map[string]bool{}
	for _, arg := range v.Args {
		for _, m := range braced.FindAllStringSubmatch(arg, -1) {
			if has[m[1]] = true; !slices.Contains(words, m[1]) {
				errs.Unknown(c.At("args"), c.Full, "word", "{"+m[1]+"}", bracedNames(words))
				return // the intended one is missing
			}
			if multiple := m[1] == "env" || m[1] == "include" || m[1] == "define" || m[1] == "passes"; multiple && arg != m[0] {
				errs.Addf(c.At("args"), c.Full, "args: %q: %s stands for several arguments, so it must be an argument by itself", arg, m[0])
			}
		}
	}
	for _, key := range []struct {
		name string
		args []string
	}{{"env", v.Env}, {"include", v.Include}, {"define", v.Define}} {
		switch {
		case has[key.name] && len(key.args) == 0:
			errs.Addf(c.At("args"), c.Full, "args have {%s}, but %[1]s does not say what it is", key.name)
		case !has[key.name] && len(key.args) > 0:
			errs.Addf(c.At(key.name), c.Full, "%s: args have no {%[1]s}", key.name)
		case len(key.args) > 0 && !strings.Contains(strings.Join(key.args, " "), "{}"):
			errs.Addf(c.At(key.name), c.Full, "%s has no {}", key.name)
		}
	}
	if has["stage"] != (len(v.Stages) > 0) {
		errs.Addf(c.At("stages"), c.Full, "stages: what the program calls them, if and only if args have {stage}")
	}
	for _, stage := range slices.Sorted(maps.Keys(v.Stages)) {
		if !slices.Contains(t.stages, stage) {
			errs.Unknown(c.At("stages."+stage), c.Full, "stage", stage, slices.Values(t.stages))
		}
	}
	if has["in"] && v.Stdin != "" {
		errs.Addf(c.At("stdin"), c.Full, "stdin: the program reads {in}, not standard input")
	}
	if (len(v.Probe) > 0) != (v.Answer != "") {
		errs.Addf(c.Pos, c.Full, "probe and answer need each other")
	}
	if v.Debian == "" && v.URL == "" {
		errs.Addf(c.Pos, c.Full, "it does not say where to get the program: debian or url")
	}
	for _, key := range []struct {
		name     string
		patterns []string
	}{{"errors", v.Errors}, {"ignored", v.Ignored}, {"refuse", v.Refuse}} {
		for _, p := range key.patterns {
			if problem := wrongPattern(p, key.name == "errors"); problem != "" {
				errs.Addf(c.At(key.name), c.Full, "%s: %q: %s", key.name, p, problem)
			}
		}
	}
}

// wrongPattern describes an error in a pattern of messages, or returns "".
func wrongPattern(p string, message bool) string {
	seen := map[string]bool{}
	end := -1
	for _, m := range braced.FindAllStringSubmatchIndex(p, -1) {
		name := p[m[2]:m[3]]
		switch {
		case !slices.Contains(parts, name):
			return diag.Unknown("part", "{"+name+"}", bracedNames(parts))
		case seen[name]:
			return "{" + name + "} is there twice"
		case m[0] == end:
			return "two parts have nothing between them"
		}
		seen[name], end = true, m[1]
	}
	if message && !seen["msg"] {
		return "it has no {msg}"
	}
	if seen["col"] && !seen["line"] {
		return "a column without a line"
	}
	return ""
}

// bracedNames yields names in braces.
func bracedNames(names []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, n := range names {
			if !yield("{" + n + "}") {
				return
			}
		}
	}
}
