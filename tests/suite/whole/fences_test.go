// SPDX-License-Identifier: MIT

package whole

import (
	"testing"

	"jacquard.example"
	"jacquard.example/backend/intel/fields"
	"jacquard.example/generated/isa"
	"jacquard.example/tests/shaders"
)

// TestFencesAreAwaited: in the code of every test shader, the thread's writes have
// completed before a fence is sent (sync.allwr), and the thread waits for the fence's
// response before a barrier, its end or the next memory access. The model has one
// memory that is always coherent: it can only check fences before barriers.
func TestFencesAreAwaited(t *testing.T) {
	fences := 0
	for _, src := range shaders.All() {
		if uncompiled[src.Name] != "" {
			continue
		}
		p, err := jacquard.Compile(t.Context(), shaderModule(t, src.Name), jacquard.Options{SIMD: 16, File: src.File})
		if err != nil {
			t.Fatal(err)
		}
		waiting, flushed := -1, false // the token of a fence to wait for; whether messages were flushed
		for code := p.Variants[0].Code; len(code) > 0; code = code[16:] {
			in, err := isa.Decode(isa.TGL, code)
			if err != nil {
				t.Fatal(err)
			}
			token, use := in.SWSB.Token()
			if use == fields.TokenDst && token == waiting {
				waiting = -1
			}
			switch {
			case in.Op == isa.OpSync && in.Sync == isa.SyncAllWr:
				flushed = true
			case in.Op == isa.OpSend || in.Op == isa.OpSendc:
				if waiting >= 0 {
					t.Errorf("%s: a message after a fence whose answer nothing waits for", src.Name)
				}
				waiting = -1
				m, ok := isa.DecodeMessage(isa.TGL, in.SFID, in.Desc, in.ExDesc)
				if !ok || m.Kind != isa.MsgFence {
					flushed = false
					continue
				}
				fences++
				if !flushed {
					t.Errorf("%s: a fence after messages that may not have written", src.Name)
				}
				if use != fields.TokenSet {
					t.Errorf("%s: a fence without token", src.Name)
				}
				waiting = token
			}
		}
	}
	if fences < 10 {
		t.Errorf("only %d fences", fences)
	}
}
