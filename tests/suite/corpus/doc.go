// SPDX-License-Identifier: MIT

// Package corpus tests shaders written by other people: package modules fetches public packages and compiles their
// shaders with stock tools, and this package reports ([Count]) how far this compiler gets with every module: at every width of
// every target, where iga64 must reproduce the code and the model must produce the same results as the interpreter. A
// run on a sample uses two pairs of target and width for each module.
//
// The pictures of vertex and fragment shaders are compared with lavapipe's, before and after all passes, and one in ten
// on the model, with draws that package synth makes. Depths and colors must be as close as package picture requires of
// scripts and generated pairs. Variants of the shader (package vary) find the texels that Vulkan leaves undefined: they
// vary float results, undefined values, interpolation, and texel positions and offsets within the precision that Vulkan
// requires, filtering by 1/512 of the images' range, and levels of detail by 1/16 (3/16 on cubes). A texel on which a
// variant is not close is not compared. If the shader filters or interpolates at offsets, such a texel may instead be
// outside of the variants' range by half its width, if that is at most 1/16. Where derivatives choose levels, the levels
// of images differ, and a bias of the samplers makes them matter: a level that is off by a quarter is noticed.
//
// Nothing of the corpus is committed. Packages are identified by address and digest, so that a run today and a run next
// year see the same bytes; they and the compiled modules are cached in $JACQUARD_CORPUS, or jacquard-corpus in the
// user's cache directory. Failures are cached too, so that no tool runs twice on the same input.
package corpus
