// SPDX-License-Identifier: MIT

package state

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A report has a line with the folders that it depends on, their hash when it was made, and a mark for readers: current
// or stale.
var line = regexp.MustCompile(`(?m)^(?:> )?Made on ([0-9a-f]{12}) of ([^;\n]+?)(; (?:current|\*\*stale\*\*[^\n]*))\.$`)

const (
	current = "; current"
	stale   = "; **stale**: they have changed since"
)

// Line returns the line for a report made from the current sources. A long measurement must call it at the start: the measuring program
// was built from the sources at that time.
func Line(root string, paths ...string) (string, error) {
	hash, err := Of(root, paths...)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Made on %s of %s%s.", hash, strings.Join(paths, ", "), current), nil
}

// Begin inserts the line at the start of a report, after the heading if there is one.
func Begin(line, report string) string {
	head := ""
	if title, rest, ok := strings.Cut(report, "\n\n"); ok && strings.HasPrefix(title, "# ") {
		head, report = title+"\n\n", rest
	}
	return head + line + "\n\n" + report
}

// Mark returns a report with its marks corrected. It is an error if the report has no line, or a line with other
// paths.
func Mark(root, report string, paths ...string) (string, error) {
	hash, err := Of(root, paths...)
	if err != nil {
		return "", err
	}
	return MarkAt(hash, report, paths...)
}

// MarkAt is like Mark, for paths with a known hash.
func MarkAt(hash, report string, paths ...string) (string, error) {
	found := line.FindAllStringSubmatchIndex(report, -1)
	if found == nil {
		return "", fmt.Errorf("the report has no line with the hash of its sources")
	}
	for _, m := range slices.Backward(found) {
		if on := report[m[4]:m[5]]; on != strings.Join(paths, ", ") {
			return "", fmt.Errorf("the report was made on %s, not on %s", on, strings.Join(paths, ", "))
		}
		mark := current
		if report[m[2]:m[3]] != hash {
			mark = stale
		}
		report = report[:m[6]] + mark + report[m[7]:]
	}
	return report, nil
}
