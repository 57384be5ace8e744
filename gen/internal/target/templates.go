package target

const head = `// Package target has a record for each machine that can be compiled for. It is
// what passes, selection, allocation, encoding and the model of the execution
// units are given, and all that they know of the machine besides its encodings.
package target

import (
	"jacquard.example/generated/abi"
	"jacquard.example/generated/isa"
	"jacquard.example/generated/latency"
	"jacquard.example/generated/message"
	"jacquard.example/generated/rules/option"
)

// Capability is something that machines have or lack.
type Capability uint32

// The capabilities.
const (
`

const record = `)

// Where says on which machines something holds: on those that have everything of Has
// and nothing of Lacks.
type Where struct{ Has, Lacks Capability }

// Target is a machine that can be compiled for.
type Target struct {
	Name, Doc string
	Platform  isa.Platform // how its instructions are encoded
	ABI       *abi.ABI     // how threads of compute shaders are started
	Messages  *message.Family // how what it asks of memory becomes sends
	Costs     *latency.Costs // what instructions cost, by class
	Widths    []int        // lanes that a thread can have
	Has       Capability   // all that it has
	Registers *isa.RegFile // the general registers of a thread

	isa.Limits      // what every device of the platform allows
	Bindings    int // entries of a binding table
	PushBytes   int // bytes of push constants
	Invocations int // invocations of a workgroup

	Rewrite option.Set // the options of rewrite rules that hold for it
}

// The targets.
var (
`

const tail = `
// Can says whether the machine has everything that c names.
func (t *Target) Can(c Capability) bool { return t.Has&c == c }

// In says whether the machine is one of those that w means.
func (t *Target) In(w Where) bool { return t.Has&w.Has == w.Has && t.Has&w.Lacks == 0 }

// String is the target's name.
func (t *Target) String() string { return t.Name }

// ByName finds a target.
func ByName(name string) (t *Target, ok bool) {
	for _, t := range All {
		if t.Name == name {
			return t, true
		}
	}
	return nil, false
}

// Names are the names of all targets, the default one first.
func Names() []string {
	out := make([]string, len(All))
	for i, t := range All {
		out[i] = t.Name
	}
	return out
}
`
