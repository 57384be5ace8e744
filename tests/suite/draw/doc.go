// SPDX-License-Identifier: MIT

// Package draw compares draws on the interpreter with lavapipe: each script of tests/amber/graphics, draw by draw, must
// cover the same pixels, with colors that differ by no more than rounding, and leave the same depths and storage
// buffers. The script continues with the driver's results, so that its expectations check the driver's pictures. A
// generator writes further scripts, each with a random pair of shaders: make pairs PAIRS="300 0" compares 300. With
// another compiler at hand (JACQUARD_PEER, as for the judge), its machine code for the same scripts, and for samples of
// the judge, must draw the same on the model of the execution units as the interpreter. The package contains only
// tests.
package draw
