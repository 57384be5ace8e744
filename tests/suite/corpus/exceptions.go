// SPDX-License-Identifier: MIT

package corpus

import (
	_ "embed" // lavapipe.txt, pictures.txt
	"strings"
)

//go:embed lavapipe.txt
var lavapipeText string

//go:embed pictures.txt
var picturesText string

// Exceptions are the modules on which lavapipe and the interpreter do not agree, with the reasons: a line of lavapipe.txt
// has a module, a bar and the reason.
var Exceptions = exceptionsOf(lavapipeText)

// pictureExceptions are the exceptions for pictures of vertex and fragment shaders.
var pictureExceptions = exceptionsOf(picturesText)

func exceptionsOf(text string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(text) {
		if id, why, ok := strings.Cut(strings.TrimSpace(line), " | "); ok && !strings.HasPrefix(line, "#") {
			out[id] = why
		}
	}
	return out
}
