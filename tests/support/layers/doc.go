// SPDX-License-Identifier: MIT

// Package layers lists shapes of images that scripts do not have, with layers, faces or samples, and the texture
// operations of GLSL on each of them ([Shapes]). [Shape.Contents] makes an image of random texels. Tests compile the
// operations in shaders of several stages and replace an image of a script by one of these.
package layers
