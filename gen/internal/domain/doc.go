// Package domain defines what a part of the generator is: a function that takes a [Context],
// reads its own folder of the tables and adds files to the output. Parts run in the
// order of the list in gen/main.go; none reads another's files, and one that depends on
// another's rows gets them from that part's package.
//
// [Context.Use] records that a row is used, so that options and predicates that nothing
// refers to are rejected.
package domain
