// SPDX-License-Identifier: MIT

// Package irtab loads the tables that describe the IR itself: instruction kinds and
// their variants, enumerations, index kinds and intrinsics ([Load] returns [Tables]). It
// resolves every name, expands rows with a "for", assigns words to fields, and rejects
// contradictory rows, including two with the same Go name.
//
// It writes nothing; package irgen does, and the SPIR-V, selection and legality parts
// look up intrinsics in it.
package irtab
