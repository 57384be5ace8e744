// SPDX-License-Identifier: MIT

// Package modules provides SPIR-V modules made from shaders that other people wrote: it fetches public packages from their
// registries, finds the shaders in them ([Unit]) and compiles them with stock tools ([Module]).
//
// Its input is packages, identified by address and digest; its output is modules, with the language and the settings
// that they were compiled with. Both are cached in the folder [Cache]. The package does not know this project's compiler.
package modules
