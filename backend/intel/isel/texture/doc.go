// Package texture selects messages about images: sampling, typed loads, stores and atomics, and queries. A texture
// operation or an intrinsic, and the row of its message, enter; logical messages leave.
package texture
