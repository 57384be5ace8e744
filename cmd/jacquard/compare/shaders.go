package compare

import (
	"bytes"
	"errors"
	"fmt"

	"jacquard.example"
	"jacquard.example/cmd/jacquard/diff"
	"jacquard.example/cmd/jacquard/record"
	"jacquard.example/generated/isa"
)

// Shader describes a version of a shader.
type Shader struct {
	File string `json:"file"`
	record.Program
}

// Versions is what differs between two versions of a shader, at the width that each has first.
type Versions struct {
	Version int         `json:"version"`
	Old     Shader      `json:"old"`
	New     Shader      `json:"new"`
	Figures []Figure    `json:"figures"`
	Same    bool        `json:"same_code"` // to the byte
	Code    []diff.Line `json:"code"`      // aligned
}

// memory are the figures of a version besides those of files of statistics, which may lack them.
var memory = []struct {
	name string
	of   func(*record.Variant) int
}{
	{"scratch_bytes", func(v *record.Variant) int { return v.Scratch }},
	{"shared_bytes", func(v *record.Variant) int { return v.Shared }},
}

// Shaders compares two programs for a platform, compiled from files.
func Shaders(p isa.Platform, oldFile, newFile string, old, new *jacquard.Program) (*Versions, error) {
	v := &Versions{Version: Version, Old: Shader{oldFile, *record.Of(old)}, New: Shader{newFile, *record.Of(new)}, Figures: []Figure{}}
	x, y := &v.Old.Programs[0], &v.New.Programs[0]
	for _, f := range figures {
		v.Figures = append(v.Figures, Figure{f.name, f.of(&x.Stats), f.of(&y.Stats), f.free})
	}
	for _, f := range memory {
		v.Figures = append(v.Figures, Figure{f.name, f.of(x), f.of(y), false})
	}
	v.Same = x.Hash == y.Hash
	var err error
	v.Code, err = diff.Compare(p, old.Variants[0].Code, new.Variants[0].Code)
	return v, err
}

// Check returns an error about the new file for each figure that has grown by more than a threshold in percent.
func (v *Versions) Check(threshold float64) error {
	var errs []error
	for i := range v.Figures {
		errs = append(errs, v.Figures[i].check(v.New.File, "", threshold))
	}
	return errors.Join(errs...)
}

func (s *Shader) String() string {
	return fmt.Sprintf("%s: %s %s SIMD%d on %s", s.File, s.Stage, s.Entry, s.Programs[0].SIMD, s.Target)
}

// widths says that the versions have different widths, if they do.
func (v *Versions) widths() string {
	if x, y := v.Old.Programs[0].SIMD, v.New.Programs[0].SIMD; x != y {
		return fmt.Sprintf("the widths differ: SIMD%d in the old version, SIMD%d in the new version; --simd compares at one width", x, y)
	}
	return ""
}

// summary says how many instructions the versions share.
func (v *Versions) summary() string {
	n := map[diff.Op]int{}
	for _, l := range v.Code {
		n[l.Op]++
	}
	switch {
	case v.Same:
		return "the machine code is the same"
	case n[diff.Old]+n[diff.New] == 0:
		return "the machine code differs only in registers, waits and addresses"
	}
	return fmt.Sprintf("code: %d of the old version only, %d of the new version only, %d of both", n[diff.Old], n[diff.New], n[diff.Same])
}

// Text returns the result as text, with lines of the code that both have only up to context lines from a difference.
func (v *Versions) Text(context int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "old  %s\nnew  %s\n", &v.Old, &v.New)
	if s := v.widths(); s != "" {
		fmt.Fprintln(&b, s)
	}
	w := columns(&b)
	fmt.Fprintf(w, "\told\tnew\tchange\t\n")
	for _, f := range v.Figures {
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t\n", f.Name, f.Old, f.New, f.change())
	}
	w.Flush()
	fmt.Fprintf(&b, "\n%s\n", v.summary())
	diff.Write(&b, v.Code, context)
	return b.Bytes()
}

// Markdown returns the result as Markdown.
func (v *Versions) Markdown(context int) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s → %s\n\n", code(v.Old.String()), code(v.New.String()))
	if s := v.widths(); s != "" {
		fmt.Fprintf(&b, "**%s**\n\n", upper(s))
	}
	b.WriteString("| | old | new | change |\n|---|--:|--:|--:|\n")
	for _, f := range v.Figures {
		fmt.Fprintf(&b, "| %s | %d | %d | %s |\n", f.Name, f.Old, f.New, f.change())
	}
	fmt.Fprintf(&b, "\n%s\n", upper(v.summary()))
	var lines bytes.Buffer
	diff.Write(&lines, v.Code, context)
	if lines.Len() > 0 {
		fmt.Fprintf(&b, "\n```diff\n%s```\n", lines.Bytes())
	}
	return b.Bytes()
}
