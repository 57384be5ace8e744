// SPDX-License-Identifier: MIT

package main

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu"
	"jacquard.example/generated/latency"
)

// TestClasses: shaders are classified by the messages per thread of the peer's code, and the last row is the mean of the
// busy classes with equal weight.
func TestClasses(t *testing.T) {
	account := func(messages, cycles uint64) eu.Account {
		a := eu.Account{Threads: 10, Instructions: 100}
		a.Sends[latency.Data] = messages
		a.Alone[0], a.Resident[0] = cycles, 2*cycles
		return a
	}
	one := func(messages, ours, theirs uint64, size int) verdict {
		v := verdict{size: size}
		v.ours, v.theirs = []eu.Account{account(messages, ours)}, []eu.Account{account(messages, theirs)}
		return v
	}
	left := one(500, 900, 100, 10)
	left.why = "it differs"
	var b strings.Builder
	byClass(&b, []verdict{
		one(9, 50, 100, 10), one(39, 70, 100, 10), // leave, or send little
		one(40, 80, 100, 10), one(100, 20, 100, 2), one(319, 20, 100, 10), // 4 to 32; the second repeats its code
		one(320, 200, 100, 10), left,
	})
	for _, want := range []string{
		"| under 1 message a thread | 1 | 1.00 | 1.00 | 0.50 | 0.50 | 0.50 |",
		"| 1 to 4 | 1 | 1.00 | 1.00 | 0.70 | 0.70 | 0.70 |",
		"| 4 to 32 | 3 | 1.00 | 1.00 | 0.32 | 0.32 | 0.40 |",
		"| 32 and more | 1 | 1.00 | 1.00 | 2.00 | 2.00 | 2.00 |",
		"| loops dominate | 1 | 1.00 | 1.00 | 0.20 | 0.20 | 0.20 |",
		"| **4 and more, each class with equal weight** | - | 1.00 | 1.00 | 0.80 | 0.80 | 0.89 |",
	} {
		if !strings.Contains(b.String(), want+"\n") {
			t.Errorf("no row %s in\n%s", want, &b)
		}
	}
}

// TestNotJudged: reasons that differ in numbers and details alone are one.
func TestNotJudged(t *testing.T) {
	counts := unjudged{}
	for _, why := range []string{
		"no dispatch to compare: the interpreter: 5 bytes", "no dispatch to compare: the interpreter: 17 bytes", "reads 3 images", "reads 12 images",
	} {
		counts.add("x main", why)
	}
	var b strings.Builder
	notJudged(&b, counts)
	for _, want := range []string{"4 more cannot be judged", "- 2: the interpreter (x main: the interpreter: 5 bytes)\n", "- 2: reads n images (x main: reads 3 images)\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
}
