// Package verify checks a shader while passes run over it, for --verify: a [Verifier] validates the shader after each
// pass and, on request, executes it on generated data and compares the results with those before the first pass. It
// knows which differences the freedoms of operations allow.
package verify
