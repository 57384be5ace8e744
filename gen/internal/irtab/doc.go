// Package irtab loads the tables that describe the IR itself: instruction kinds and
// their variants, enumerations, index kinds and intrinsics ([Load] returns [Tables]). It
// resolves every name, expands rows with a "for", gives fields their words, and refuses
// rows that do not fit together, two that would make the same Go name among them.
//
// It writes nothing; package irgen does, and the SPIR-V, selection and legality parts
// ask it what intrinsics there are.
package irtab
