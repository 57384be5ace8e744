// Package diag writes what goes wrong for tools to read: as JSON, an object on each line ([Diagnostic]), or as one SARIF
// 2.1.0 log (Static Analysis Results Interchange Format, an OASIS standard), which services that review code display beside
// the source. A [Log] takes errors apart into their positions and messages. It is also a writer: lines of plain text that
// are written to it become warnings and notes, so that its output is well-formed whatever else is reported.
package diag
