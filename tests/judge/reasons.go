// SPDX-License-Identifier: MIT

package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"strings"

	"jacquard.example/backend/intel/eu"
)

// limit is the maximum ratio of our cycles to the peer's that needs no reason.
const limit = 1.2

//go:embed reasons.txt
var reasonText []byte

// readReasons reads lines with the name of a shader, a colon, and the reason why our code is slower than the peer's.
// Lines that start with # are comments.
func readReasons(text []byte) (map[string]string, error) {
	out := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		name, why, ok := strings.Cut(line, ": ")
		if !ok || why == "" {
			return nil, fmt.Errorf("reasons.txt:%d: want a shader, a colon and a reason", n)
		}
		if out[name] != "" {
			return nil, fmt.Errorf("reasons.txt:%d: another reason for %s", n, name)
		}
		out[name] = why
	}
	return out, lines.Err()
}

// slower writes the shaders that take more than limit times the peer's cycles, alone or resident, with the reasons, and
// then the reasons that no judged shader needs.
func slower(w io.Writer, list []verdict, reasons map[string]string) {
	fmt.Fprintf(w, "\n## over %.1f\n\n", limit)
	over, unknown := 0, 0
	var spare []string
	for i := range list {
		v := &list[i]
		if v.why != "" {
			continue
		}
		alone, resident := ratio(v, func(a *eu.Account) *eu.Time { return &a.Alone }), ratio(v,
			func(a *eu.Account) *eu.Time { return &a.Resident })
		why := reasons[v.name]
		if max(alone, resident) <= limit {
			if why != "" {
				spare = append(spare, v.name)
			}
			continue
		}
		over++
		if why == "" {
			why = "no reason is known"
			unknown++
		}
		fmt.Fprintf(w, "- %s (cycles %.2f, resident %.2f): %s\n", v.title(), alone, resident, why)
	}
	fmt.Fprintf(w, "\n%d shaders take more than %.1f times Mesa's cycles alone or resident, %d of them for no known reason.\n", over, limit,
		unknown)
	if len(spare) > 0 {
		fmt.Fprintf(w, "Unneeded reasons: %s.\n", strings.Join(spare, ", "))
	}
}

// ratio returns our cycles divided by the peer's under the target's own latencies, or 0 if either is 0.
func ratio(v *verdict, of func(*eu.Account) *eu.Time) float64 {
	a, b := of(&v.ours[0]).Cycles(), of(&v.theirs[0]).Cycles()
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}
