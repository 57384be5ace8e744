// Package tree tests the layout of the project: that generated/ is fresh, that tables of
// users are taken and faulty ones refused with their place, that nothing in the tables
// is unused, that the manual is whole, that every package says what it is for, and that
// README's commands and the walks of defs/docs do what they say, step by step, in copies
// of the tree.
package tree
