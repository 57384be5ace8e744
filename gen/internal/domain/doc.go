// SPDX-License-Identifier: MIT

// Package domain defines a part of the generator: a function that takes a [Context], reads its own folder of the tables
// and adds files to the output. Parts run in the order of the list in gen/main.go. No part reads another's files; a
// part that needs another's rows gets them from that part's package.
//
// [Context.Use] records that a row is used, so that unused options and predicates are rejected.
package domain
