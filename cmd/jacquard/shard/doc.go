// SPDX-License-Identifier: MIT

// Package shard divides a list of files among the tasks of an array job: a [Part] is the share of one task, which a
// flag or the variables of the scheduler give ([Variables]). It knows files by their hashes only, and compiles nothing.
package shard
