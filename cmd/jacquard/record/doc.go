// Package record defines the JSON objects that the command writes about compiled programs: [Program] is that of
// compile --emit json, and [Line], which contains it, a line of stats. Fields are only ever added; [Version] says by
// which rules an object is to be read.
package record
