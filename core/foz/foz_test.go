// SPDX-License-Identifier: MIT

package foz_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"jacquard.example/core/foz"
	"jacquard.example/tests/support/fozfile"
)

// open opens an archive.
func open(t *testing.T, file []byte) *foz.Archive {
	t.Helper()
	a, err := foz.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestSamples: what is read from archives of every kind of storage is what was written.
func TestSamples(t *testing.T) {
	for _, version := range []byte{5, 6} {
		file := fozfile.Header(version)
		for _, e := range fozfile.Compute() {
			file = e.Append(file)
		}
		a := open(t, file)
		if a.Version != int(version) || a.Cut != nil {
			t.Errorf("version %d, cut %v", a.Version, a.Cut)
		}
		p, err := a.Find(fozfile.Doubled)
		if err != nil {
			t.Fatal(err)
		}
		want := foz.Stage{Name: "compute", Entry: "main", Module: 0xc3, Constants: []foz.Constant{{0, 8, 4}, {1, 5, 4}, {3, 0x40000000, 4}, {4, 1, 4}}}
		if got := fmt.Sprint(p.Stages); got != fmt.Sprint([]foz.Stage{want}) || p.Layout != 0xe2 || p.Tag != foz.ComputePipeline {
			t.Errorf("%+v, want the stage %+v", p, want)
		}
		if p, err = a.Find(fozfile.Eight); err != nil || p.Stages[0].Subgroup != 8 {
			t.Errorf("%+v, %v", p, err)
		}
		packed, err1 := a.Module(0xc5)
		text, err2 := a.Module(0xc4) // the same module, in base64
		if err := errors.Join(err1, err2); err != nil || !bytes.Equal(packed, text) || binary.LittleEndian.Uint32(text) != 0x07230203 {
			t.Errorf("%d and %d bytes, %v", len(packed), len(text), err)
		}
		l, err := a.Layout(0xe2)
		if err != nil || !slices.Equal(l.Sets, []uint64{0, 0xd2}) || len(l.Push) != 0 {
			t.Errorf("%+v, %v", l, err)
		}
	}
	a := open(t, fozfile.File(fozfile.Graphics()))
	l, err := a.Layout(0xe1)
	if err != nil || fmt.Sprint(*l) != "{[209] [{17 0 64}]}" {
		t.Errorf("%v, %v", l, err)
	}
	set, err := a.SetLayout(0xd1)
	if err != nil || fmt.Sprint(*set) != "{[{0 uniform buffer 1 1} {1 combined image sampler 4 16}]}" {
		t.Errorf("%v, %v", set, err)
	}
	for _, tag := range foz.Tags() {
		list := a.Entries(tag)
		if !slices.IsSortedFunc(list, func(x, y *foz.Entry) int { return int(x.Hash) - int(y.Hash) }) {
			t.Errorf("%v is not sorted", tag)
		}
		if tag == foz.GraphicsPipeline && len(list) != 4 || tag == foz.ComputePipeline && len(list) != 0 {
			t.Errorf("%d of %v", len(list), tag)
		}
	}
}

// entry returns an archive with one uncompressed entry.
func entry(tag int, payload string) []byte {
	return fozfile.File([]fozfile.Entry{{Tag: tag, Hash: 1, Payload: []byte(payload)}})
}

// TestIndex: the index of archives with unusual or wrong headers.
func TestIndex(t *testing.T) {
	good := entry(fozfile.Module, "abc")
	set := func(at int, text string) []byte {
		file := slices.Clone(good)
		copy(file[at:], text)
		return file
	}
	twice := (&fozfile.Entry{Tag: fozfile.Module, Hash: 1, Payload: []byte("other")}).Append(slices.Clone(good))
	for _, c := range []struct {
		file []byte
		want string // the error, or the entries with their sizes
	}{
		{good, "shader module 1: 3"},
		{twice, "shader module 1: 3"}, // the first counts
		{good[:16], ""},
		{set(16+22, "04"), "shader module 1: 3"},
		{set(16+22, "0B"), ""}, // unknown
		{set(16, "ffffffffffffffffffffffff"), ""},
		{set(16+24, "FFFFFFFFFFFFFFFF"), "shader module ffffffffffffffff: 3"},
		{good[:15], "not a Fossilize archive: it has 15 bytes"},
		{set(0, "x"), `not a Fossilize archive: its first bytes are not \x81FOSSILIZEDB`},
		{set(13, "x"), "the unused bytes of the archive's header are not zero"},
		{set(15, "\x04"), "version 4 of the format is unknown; known are 5 and 6"},
		{set(15, "\x07"), "version 7 of the format is unknown; known are 5 and 6"},
		{set(20, "g"), `entry 1 at byte 16: its name "0000g000000000000000000400000000000000` + `01" is not hexadecimal`},
		{set(16+24, "-"), `entry 1 at byte 16: its name "000000000000000000000004-00000000000000` + `1" is not hexadecimal`},
		{good[:len(good)-1], "cut entry 1 at byte 16"},
		{twice[:len(good)+55], "shader module 1: 3, cut entry 2 at byte 75"},
		{set(16+43, "\xff"), "cut entry 1 at byte 16"},
	} {
		a, err := foz.Open(bytes.NewReader(c.file), int64(len(c.file)))
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			var words []string
			for _, tag := range foz.Tags() {
				for _, e := range a.Entries(tag) {
					words = append(words, fmt.Sprintf("%v %x: %d", e.Tag, e.Hash, e.Size))
				}
			}
			if a.Cut != nil {
				words = append(words, "cut "+a.Cut.Where())
			}
			got = strings.Join(words, ", ")
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// header returns an archive with an entry of a shader module whose header has the numbers.
func header(stored, flags, sum, size uint32, payload string) []byte {
	file := entry(fozfile.Module, payload)
	for i, n := range []uint32{stored, flags, sum, size} {
		binary.LittleEndian.PutUint32(file[16+40+4*i:], n)
	}
	return file
}

// stages returns an archive with a graphics pipeline that has the stages.
func stages(list string) []byte {
	return entry(fozfile.GraphicsPipeline, `{"version":6,"graphicsPipelines":{"0000000000000001":{"stages":[`+list+`]}}}`)
}

// TestRefused: payloads that are wrong, with the errors.
func TestRefused(t *testing.T) {
	const word = "\x83\x84\x8c\x39"
	module := func(object, tail string) []byte {
		return entry(fozfile.Module, `{"version":6,"shaderModules":{"0000000000000001":`+object+"}}\x00"+tail)
	}
	pipeline := func(stage string) []byte {
		return entry(fozfile.ComputePipeline, `{"version":6,"computePipelines":{"0000000000000001":{"layout":"0","stage":`+stage+"}}}")
	}
	spec := func(info string) []byte {
		return pipeline(`{"stage":32,"module":"02","name":"main","specializationInfo":` + info + `}`)
	}
	deflated := fozfile.File([]fozfile.Entry{{Tag: fozfile.Module, Hash: 1, Payload: make([]byte, 100), Deflate: true}})
	wrong := func(at int) []byte {
		file := slices.Clone(deflated)
		file[at] ^= 0x55
		return file
	}
	short := slices.Clone(deflated)
	binary.LittleEndian.PutUint32(short[16+52:], 99)
	long := slices.Clone(deflated)
	binary.LittleEndian.PutUint32(long[16+52:], 101)
	for _, c := range []struct {
		file []byte
		want string
	}{
		{module(`{"varintOffset":0,"varintSize":4,"codeSize":4}`, word), ""},
		{module(`{"varintOffset":1,"varintSize":5,"codeSize":4}`, "x\xff\xff\xff\xff\x0f"), ""},
		{module(`{"codeSize":4,"code":"AwIjBw=="}`, ""), ""},
		{module(`{"varintOffset":1,"varintSize":4,"codeSize":4}`, word), "the words of the shader module end beyond the 4 bytes that follow the JSON"},
		{module(`{"varintOffset":18446744073709551615,"varintSize":2,"codeSize":4}`, word),
			"the words of the shader module end beyond the 4 bytes that follow the JSON"},
		{module(`{"varintOffset":0,"varintSize":3,"codeSize":4}`, word), "word 0 of the shader module is cut off"},
		{module(`{"varintOffset":0,"varintSize":5,"codeSize":4}`, word+"x"), "1 bytes follow the words of the shader module"},
		{module(`{"varintOffset":0,"varintSize":5,"codeSize":4}`, "\xff\xff\xff\xff\x10"), "word 0 of the shader module has more than 32 bits"},
		{module(`{"varintOffset":0,"varintSize":6,"codeSize":4}`, "\x80\x80\x80\x80\x80\x00"), "word 0 of the shader module has more than 32 bits"},
		{module(`{"varintOffset":0,"varintSize":4,"codeSize":5}`, word), "4 bytes cannot be the words of a shader module of 5"},
		{module(`{"varintOffset":0,"varintSize":4,"codeSize":20}`, word), "4 bytes cannot be the words of a shader module of 20"},
		{module(`{"varintOffset":0,"varintSize":4,"codeSize":67108868}`, word), "the shader module has 67108868 bytes; the limit is 67108864"},
		{module(`{"codeSize":8,"code":"AwIjBw=="}`, ""), "the shader module has 4 bytes, not 8 as in its JSON"},
		{module(`{"codeSize":4,"code":"Aw"}`, ""), "the code of the shader module is invalid: illegal base64 data at input byte 0"},
		{module(`{"codeSize":4,"varintSize":4}`, word), "the shader module has no code"},
		{module(`{"codeSize":"4"}`, word), "its JSON is invalid: CodeSize is a string"},
		{module(`7`, word), "its JSON is invalid: it is a number"},
		{entry(fozfile.Module, `{"version":6,"shaderModules":{"0000000000000002":{}}}`), "its JSON has no shader module 0000000000000001"},
		{entry(fozfile.Module, `{"version":6,"shaderModules":7}`), "its JSON is invalid: shaderModules: it is a number"},
		{entry(fozfile.Module, `{"version":6}`), "its JSON has no shader module 0000000000000001"},
		{entry(fozfile.Module, `{"version":7}`), `its JSON has version "7"; known are 5 and 6`},
		{entry(fozfile.Module, `{}`), `its JSON has version ""; known are 5 and 6`},
		{entry(fozfile.Module, "\x00"), "its JSON is invalid: unexpected end of JSON input"},
		{entry(fozfile.Module, "{"), "its JSON is invalid: unexpected end of JSON input"},
		{header(3, 1, 0, 4, "abc"), "it is not compressed, but has a stored size of 3 bytes and a size of 4"},
		{header(3, 3, 0, 3, "abc"), "its flags 0x3 are neither 1, not compressed, nor 2, deflate"},
		{header(3, 1, 7, 3, "abc"), "its checksum is 352441c2, not 00000007 as in its header"},
		{header(3, 1, 0xb52441c2, 3, "abc"), "its checksum is 352441c2, not b52441c2 as in its header"},
		{header(3, 1, 0x352441c2, 3, "abc"), "its JSON is invalid"},
		{header(3, 2, 0, 3097, "abc"), "its stored size of 3 bytes is too small for a size of 3097"},
		{header(1028, 2, 0, 3, strings.Repeat("a", 1028)), "its stored size of 1028 bytes is too large for a size of 3"},
		{header(3, 2, 0, 64<<20+1, "abc"), "its size of 67108865 bytes exceeds the limit of 67108864"},
		{header(3, 2, 0, 3, "abc"), "it cannot be decompressed: zlib: invalid header"},
		{wrong(len(deflated) - 1), "it cannot be decompressed: zlib: invalid checksum"},
		{wrong(16 + 56 + 2), "it cannot be decompressed: "},
		{short, "it decompresses to more than 99 bytes"},
		{long, "it decompresses to 100 bytes, not 101 as in its header"},
		{pipeline(`{"stage":32,"module":"02","name":"main"}`), ""},
		{pipeline(`{"stage":"x"}`), "its JSON is invalid: Stage.Stage is a string"},
		{stages(`{"stage":1},{"stage":"x"}`), "its JSON is invalid: Stage is a string"},
		{stages(`{"stage":1},7`), "its JSON is invalid: it is a number"},
		{stages(`{"stage":1},null`), "its stage 0x0 is unknown"},
		{pipeline(`{"stage":33,"module":"02","name":"main"}`), "its stage 0x21 is unknown"},
		{pipeline(`{"stage":16384,"module":"02","name":"main"}`), "its stage 0x4000 is unknown"},
		{pipeline(`{"stage":0,"module":"02","name":"main"}`), "its stage 0x0 is unknown"},
		{pipeline(`{"stage":32,"module":"xyz","name":"main"}`), `the hash "xyz" of its shader module is not hexadecimal`},
		{spec(`{"dataSize":4,"data":"AQIDBA==","mapEntries":[{"constantID":7,"offset":2,"size":2}]}`), ""},
		{spec(`{"dataSize":5,"data":"AQIDBA=="}`), "the data of its specialization has 4 bytes, not 5 as in its JSON"},
		{spec(`{"dataSize":4,"data":"AQID?A=="}`), "the data of its specialization is invalid: illegal base64 data at input byte 4"},
		{spec(`{"dataSize":4,"data":"AQIDBA==","mapEntries":[{"constantID":7,"offset":2,"size":4}]}`),
			"the specialization constant 7 at byte 2 is beyond the 4 bytes of data"},
		{spec(`{"dataSize":4,"data":"AQIDBA==","mapEntries":[{"constantID":7,"offset":4294967295,"size":1}]}`),
			"the specialization constant 7 at byte 4294967295 is beyond the 4 bytes of data"},
		{spec(`{"dataSize":4,"data":"AQIDBA==","mapEntries":[{"constantID":7,"offset":0,"size":3}]}`),
			"the specialization constant 7 has a size of 3 bytes"},
		{spec(`{"dataSize":4,"data":"AQIDBA==","mapEntries":[{"constantID":7,"offset":0,"size":18446744073709551615}]}`),
			"the specialization constant 7 has a size of 18446744073709551615 bytes"},
	} {
		a := open(t, c.file)
		var err error
		if len(a.Entries(foz.ShaderModule)) > 0 {
			_, err = a.Module(1)
		} else {
			_, err = a.Find(1)
		}
		want := c.want
		if want != "" {
			want = "entry 1 at byte 16: " + want
		}
		if got := fmt.Sprint(err); (err != nil || want != "") && (want == "" || !strings.HasPrefix(got, want)) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestLimits: JSON and lists of stages of the largest size are decoded, and larger ones are refused.
func TestLimits(t *testing.T) {
	module := func(n int) []byte {
		text := `{"version":6,"shaderModules":{"0000000000000001":{"codeSize":0,"code":""}}}`
		return entry(fozfile.Module, text+strings.Repeat(" ", n-len(text)))
	}
	many := func(n int) []byte { return stages(strings.Repeat(`{"stage":1},`, n-1) + `{"stage":1}`) }
	for _, c := range []struct {
		file []byte
		want string
	}{
		{module(1 << 20), "<nil>"},
		{module(1<<20 + 1), "entry 1 at byte 16: its JSON has 1048577 bytes; the limit is 1048576"},
		{many(1024), "<nil>"},
		{many(1025), "entry 1 at byte 16: the pipeline has 1025 stages; the limit is 1024"},
	} {
		a := open(t, c.file)
		_, err := a.Module(1)
		if len(a.Entries(foz.GraphicsPipeline)) > 0 {
			_, err = a.Find(1)
		}
		if fmt.Sprint(err) != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
