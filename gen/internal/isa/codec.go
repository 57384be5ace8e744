package isa

import (
	"bytes"
	"embed"
	"fmt"
	"strings"
	"text/template"

	"jacquard.example/gen/internal/emit"
)

// The templates hold the logic that all layouts share; put and get expand to
// straight-line code for the fields of one.
//
//go:embed templates/*.go.tmpl
var templates embed.FS

// layoutData is what the templates see of one layout.
type layoutData struct {
	Layout string // "l12"
	Name   string // suffix of function names, "L12"
}

// platformData is what the dispatch template sees of one platform.
type platformData struct {
	Platform, Name string
	Compact        bool
	CompactName    string
}

func (t *tables) emitCodec(out *emit.Out) error {
	var disp []platformData
	done := map[string]bool{}
	for _, p := range t.platforms {
		l := p.Val.Layout
		d := platformData{Platform: p.Val.Go, Name: strings.ToUpper(l)}
		if t.hasCompact(p) {
			d.Compact, d.CompactName = true, p.Val.Go
		}
		disp = append(disp, d)
		if done[l] {
			continue
		}
		done[l] = true
		for _, f := range []string{"encode", "decode"} {
			text, err := t.expand(f, layoutData{l, strings.ToUpper(l)})
			if err != nil {
				return err
			}
			if err := out.Go(outDir+f+"_"+l+".go", t.files, text); err != nil {
				return err
			}
		}
	}
	text, err := runTemplate("dispatch", template.FuncMap{}, disp)
	if err != nil {
		return err
	}
	return out.Go(outDir+"dispatch.go", t.files, text)
}

// expand runs a template for one layout. putn and getn name the fields of
// source n of the basic formats, putt and gett those of three-source ones.
func (t *tables) expand(name string, data layoutData) ([]byte, error) {
	c := t.newCoder(data.Layout)
	return runTemplate(name, template.FuncMap{
		"put":  c.put,
		"get":  c.get,
		"putn": func(n, f, v string) (string, error) { return c.put("src"+n+"_"+f, v) },
		"getn": func(n, f string) (string, error) { return c.get("src" + n + "_" + f) },
		"putt": func(n, f, v string) (string, error) { return c.put("t_src"+n+"_"+f, v) },
		"gett": func(n, f string) (string, error) { return c.get("t_src" + n + "_" + f) },
		"list": func(s ...string) []string { return s },
	}, data)
}

func runTemplate(name string, funcs template.FuncMap, data any) ([]byte, error) {
	file := name + ".go.tmpl"
	text, err := templates.ReadFile("templates/" + file)
	if err != nil {
		return nil, err
	}
	tm, err := template.New(file).Funcs(funcs).Parse(string(text))
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := tm.Execute(&b, data); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return b.Bytes(), nil
}
