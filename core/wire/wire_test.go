// SPDX-License-Identifier: MIT

package wire_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"jacquard.example/core/ir"
	"jacquard.example/core/text"
	"jacquard.example/core/wire"
	"jacquard.example/tests/support/variants"
)

const headerSize = 9

// sample returns a shader that uses everything.
func sample(t testing.TB) *ir.Shader {
	src, err := os.ReadFile("../text/testdata/sample.jir")
	if err != nil {
		t.Fatal(err)
	}
	s, err := text.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// fixed corrects the checksum of a file.
func fixed(file []byte) []byte {
	if len(file) >= headerSize {
		binary.LittleEndian.PutUint32(file[5:], crc32.Checksum(file[headerSize:], crc32.MakeTable(crc32.Castagnoli)))
	}
	return file
}

// TestD12SerializeIsIdentity: a shader that was written and read prints and encodes as before.
func TestD12SerializeIsIdentity(t *testing.T) {
	s := sample(t)
	s.Info.ConstData = []byte{1, 2, 3}
	file := wire.Marshal(s)
	back, err := wire.Unmarshal(file)
	if err != nil {
		t.Fatal(err)
	}
	if want, got := text.Print(s), text.Print(back); !bytes.Equal(want, got) {
		t.Errorf("the text changed:\n%s\n--- then ---\n%s", want, got)
	}
	if again := wire.Marshal(back); !bytes.Equal(file, again) {
		t.Error("writing what was read gives other bytes")
	}
	if !wire.Is(file) || wire.Is(text.Print(s)) {
		t.Error("Is does not tell the binary form from text")
	}
}

// TestKeptFiles: files that were written once can be read forever, whatever rows are added to the tables.
func TestKeptFiles(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jirb")
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("BLESS") != "" && len(files) == 0 {
		files = []string{"testdata/sample.jirb"}
		if err := os.WriteFile(files[0], wire.Marshal(sample(t)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if len(files) == 0 {
		t.Fatal("no files")
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		s, err := wire.Unmarshal(data)
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		golden := strings.TrimSuffix(f, ".jirb") + ".jir"
		got := text.Print(s)
		if os.Getenv("BLESS") != "" {
			if err := os.WriteFile(golden, got, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(want, got) {
			t.Errorf("%s reads as\n%s", f, got)
		}
	}
}

// TestUnknownNames: a name that the tables do not have is an error that quotes it.
func TestUnknownNames(t *testing.T) {
	file := wire.Marshal(sample(t))
	for _, c := range []struct{ old, with, want string }{
		{"fmul", "fmux", `unknown opcode "fmux"`},
		{"load_param", "load_pyram", `unknown intrinsic "load_pyram"`},
		{"phi", "phy", `unknown kind of instruction "phy"`},
		{"ptr_as_array", "ptr_as_arroy", `unknown deref_kind "ptr_as_arroy"`},
		{"rgba8", "rgba9", `unknown value "rgba9" of format`},
		{"write_mask", "write_mosk", `intrinsic store_deref has no field "write_mosk"`},
		{"mask:access", "mosk:access", `the field "access" is of type mask:access, but of type mosk:access in the file`},
		{"member", "mumber", `unknown record "mumber"`},
	} {
		at := bytes.Index(file, append([]byte{byte(len(c.old))}, c.old...))
		if len(c.old) != len(c.with) || at < 0 {
			t.Errorf("%q is not in the file, or not as long as %q", c.old, c.with)
			continue
		}
		bad := bytes.Clone(file)
		copy(bad[at+1:], c.with)
		_, err := wire.Unmarshal(fixed(bad))
		var e *wire.Error
		if !errors.As(err, &e) || !strings.Contains(e.Msg, c.want) || e.Offset < headerSize || e.Offset >= len(file) {
			t.Errorf("%s for %s: %v", c.with, c.old, err)
		}
	}
}

func TestHeaderErrors(t *testing.T) {
	file := wire.Marshal(sample(t))
	change := func(at int, b byte) []byte {
		out := bytes.Clone(file)
		out[at] = b
		return out
	}
	for _, c := range []struct {
		file []byte
		want string
	}{
		{nil, "byte 0: not a shader in binary form"},
		{change(0, 'J'), "byte 0: not a shader in binary form"},
		{file[:6], "byte 6: the file ends within its header"},
		{change(4, 99), "byte 4: the file has version 99, but this program reads version 1"},
		{change(len(file)-1, file[len(file)-1]^1), "byte 5: the file is damaged: its checksum is"},
		{fixed(append(bytes.Clone(file), 0)), "1 bytes follow the end of the shader"},
		{fixed(bytes.Clone(file[:len(file)-1])), "the file ends where"},
	} {
		if _, err := wire.Unmarshal(c.file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %s", err, c.want)
		}
	}
}

// TestDamagedFiles flips every bit and cuts the file everywhere. The checksum detects all of it. With a corrected checksum,
// reading returns an error or a shader, which check examines.
func TestDamagedFiles(t *testing.T) {
	file := wire.Marshal(sample(t))
	message := regexp.MustCompile(`^byte \d+: .+`)
	for i := range len(file) * 8 {
		bad := bytes.Clone(file)
		bad[i/8] ^= 1 << (i % 8)
		if _, err := wire.Unmarshal(bad); err == nil {
			t.Fatalf("a flip of bit %d of byte %d is not detected", i%8, i/8)
		}
		if err := check(t, fixed(bad)); err != nil && !message.MatchString(err.Error()) {
			t.Fatalf("bit %d of byte %d: %v", i%8, i/8, err)
		}
	}
	for n := range len(file) {
		if check(t, bytes.Clone(file[:n])) == nil || check(t, fixed(bytes.Clone(file[:n]))) == nil {
			t.Fatalf("a cut after %d bytes is not detected", n)
		}
	}
}

// TestMutations damages the kept files in several places at once, corrects the checksum, and checks the shaders that
// can still be read.
func TestMutations(t *testing.T) {
	files, err := filepath.Glob("testdata/*.jirb")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files (%v)", err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	readable := 0
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		any := func() int { return headerSize + rng.IntN(len(file)-headerSize) }
		for range 4000 {
			bad := bytes.Clone(file)
			for range 1 + rng.IntN(4) {
				switch rng.IntN(3) {
				case 0:
					bad[any()] ^= 1 << rng.IntN(8)
				case 1:
					bad[any()] = byte(rng.Uint32())
				case 2:
					from := any()
					copy(bad[any():], bad[from:min(from+rng.IntN(8), len(bad))])
				}
			}
			if check(t, fixed(bad)) == nil {
				readable++
			}
		}
	}
	if readable == 0 {
		t.Error("no damaged file could be read: the checks after the checksum were not reached")
	}
}

// TestMemoryIsBounded writes an enormous number everywhere.
func TestMemoryIsBounded(t *testing.T) {
	file := wire.Marshal(sample(t))
	huge := binary.AppendUvarint(nil, 1<<32-1)
	var before, after runtime.MemStats
	for at := headerSize; at < len(file); at++ {
		bad := fixed(append(append(bytes.Clone(file[:at]), huge...), file[at+1:]...))
		runtime.ReadMemStats(&before)
		_, _ = wire.Unmarshal(bad)
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
			t.Fatalf("a file of %d bytes, damaged at %d, took %d bytes of memory", len(bad), at, took)
		}
	}
}

// check reads a file. If it yields a shader, the shader can be printed, and be written and read again without a change.
func check(t *testing.T, file []byte) error {
	t.Helper()
	s, err := wire.Unmarshal(file)
	if err != nil {
		return err
	}
	first := text.Print(s)
	back, err := wire.Unmarshal(wire.Marshal(s))
	if err != nil {
		t.Fatalf("a shader that was read cannot be read again: %v\n%s", err, first)
	}
	if second := text.Print(back); !bytes.Equal(first, second) {
		t.Fatalf("the text changed:\n%s\n--- then ---\n%s", first, second)
	}
	return nil
}

func FuzzUnmarshal(fuzz *testing.F) {
	f := variants.Of(fuzz)
	f.Add(wire.Marshal(sample(f)))
	kept, _ := filepath.Glob("testdata/*.jirb")
	for _, k := range kept {
		if data, err := os.ReadFile(k); err == nil {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		_ = check(t, file)
		_ = check(t, fixed(bytes.Clone(file)))
	})
}

func ExampleUnmarshal() {
	s := ir.New()
	s.Func(s.NewFunc("main")).Entry = true
	back, err := wire.Unmarshal(wire.Marshal(s))
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(text.Print(back))
	// Output:
	// shader compute ""
	// fn 1 "main"() entry {
	//   b0:
	// }
}
