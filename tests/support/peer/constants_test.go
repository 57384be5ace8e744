// SPDX-License-Identifier: MIT

package peer

import (
	"bytes"
	"encoding/binary"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"jacquard.example/generated/target"
)

// uploaded returns code with two immediates to patch, and the memory after the driver has uploaded it: patched, with data
// after it.
func uploaded(low, high uint32) (code, memory, data []byte) {
	for i := range 7 * instruction {
		code = append(code, byte(i*i+3))
	}
	binary.LittleEndian.PutUint32(code[instruction+immediate:], unpatched)
	binary.LittleEndian.PutUint32(code[4*instruction+immediate:], unpatched)
	data = []byte("constant data of a program")
	memory = append(make([]byte, 100), code...) // as the driver's compiler has left it
	memory = append(memory, make([]byte, 100)...)
	start := len(memory)
	memory = append(memory, code...)
	memory = append(memory, make([]byte, constantsAlign-len(code)%constantsAlign)...)
	memory = append(append(memory, data...), 7, 7, 7)
	binary.LittleEndian.PutUint32(memory[start+instruction+immediate:], high) // the last, as the driver does it
	binary.LittleEndian.PutUint32(memory[start+4*instruction+immediate:], low)
	return code, memory, data
}

// TestConstants: the data is found after the patched program, not after one that is not patched yet.
func TestConstants(t *testing.T) {
	code, memory, data := uploaded(0x1240, 0x8)
	if got := findConstants(memory, code, len(data)); !bytes.Equal(got, data) {
		t.Errorf("found %q, want %q", got, data)
	}
	if got := findConstants(memory[:len(memory)-4], code, len(data)); got != nil {
		t.Errorf("found %q in memory that ends before it does", got)
	}
	other := bytes.Clone(code)
	other[5*instruction]++
	if got := findConstants(memory, other, len(data)); got != nil {
		t.Errorf("found %q of another program", got)
	}
	relocate(code)
	if len(patches(code)) != 0 || binary.LittleEndian.Uint32(code[4*instruction+immediate:]) != uint32(ConstantsAddress&0xFFFFFFFF) ||
		ConstantsAddress>>32 != ConstantsAddress&0xFFFFFFFF {
		t.Errorf("relocated: %x", code)
	}
}

// TestConstantBytes: the final IR has the size of the data, and what the driver patches.
func TestConstantBytes(t *testing.T) {
	const rows = "constants: 256\n %1 = @load_reloc_const_intel (param_idx=1, base=0)\n " +
		"%2 = @load_reloc_const_intel (param_idx=0, base=0)\n"
	for _, c := range []struct {
		ir   string
		want int
		err  string
	}{
		{rows, 256, ""}, {"constants: 256\n", 0, ""}, {strings.Replace(rows, "idx=1", "idx=2", 1), 0, "other than the address"},
		{strings.Replace(rows, "base=0", "base=8", 1), 0, "other than the address"}, {strings.Replace(rows, "constants", "uniforms", 1), 0, "no size"},
	} {
		got, err := constantBytes(c.ir)
		if got != c.want || err == nil != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %d, %v, want %d, %q", c.ir, got, err, c.want, c.err)
		}
	}
}

const upload = "PEER_TEST_UPLOAD"

// TestMain runs the tests, or a process whose memory TestConstantsOfProcess reads.
func TestMain(m *testing.M) {
	if os.Getenv(upload) == "" {
		os.Exit(m.Run())
	}
	_, memory, _ := uploaded(0x1240, 0x8)
	time.Sleep(time.Minute) // the test kills it
	runtime.KeepAlive(memory)
}

// TestConstantsOfProcess reads data from the memory of another process, and ends it.
func TestConstantsOfProcess(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &Compiler{Machine: target.TGL, command: []string{"env", upload + "=1", exe}}
	code, _, data := uploaded(0x1240, 0x8)
	if got, err := c.constants(t.Context(), nil, os.Environ(), code, len(data)); err != nil || !bytes.Equal(got, data) {
		t.Errorf("found %q, %v, want %q", got, err, data)
	}
}
