// SPDX-License-Identifier: MIT

package main

import (
	"strings"
	"testing"

	"jacquard.example/backend/intel/eu"
)

// TestReasons: the file can be read, and an invalid line is an error that has its number.
func TestReasons(t *testing.T) {
	if got, err := readReasons(reasonText); err != nil || len(got) == 0 {
		t.Errorf("reasons.txt: %d reasons, %v", len(got), err)
	}
	for _, text := range []string{"# c\na main\n", "a main: x\na main: y\n", "\na main: \n"} {
		if _, err := readReasons([]byte(text)); err == nil || !strings.Contains(err.Error(), "reasons.txt:2: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestSlowerShadersAreListed: a shader is listed if it is slower alone or resident, and not if it is left out
// or at the limit.
func TestSlowerShadersAreListed(t *testing.T) {
	shader := func(name string, alone, resident uint64, why string) verdict {
		return verdict{name: name, why: why, result: result{
			ours:   []eu.Account{{Alone: eu.Time{eu.WaitSend: alone}, Resident: eu.Time{eu.WaitSend: resident}}},
			theirs: []eu.Account{{Alone: eu.Time{eu.WaitSend: 100}, Resident: eu.Time{eu.WaitSend: 100}}},
		}}
	}
	var b strings.Builder
	slower(&b, []verdict{
		shader("alone", 130, 90, ""), shader("resident", 90, 130, ""), shader("limit", 120, 120, ""), shader("left out", 500, 500, "it faults"), shader("fast", 50, 50, ""),
	}, map[string]string{"alone": "memory", "fast": "nothing"})
	want := `
## over 1.2

- alone (cycles 1.30, resident 0.90): memory
- resident (cycles 0.90, resident 1.30): no reason is known

2 shaders take more than 1.2 times Mesa's cycles alone or resident, 1 of them for no known reason.
Unneeded reasons: fast.
`
	if got := b.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
