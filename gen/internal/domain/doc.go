// Package domain says what a part of the generator is: a function that gets a [Context],
// reads its own folder of the tables and adds files to the output. Parts run in the
// order of gen/main.go's list; none reads another's files, and what one has to know of
// another's rows it asks of that part's package.
//
// [Context.Use] notes that a row has a use, so that options and predicates that nothing
// refers to are refused.
package domain
