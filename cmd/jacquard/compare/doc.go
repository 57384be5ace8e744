// SPDX-License-Identifier: MIT

// Package compare compares statistics: [Read] reads a file that stats wrote, [Files] compares two of them program by
// program, and [Shaders] two versions of a shader with their machine code. The results are written as text, as Markdown for
// a pull request, or as JSON, for which their types are the schema.
package compare
