// SPDX-License-Identifier: MIT

// Package frontend translates shaders in other languages to SPIR-V. The translators are not part of Jacquard:
// generated/frontend lists these programs, with their arguments and the form of their messages. They are searched for
// in PATH. If no program for a language is installed, the error is a [MissingError] that explains where to get one.
//
// The input is a [Source] with its position in a file; the output of [Programs.Translate] is a module, whose debug
// information names that file and its lines, or an error with a position in it. If a program reports several errors,
// they are joined and followed by a [Summary]. A [Cache] keeps modules by source, so that a script that is run
// repeatedly starts programs only once.
//
// Each source takes a separate process: glslangValidator takes several files, but links them into one program with at
// most one shader of each stage, and the other programs take one file. Starting it takes most of the 60 ms that a small
// shader takes, so 'jacquard stats' translates files in parallel.
package frontend
