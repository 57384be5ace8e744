// SPDX-License-Identifier: MIT

package mir

import (
	"testing"
	"unsafe"
)

// TestSize checks that Inst has 128 bytes.
func TestSize(t *testing.T) {
	if n := unsafe.Sizeof(Inst{}); n != 128 {
		t.Errorf("an instruction takes %d bytes", n)
	}
}
