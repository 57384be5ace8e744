// SPDX-License-Identifier: MIT

// Package frontends writes generated/frontend, which lists the languages that shaders are written in, the names of
// their files and the programs that translate them ([Generate]), and the manual's page about them. It checks that rows
// name each other, that arguments and patterns have only words that package backend/run/frontend replaces, and that
// every program is used and has a source to get it from. The rows are in defs/frontends.
package frontends
