// SPDX-License-Identifier: MIT

package isatab

import (
	"fmt"
	"slices"
	"strings"

	"jacquard.example/gen/internal/diag"
)

// Waiters are the kinds of instructions whose waits differ, in the order of their bits in Wait.On. The name all
// stands for each of them.
var Waiters = []string{"in_order", "math", "send"}

// waitPipes are the letters of pipes before a distance, in the order of fields.Pipe.
var waitPipes = []string{"", "A", "F", "I", "L", "M"}

// tokenUses are the uses of a token, in the order of fields.TokenUse.
var tokenUses = []string{"-", "$t.dst", "$t.src", "$t"}

// Wait is a combination of waits that the scoreboard field of a word has codes for.
type Wait struct {
	On             int  // the instructions that have it, bit n for Waiters[n]
	Dist           bool // has a distance
	Pipe, Use      int  // numbers of fields.Pipe and fields.TokenUse
	Mask, Code     int  // the constant bits
	DistAt         int  // the lowest bit of the distance
	TokenAt, Token int  // the lowest bit of the token, and its width
}

// Waits returns the combinations of waits of a layout.
func (l *Layout) Waits() (out []Wait) {
	for _, on := range SortedKeys(l.V.Scoreboard) {
		for _, text := range SortedKeys(l.V.Scoreboard[on]) {
			w, _ := parseWait(text, l.V.Scoreboard[on][text], l.Width("swsb"))
			if w.On = 1<<len(Waiters) - 1; on != "all" {
				w.On = 1 << slices.Index(Waiters, on)
			}
			out = append(out, w)
		}
	}
	return out
}

// parseWait parses a combination of waits and its code. The message describes an error.
func parseWait(text, code string, width int) (w Wait, msg string) {
	dist, token, two := strings.Cut(text, ",")
	if !two && strings.HasPrefix(text, "$") {
		dist, token = "", text
	}
	if dist != "" {
		pipe, ok := strings.CutSuffix(dist, "@d")
		if w.Pipe = slices.Index(waitPipes, pipe); !ok || w.Pipe < 0 {
			return w, fmt.Sprintf("%q is not a distance such as A@d", dist)
		}
		w.Dist = true
	}
	if token != "" {
		if w.Use = slices.Index(tokenUses, token); w.Use < 1 {
			return w, fmt.Sprintf("%q is not a token: $t.dst, $t.src or $t", token)
		}
	}
	if len(code) != width {
		return w, fmt.Sprintf("the code %q does not have the %d bits of swsb", code, width)
	}
	for i, c := range code {
		bit := width - 1 - i
		switch c {
		case '0', '1':
			w.Mask |= 1 << bit
			w.Code |= int(c-'0') << bit
		case 'd':
			w.DistAt = bit
		case 't':
			w.TokenAt = bit
			w.Token++
		default:
			return w, fmt.Sprintf("the code %q has digits other than 0, 1, d and t", code)
		}
	}
	d := 0
	if w.Dist {
		d = 3
	}
	if strings.Count(code, "d") != d || d != 0 && !strings.Contains(code, "ddd") {
		return w, fmt.Sprintf("the code %q of %s has not %d adjacent digits d", code, text, d)
	}
	if (w.Token != 0) != (w.Use != 0) || !strings.Contains(code, strings.Repeat("t", w.Token)) {
		return w, fmt.Sprintf("the code %q of %s does not have the digits of a token", code, text)
	}
	return w, ""
}

// checkScoreboard rejects waits that a decoder could not tell apart.
func (l *Layout) checkScoreboard(errs *diag.List) {
	full := l.Row.Full
	has := slices.Contains(l.V.With["head"], "swsb")
	if has != (len(l.V.Scoreboard) > 0) {
		errs.Addf(l.Row.At("scoreboard"), full, "the field swsb needs a scoreboard, and the scoreboard the field")
		return
	}
	for _, on := range SortedKeys(l.V.Scoreboard) {
		if on != "all" && !slices.Contains(Waiters, on) {
			errs.Unknown(l.at("scoreboard", on), full, "kind of instruction", on, slices.Values(append([]string{"all"}, Waiters...)))
			return
		}
		for _, text := range SortedKeys(l.V.Scoreboard[on]) {
			if _, msg := parseWait(text, l.V.Scoreboard[on][text], l.Width("swsb")); msg != "" {
				errs.Addf(l.at("scoreboard", on), full, "%s", msg)
				return
			}
		}
	}
	for _, on := range append([]string{"all"}, Waiters...) {
		if has && len(l.V.Scoreboard[on]) == 0 {
			errs.Addf(l.Row.At("scoreboard"), full, "the scoreboard has no waits of %s", on)
		}
	}
	waits := l.Waits()
	for i, a := range waits {
		for _, b := range waits[:i] {
			if a.On&b.On != 0 && a.Code&b.Mask == b.Code&a.Mask {
				errs.Addf(l.Row.At("scoreboard"), full, "two waits of the same instructions have the same codes")
				return
			}
		}
	}
}
