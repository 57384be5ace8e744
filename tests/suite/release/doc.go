// SPDX-License-Identifier: MIT

// Package release tests the files that make release builds: two copies of the project give the same bytes, and the command
// runs where Go is not installed. It also tests that the project can be fetched under another module path after make
// rename, by a program in another module, from a proxy that is a folder of files.
package release
