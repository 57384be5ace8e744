// SPDX-License-Identifier: MIT

// Package randprog generates random programs as trees, and writes them as C, which the host's compiler turns into an
// independent account of what they compute.
//
// From a seed and a profile it generates a program that is defined for all inputs: indices are in bounds, floats stay
// where arithmetic is exact, and no two invocations race. The package knows the GLSL of operations, but not of whole
// programs, nor any of the accounts.
package randprog
