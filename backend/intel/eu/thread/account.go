// SPDX-License-Identifier: MIT

package thread

import (
	"jacquard.example/generated/latency"
)

// Wait is a class of a thread's cycles: issuing instructions, or a reason to wait.
type Wait uint8

// The classes of cycles. Each cycle of a thread belongs to exactly one.
const (
	WaitIssue  Wait = iota // issuing instructions other than branches and barrier signals
	WaitSend               // for a message's response, for its payload to be read, or for its unit
	WaitVector             // for a result of several lanes or of the math unit, or for their units
	WaitScalar             // for a result of one lane
	WaitFlow               // branches
	WaitSync               // barriers: the signal, and the other threads
	NumWaits
)

var waitNames = [NumWaits]string{"issue", "send", "vector", "scalar", "flow", "sync"}

func (w Wait) String() string { return waitNames[w] }

// Account is the cost of dispatches, summed over all their threads.
type Account struct {
	Threads      uint64
	Instructions uint64                     // excluding nop and sync.nop
	Sends        [latency.NumClasses]uint64 // messages with a lane enabled, and all render-target writes
	Bytes        uint64                     // data moved by messages, both ways
	Lines        uint64                     // memory steps; see moved in package message

	// Alone is the time of each thread if it has an EU to itself.
	Alone Time
	// Resident is the time of an EU that runs as many threads as the device allows, in turns: see residents in package eu.
	Resident Time
	// Bound is a lower bound of Resident that ignores latency. It is the largest of Alone divided by the number
	// of resident threads, the cycles for which the busiest unit is occupied, and one cycle per instruction. If
	// a unit sets the bound, the difference from the first figure is counted as waiting for that unit.
	Bound Time

	// The dispatch in progress:
	Single Time
	Steps  uint64 // instructions issued, nop and sync.nop included
	Busy   [latency.NumUnits]uint64
}

// Time is a number of cycles for each class.
type Time [NumWaits]uint64

// Cycles returns the sum over all classes.
func (t *Time) Cycles() (sum uint64) {
	for _, n := range t {
		sum += n
	}
	return sum
}

// Add adds the cycles of another time.
func (t *Time) Add(u *Time) {
	for w, n := range u {
		t[w] += n
	}
}

// Add adds the cost of other dispatches.
func (a *Account) Add(b *Account) {
	a.Threads += b.Threads
	a.Instructions += b.Instructions
	a.Bytes += b.Bytes
	a.Lines += b.Lines
	for i, n := range b.Sends {
		a.Sends[i] += n
	}
	a.Alone.Add(&b.Alone)
	a.Resident.Add(&b.Resident)
	a.Bound.Add(&b.Bound)
}

// Messages returns the number of messages, excluding end-of-thread messages.
func (a *Account) Messages() (n uint64) {
	for class, k := range a.Sends {
		if latency.Class(class) != latency.End {
			n += k
		}
	}
	return n
}
