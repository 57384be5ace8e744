// SPDX-License-Identifier: MIT

// Package meaning defines the semantics of machine instructions: from the rows of defs/intel/meaning, the types of the
// operands and the modifiers it builds an expression as in rewrite rules, which can be evaluated on vectors and written
// as a formula.
//
// [Load] reads the rows into a [Table]; an [Inst] describes an instruction whose meaning is built. The model of the
// execution units uses none of this.
//
// Each step of an instruction that rounds or flushes is a separate operation, as in the IR: conversion of the sources,
// source modifiers, the operation, saturation, conversion to the destination's type.
package meaning
