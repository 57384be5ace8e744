// SPDX-License-Identifier: MIT

// Package emit emits the functions of a module by the plan that package plan makes. [Function] emits the actions of a
// function in order, and for each block its instructions: arithmetic by the programs of generated/spirvtab, calls,
// atomics and subgroup operations. It leaves loads, stores, pointers and composites to package value, and images to
// package image. It does not decide control flow.
package emit
