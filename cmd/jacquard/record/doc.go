// Package record defines the JSON objects that the command writes about compiled programs: [Program] is the output of
// compile --emit json, and [Line], which contains it, is a line of stats. Fields are only ever added; [Version] is
// the version of these rules.
package record
