// SPDX-License-Identifier: MIT

// Package record defines the JSON objects that the command writes about compiled programs: [Program] is the output of
// compile --emit json, and [Line], which contains it, is a line of stats. As long as [Version] is the same, fields
// are only added.
package record
