// SPDX-License-Identifier: MIT

// Package value represents values while a module is read: [Value] returns the value of an id, a tree of vectors for an
// aggregate, or a copy in a variable if it is large. It emits what creates and accesses values: composites, matrices,
// pointers, loads and stores. It does not know control flow, arithmetic or accesses to images.
package value
