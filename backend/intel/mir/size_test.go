package mir

import (
	"testing"
	"unsafe"
)

// TestSize checks that an instruction is as large as its padding says.
func TestSize(t *testing.T) {
	if n := unsafe.Sizeof(Inst{}); n != 128 {
		t.Errorf("an instruction takes %d bytes", n)
	}
}
