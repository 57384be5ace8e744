// SPDX-License-Identifier: MIT

package report

import (
	"errors"
	"strings"
	"testing"

	"jacquard.example"
)

// odd is a name that means something in HTML and Markdown.
const odd = "<script>a|b*_`&#[x](y)</script>"

// TestWriteEscapes: names and texts of a shader are shown as they are.
func TestWriteEscapes(t *testing.T) {
	x := Failed(&Input{File: odd}, nil)
	x.Stage, x.Entry, x.Target = "compute", odd, "tgl"
	x.Widths = []Variant{{SIMD: 8, Chosen: true}, {SIMD: 16, Error: odd}}
	x.Lines = []LineCost{{File: odd, Line: 3, Cycles: 7, Share: 1, Source: odd}}
	x.Arrays = []jacquard.Array{{Name: odd, Bytes: 4, Varying: 1, Indexed: []jacquard.Position{{File: odd, Line: 3}}}}
	x.Hints = []Hint{{Kind: HintArray, Text: odd}}
	written := func(format string, list ...*Report) string {
		var b strings.Builder
		if err := Write(&b, format, list); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	const escaped = "&lt;script&gt;a|b*_`&amp;#[x](y)&lt;/script&gt;"
	if page := written("html", x); strings.Contains(page, "<script") || strings.Count(page, escaped) != 8 {
		t.Errorf("%d times in\n%s", strings.Count(page, "&lt;script&gt;a"), page)
	}
	for line := range strings.Lines(written("markdown", x)) {
		bare := strings.NewReplacer(`\\`, "", `\|`, "", `\*`, "", `\_`, "", "\\`", "", `\[`, "", `\#`, "").Replace(line)
		if strings.ContainsAny(bare, "<*_`[") || strings.HasPrefix(line, "| 100") && strings.Count(bare, "|") != 4 {
			t.Errorf("%q", line)
		}
	}
	if text := written("text", x); strings.Count(text, odd) != 8 {
		t.Errorf("%d times in\n%s", strings.Count(text, odd), text)
	}
	failed := Failed(&Input{File: "other"}, errors.New("refused"))
	if text := written("text", failed, x); strings.Contains(text, "other") || strings.HasPrefix(text, "\n") {
		t.Errorf("a shader with an error is shown:\n%s", text)
	}
	x.Target, failed.File, failed.Stage = "tgl", x.File, x.Stage
	failed.Entry, failed.Target = x.Entry, "skl"
	if text := written("text", x, failed); !strings.Contains(text, "skl: refused") || !strings.Contains(text, "tgl") {
		t.Errorf("targets side by side:\n%s", text)
	}
}

// TestWriteClean: what names and source text contain changes neither the state of a terminal nor the columns of a table.
func TestWriteClean(t *testing.T) {
	x := Failed(&Input{File: "a.comp"}, nil)
	x.Stage, x.Entry, x.Target = "compute", "e\x1b[2Jm", "tgl"
	x.Widths = []Variant{{SIMD: 8, Chosen: true}}
	x.Lines = []LineCost{{File: "a.comp", Line: 3, Cycles: 7, Share: 1, Source: "x\t= 1;\x1b[31m\xff\v\n| y"}}
	x.Hints = []Hint{{Kind: HintArray, Text: "array n\nm"}}
	for _, format := range []string{"text", "markdown", "html"} {
		var b strings.Builder
		if err := Write(&b, format, []*Report{x}); err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(b.String(), "\\", "")
		for _, want := range []string{"e\ufffd[2Jm", "x = 1;\ufffd[31m\ufffd\ufffd\ufffd| y", "array n\ufffdm"} {
			if strings.Count(text, want) != 1 {
				t.Errorf("%s: %q is not there once:\n%q", format, want, text)
			}
		}
	}
}
