// SPDX-License-Identifier: MIT

// Command release builds the files of a release from the commit that is checked out:
//
//	go run ./tools/release [-o FOLDER] [-only PLATFORM,…]
//
// It clones the repository into a temporary folder, so that neither uncommitted changes nor the folder's path enter the
// result, builds the command for every platform without cgo, and packs each binary with the manual pages and the
// completions that the command itself writes. It adds a list of components (sbom.cdx.json, in the CycloneDX format) and
// SHA256SUMS. make release writes to dist/.
//
// Two builds of a commit with the same version of Go have the same bytes: paths are trimmed, settings of the environment
// that change code are fixed, files in archives have the time of the commit and are sorted by name. The version is the
// one that the go command records in a binary (-buildvcs=true): the tag of the commit, or a pseudo-version with its
// date and hash.
//
// No module outside the standard library is compiled into the command, so that a release needs no network.
package main
