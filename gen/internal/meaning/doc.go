// Package meaning says what a machine instruction computes: from the rows of
// defs/intel/meaning, the types of its operands and its modifiers it makes an
// expression like those of rewrite rules, which can be run on vectors and
// written as a formula.
//
// [Load] reads the rows into a [Table]; an [Inst] is an instruction whose meaning is
// asked for. The model of the execution units reads none of this.
//
// Each step of an instruction that rounds or flushes is an operation of its
// own, as it is in the IR: conversion of the sources, source modifiers, the
// operation, saturation, conversion to the destination's type.
package meaning
