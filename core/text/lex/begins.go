// SPDX-License-Identifier: MIT

package lex

import "bytes"

// Begins reports whether a text begins, after blanks and comments, with a word and a blank.
func Begins(src []byte, word string) bool {
	for {
		src = bytes.TrimLeft(src, " \t\r\n")
		if !bytes.HasPrefix(src, []byte("//")) {
			break
		}
		end := bytes.IndexByte(src, '\n')
		if end < 0 {
			return false
		}
		src = src[end:]
	}
	rest, ok := bytes.CutPrefix(src, []byte(word))
	return ok && len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t')
}
