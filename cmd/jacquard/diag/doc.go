// SPDX-License-Identifier: MIT

// Package diag writes diagnostics for tools: as JSON, an object on each line ([Diagnostic]), or as one SARIF 2.1.0
// log (Static Analysis Results Interchange Format, an OASIS standard), which services for code review display beside
// the source. A [Log] splits errors into positions and messages. It is also a writer: lines of plain text that are
// written to it become warnings and notes, so that its output is always well-formed.
package diag
