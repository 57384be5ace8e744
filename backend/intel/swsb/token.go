// SPDX-License-Identifier: MIT

package swsb

import (
	"jacquard.example/backend/intel/fields"
	"jacquard.example/backend/intel/mir"
	"jacquard.example/backend/intel/perf"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
)

// tokens remembers the assignment of tokens. An assigned token has the index of the step at which its instruction
// probably ends.
type tokens struct {
	count int                     // number of assignments
	done  [fields.NumTokens]int32 // by token
}

// Rough numbers of instructions that are executed while a math instruction, a sampler message or another message is
// under way.
const (
	mathTime    = 5
	samplerTime = 200
	messageTime = 32
)

// token assigns a token to the instruction of step k, at the first visit of its block. An instruction waits for the
// previous instruction with its token. token therefore returns the next token in turn whose instruction has ended, as
// far as waits or the estimate tell. If all are under way, it returns the token whose instruction is expected to end first.
func (x *Inserter) token(k int32, in *mir.Inst) uint8 {
	t, busy := &x.taken, x.s.any|x.s.late
	next := t.count % fields.NumTokens
	best := next
	for n := range fields.NumTokens {
		i := (next + n) % fields.NumTokens
		if busy>>i&1 == 0 || t.done[i] <= k {
			best = i
			break
		}
		if t.done[i] < t.done[best] {
			best = i
		}
	}
	t.count++
	switch {
	case in.Op == isa.OpMath:
		t.done[best] = k + mathTime
	case perf.ClassOfFunction(in.SFID) == latency.Sampler:
		t.done[best] = k + samplerTime
	default:
		t.done[best] = k + messageTime
	}
	return uint8(best)
}
