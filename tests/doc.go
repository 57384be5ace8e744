// Package tests holds the tests of the whole: the command line, the layout of
// the project, and shaders from source to result.
package tests
