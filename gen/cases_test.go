// SPDX-License-Identifier: MIT

package main

import (
	"os"
	"strings"
	"testing"
)

// messageCase is a case of a file of expected messages: "== title", then the input, and after a line "--" the message.
type messageCase struct{ title, input, want string }

// readCases reads a file of expected messages; head is the text before the first case.
func readCases(t *testing.T, file string) (head string, cases []messageCase) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parts := strings.Split(string(text), "\n== ")
	for _, p := range parts[1:] {
		title, rest, _ := strings.Cut(p, "\n")
		input, want, ok := strings.Cut(rest, "--\n")
		if !ok {
			t.Fatalf("%s: a case without --:\n%s", file, p)
		}
		cases = append(cases, messageCase{title, input, strings.TrimSpace(want)})
	}
	return parts[0], cases
}

// writeCases writes a file that readCases reads.
func writeCases(t *testing.T, file, head string, cases []messageCase) {
	t.Helper()
	for _, c := range cases {
		head += "\n== " + c.title + "\n" + c.input + "--\n" + c.want + "\n"
	}
	if err := os.WriteFile(file, []byte(head), 0o666); err != nil {
		t.Fatal(err)
	}
}
