// SPDX-License-Identifier: MIT

package isa

import (
	"fmt"
	"strings"
	"testing"

	"jacquard.example/backend/intel/isatext"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/oracle"
)

// igaWords maps our words to iga64's. iga64 omits words that are not listed here.
var igaWords = map[string]string{
	"untyped read": "untyped surface ", "untyped write": "untyped surface ", "atomic": "untyped atomic",
	"read by address": "a64", "write by address": "a64", "atomic by address": "untyped a64 atomic",
	"byte scattered read": "byte gathering read", "byte scattered write": "byte scattering write", "words": "16b",
	"dword scattered read": "dword", "memory fence": " fence", "block read": "oword block read", "constant block read": "constant",
	"URB write": "urb dword write", "URB read": "urb dword read", "render target write": "render target write", "barrier signal": "barrier",
	"end of the thread": "end of thread", "1 dword": "with x ", "2 dwords": "with xy ", "3 dwords": "with xyz ", "4 dwords": "with xyzw ",
	"add": "integer add", "cmp_wr": "compare and swap", "64 bytes": "x4", "32 bytes": "x2", "16 bytes": "x1",
	"simd8": "SIMD8", "sampler": "sampl", "last render target": "last",
}

// TestWords compares the descriptions of messages in listings with iga64's.
func TestWords(t *testing.T) {
	oracle.Need(t, "iga64")
	var text strings.Builder
	list := descriptors()
	for n := range 4 { // every number of dwords
		desc, exdesc := isa.DescUntypedRead(isa.TGL, 3, 8, n+1)
		list = append(list, list[0])
		last := &list[len(list)-1]
		last.name, last.desc, last.exdesc = fmt.Sprintf("untyped read of %d", n+1), desc, exdesc
	}
	for _, d := range list {
		fmt.Fprintf(&text, "send.%s (8|M0) r10 r20 r30 %#x %#x\n", d.sfid, d.exdesc, d.desc)
	}
	code, err := isatext.Assemble(isa.TGL, text.String())
	if err != nil {
		t.Fatal(err)
	}
	said, err := oracle.IGA{Platform: "12p1"}.Disassemble(t, code)
	if err != nil {
		t.Fatal(err)
	}
	var theirs []string
	for line := range strings.Lines(said) {
		if _, comment, ok := strings.Cut(line, "//"); ok && strings.Contains(line, "send") {
			theirs = append(theirs, strings.TrimSpace(comment)+" ")
		}
	}
	if len(theirs) != len(list) {
		t.Fatalf("%d sends, not %d:\n%s", len(theirs), len(list), said)
	}
	compared := 0
	at := 0
	for i, d := range list {
		in, err := isa.Decode(isa.TGL, code[at:])
		if err != nil {
			t.Fatal(err)
		}
		at += int(in.Size)
		ours := string(isatext.AppendWords(nil, isa.TGL, &in, nil))
		for word := range strings.SplitSeq(ours, ", ") {
			if igaWords[word] == "" {
				continue
			}
			compared++
			if !strings.Contains(theirs[i], igaWords[word]) {
				t.Errorf("%s: %q, iga64 %q", d.name, ours, theirs[i])
			}
		}
	}
	if compared < 40 {
		t.Errorf("only %d words were compared", compared)
	}
}

// TestWordsOfAll: every message of the tables has a description.
func TestWordsOfAll(t *testing.T) {
	for k, w := range isa.MessageWords {
		if k != 0 && w.Words == "" {
			t.Errorf("%v has no words", isa.MsgKind(k))
		}
	}
	names := func(list string, index uint32) string { return fmt.Sprintf("%s number %d", list, index) }
	for _, x := range []struct {
		text, want string
	}{
		{"send.smpl (8|M0) r10 r20 r30 0x40 0x02420201", "sampler, surface 1 (surface number 1), sampler 2 (sampler number 2), sample"},
		{"send.dc1 (8|M0) r10 r20 r30 0x40 0x0210B7FF", "atomic, stateless, add, returns the old value"},
		{"send.dc1 (8|M0) r10 r20 null 0x0 a0.0", "message to dc1 with a computed descriptor"},
		{"send.vme (8|M0) r10 r20 null 0x0 0x02000000", "unknown message to vme"},
		{"send.rc (8|M0) null r20 null 0x0 0x08031400 {EOT}",
			"render target write, surface 0 (surface number 0), simd8, last render target, end of the thread"},
		{"mov (8|M0) r10.0<1>:d r20.0<8;8,1>:d", ""},
	} {
		code, err := isatext.Assemble(isa.TGL, x.text)
		if err != nil {
			t.Fatal(err)
		}
		in, err := isa.Decode(isa.TGL, code)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(isatext.AppendWords(nil, isa.TGL, &in, names)); got != x.want {
			t.Errorf("%s: %q, want %q", x.text, got, x.want)
		}
	}
}
