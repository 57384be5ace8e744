// Package corpus tests shaders written by other people: it fetches public
// packages from their registries, compiles their shaders with stock tools, and
// reports how far this compiler gets with every module: at every width of every
// target, where iga64 must reproduce the code and the model must produce the same
// results as the interpreter. A run on a sample uses two pairs of target and width
// for each module.
//
// None of it is committed. Packages are identified by address and digest, so
// that a run today and a run next year see the same bytes; they and the
// compiled modules are cached in $JACQUARD_CORPUS, or jacquard-corpus in the
// user's cache directory. Failures are cached too, so that no tool runs
// twice on the same input.
package corpus
