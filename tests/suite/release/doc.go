// SPDX-License-Identifier: MIT

// Package release tests the files that make release builds, and that the project can be fetched under another module
// path after make rename.
package release
