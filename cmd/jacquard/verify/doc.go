// SPDX-License-Identifier: MIT

// Package verify checks a shader while passes run over it, for --verify: a [Verifier] validates the shader after each
// pass and, on request, executes it on generated data and compares the results with those before the first pass. It
// accepts the differences that undefined values, races and relaxed operations allow.
package verify
