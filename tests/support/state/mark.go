package state

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A report has one line that says what it depends on: the hash of some folders when it was made. The mark
// of a stale report follows in the line, where readers see it.
var line = regexp.MustCompile(`(?m)^(?:> )?Made on ([0-9a-f]{12}) of ([^;\n]+?)(; (?:current|\*\*stale\*\*[^\n]*))\.$`)

const (
	current = "; current"
	stale   = "; **stale**: they have changed since"
)

// Line is the line of a report that is made now. A measurement that takes long takes it at the
// start: the program that measures was built of what the folders have then.
func Line(root string, paths ...string) (string, error) {
	hash, err := Of(root, paths...)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("Made on %s of %s%s.", hash, strings.Join(paths, ", "), current), nil
}

// Begin returns a report with its line, below the heading if it begins with one.
func Begin(line, report string) string {
	head := ""
	if title, rest, ok := strings.Cut(report, "\n\n"); ok && strings.HasPrefix(title, "# ") {
		head, report = title+"\n\n", rest
	}
	return head + line + "\n\n" + report
}

// Mark returns a report with the marks that its lines ought to have. It is an error if
// the report has no line, or one that depends on other paths than are listed.
func Mark(root, report string, paths ...string) (string, error) {
	hash, err := Of(root, paths...)
	if err != nil {
		return "", err
	}
	return MarkAt(hash, report, paths...)
}

// MarkAt is Mark for paths whose hash is known.
func MarkAt(hash, report string, paths ...string) (string, error) {
	found := line.FindAllStringSubmatchIndex(report, -1)
	if found == nil {
		return "", fmt.Errorf("no line says what the report was made on")
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
