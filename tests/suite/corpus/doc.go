// Package corpus brings shaders that other people wrote to the tests: it
// fetches public packages from their registries, compiles what is in them with
// stock tools, and says what becomes of every module in this compiler: at every
// width of every target, where iga64 has to reproduce the code and the model to
// leave what the interpreter leaves. A run of a few takes two pairs of target and
// width for each module.
//
// Nothing of it is committed. Packages are named by address and digest, so
// that a run today and a run next year see the same bytes; they and the
// compiled modules are kept in $JACQUARD_CORPUS, or jacquard-corpus in the
// user's cache folder. What does not compile is kept too, so that no tool is
// asked twice.
package corpus
