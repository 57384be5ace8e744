// SPDX-License-Identifier: MIT

package outline

import (
	"bytes"
	"strings"

	"jacquard.example/core/spirv/module"
	"jacquard.example/generated/spirvtab"
)

// The extended instruction set with source text, NonSemantic.Shader.DebugInfo.100, and its instructions.
const (
	debugInfo            = "NonSemantic.Shader.DebugInfo.100"
	debugSource          = 35
	debugSourceContinued = 102
)

// Sources returns the texts of source files in a module's debug information, by file name. Line n of a text is line n
// of the positions in that file: comments and a #line directive that a compiler has put in front are removed. Malformed
// instructions are ignored.
func Sources(data []byte) map[string]string {
	text, words, err := module.Words(data)
	if err != nil {
		return nil
	}
	s := sources{names: map[uint32]string{}, texts: map[string]string{}}
	for at := headerWords; at < len(words); {
		n := int(words[at] >> 16)
		if n == 0 || n > len(words)-at || uint16(words[at]) == spirvtab.OpFunction {
			break
		}
		s.note(words[at:at+n], text[4*at:4*(at+n)])
		at += n
	}
	for name, x := range s.texts {
		s.texts[name] = withoutPreamble(x)
	}
	return s.texts
}

// sources are texts that have been found.
type sources struct {
	names map[uint32]string // OpString by id
	texts map[string]string
	info  uint32 // id of the import of debugInfo
	last  string // the file whose text may continue
}

// note records the source text of an instruction; text has the bytes of the instruction.
func (s *sources) note(in []uint32, text []byte) {
	literal := func(word int) string {
		if word >= len(in) {
			return ""
		}
		x, _, _ := bytes.Cut(text[4*word:], []byte{0})
		return string(x)
	}
	begin := func(file uint32, x string) {
		if s.last = s.names[file]; x != "" && s.texts[s.last] == "" {
			s.texts[s.last] = x
		}
	}
	switch op := uint16(in[0]); {
	case op == spirvtab.OpString && len(in) > 2:
		s.names[in[1]] = literal(2)
	case op == spirvtab.OpSource && len(in) > 4:
		begin(in[3], literal(4))
	case op == spirvtab.OpSourceContinued:
		s.texts[s.last] += literal(1)
	case op == spirvtab.OpExtInstImport && len(in) > 2 && literal(2) == debugInfo:
		s.info = in[1]
	case op == spirvtab.OpExtInst && len(in) > 5 && in[3] == s.info && s.info != 0:
		switch {
		case in[4] == debugSource && len(in) > 6:
			begin(in[5], s.names[in[6]])
		case in[4] == debugSourceContinued:
			s.texts[s.last] += s.names[in[5]]
		}
	}
}

// withoutPreamble removes the directive that numbers the lines after it from 1, and the comments before it, from the
// start of a text. It does not change a text that does not start like this.
func withoutPreamble(text string) string {
	rest := text
	for strings.HasPrefix(rest, "//") {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	if after, ok := strings.CutPrefix(rest, "#line 1\n"); ok {
		return after
	}
	return text
}
