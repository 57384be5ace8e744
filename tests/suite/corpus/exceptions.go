package corpus

import (
	_ "embed" // lavapipe.txt
	"strings"
)

//go:embed lavapipe.txt
var lavapipeText string

// Exceptions are the modules about which lavapipe and the interpreter do not
// agree, and why: a line of lavapipe.txt has a module, a bar and the reason.
var Exceptions = func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(lavapipeText) {
		if id, why, ok := strings.Cut(strings.TrimSpace(line), " | "); ok && !strings.HasPrefix(line, "#") {
			out[id] = why
		}
	}
	return out
}()
