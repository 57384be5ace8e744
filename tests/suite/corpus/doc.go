// Package corpus tests shaders written by other people: it fetches public
// packages from their registries, compiles their shaders with stock tools, and
// reports how far this compiler gets with every module: at every width of every
// target, where iga64 must reproduce the code and the model must produce the same
// results as the interpreter. A run on a sample uses two pairs of target and width
// for each module.
//
// What vertex and fragment shaders draw is compared with lavapipe, before and after all passes, and one in ten
// on the model, with draws that package madeup makes. Depths and colors must be close as package picture says, which is
// what scripts and generated pairs are held to. What Vulkan leaves open is found by variants of the shader (package vary)
// instead: other results of float operations, other undefined values, interpolation, places of texels and offsets
// by the bits that Vulkan asks for, filtering by 1/512 of the range of the images, levels of detail by the bits that it
// asks for, too, 1/16 (on cubes by 3/16). Where a variant is not close, a texel is not compared; but of shaders that filter or interpolate at
// offsets it may then be half as far beyond the variants as these are apart, if that is at most 1/16. Where derivatives choose levels,
// the levels of images differ, and a bias of the samplers makes them matter: a level that is off by a quarter is noticed.
//
// None of it is committed. Packages are identified by address and digest, so
// that a run today and a run next year see the same bytes; they and the
// compiled modules are cached in $JACQUARD_CORPUS, or jacquard-corpus in the
// user's cache directory. Failures are cached too, so that no tool runs
// twice on the same input.
package corpus
