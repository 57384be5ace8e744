// Package emit emits the functions of a module by the plan that package plan made. [Function] emits the actions
// of a function in order, and for each block its instructions: arithmetic by the rows of generated/spirvtab, calls,
// subgroup operations and switches. It does not decide control flow, and leaves images to package image.
package emit
