// SPDX-License-Identifier: MIT

// Package stats is the subcommand stats ([Command]): it compiles the shaders of many files, or one share of them in an
// array job, and writes a record of package record for each. It reads files and compiles them by packages cli and jacquard.
package stats
