// Package frontends writes generated/frontend, the languages that shaders are written in, the names of their files and
// the programs that translate them ([Generate]), and the manual's page about them. The rows are in defs/frontends.
package frontends
