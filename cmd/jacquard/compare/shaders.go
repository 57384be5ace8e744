// SPDX-License-Identifier: MIT

package compare

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"jacquard.example"
	"jacquard.example/backend/intel/isatext"
	"jacquard.example/cmd/jacquard/diff"
	"jacquard.example/cmd/jacquard/listing"
	"jacquard.example/cmd/jacquard/record"
	"jacquard.example/generated/isa"
)

// Shader describes a version of a shader.
type Shader struct {
	File string `json:"file"`
	record.Program
}

// Versions is the difference between two versions of a shader, each at its preferred width.
type Versions struct {
	Version int         `json:"version"`
	Old     Shader      `json:"old"`
	New     Shader      `json:"new"`
	Figures []Figure    `json:"figures"`
	Same    bool        `json:"same_code"` // the machine code is the same, byte for byte
	Code    []diff.Line `json:"code"`      // aligned
}

// memory lists the figures of a version that statistics files may lack.
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
	v.Code, err = diff.Compare(p, versionOf(p, old), versionOf(p, new))
	return v, err
}

// versionOf returns the code of a program. Comments describe messages and, if the program is explained, give the
// source line of each instruction.
func versionOf(platform isa.Platform, p *jacquard.Program) *diff.Version {
	v := &p.Variants[0]
	names, lines := listing.Bindings(&p.ABI), v.Lines
	return &diff.Version{Code: v.Code, Comment: func(pc int, in *isa.Inst) string {
		var parts []string
		if words := isatext.AppendWords(nil, platform, in, names); len(words) > 0 {
			parts = append(parts, string(words))
		}
		for len(lines) > 0 && lines[0].Offset < pc { // addresses ascend
			lines = lines[1:]
		}
		if len(lines) > 0 && lines[0].Offset == pc && lines[0].Line > 0 {
			parts = append(parts, fmt.Sprintf("%s:%d", lines[0].File, lines[0].Line))
		}
		return strings.Join(parts, "; ")
	}}
}

// Check returns an error about the new file for each figure that must not grow and has grown by more than a threshold
// in percent.
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

// summary describes how many instructions the versions share.
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
	return fmt.Sprintf("instructions: %d only in the old version, %d only in the new version, %d in both",
		n[diff.Old], n[diff.New], n[diff.Same])
}

// Text returns the result as text. Lines of code in both versions are shown only up to context lines from a
// difference.
func (v *Versions) Text(context int) []byte { return text(v.blocks(context)) }

// Markdown is like Text, for a pull request.
func (v *Versions) Markdown(context int) []byte { return markdown(v.blocks(context)) }

func (v *Versions) blocks(context int) (list []block) {
	if x, y := v.Old.Programs[0].SIMD, v.New.Programs[0].SIMD; x != y {
		list = append(list, block{loud: true, title: fmt.Sprintf(
			"the widths differ: SIMD%d in the old version, SIMD%d in the new version; --simd compares at one width", x, y)})
	}
	if x, y := v.Old.Programs[0].AssumedLoops, v.New.Programs[0].AssumedLoops; x != y {
		list = append(list, block{loud: true, title: fmt.Sprintf(
			"cycles are not comparable: the estimate assumes the iterations of %d loops of the old version, and of %d of the "+
				"new version", x, y)})
	}
	table := block{title: fmt.Sprintf("%s -> %s", &v.Old, &v.New), columns: []string{"", "old", "new", "change"}}
	for i := range v.Figures {
		table.rows = append(table.rows, v.Figures[i].row())
	}
	var code bytes.Buffer
	diff.Write(&code, v.Code, context)
	return append(list, table, block{title: v.summary(), listing: code.Bytes()})
}
