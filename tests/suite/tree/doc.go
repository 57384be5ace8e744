// SPDX-License-Identifier: MIT

// Package tree tests the project as a whole: that generated/ is fresh, that users' tables are accepted and faulty ones
// rejected with their position, that nothing in the tables is unused, that the manual is complete, that every package
// documents its purpose, and that README's commands and the walks of defs/docs work as described, step by step, in
// copies of the tree.
package tree
