// SPDX-License-Identifier: MIT

package draw

// MaxSamples is the largest number of samples per pixel.
const MaxSamples = 16

// locations are the standard sample locations relative to the center of a pixel, by the number of samples (Vulkan
// specification, "Multisampling").
var locations = [MaxSamples + 1][]point{
	1:  sixteenths(8, 8),
	2:  sixteenths(12, 12, 4, 4),
	4:  sixteenths(6, 2, 14, 6, 2, 10, 10, 14),
	8:  sixteenths(9, 5, 7, 11, 13, 9, 5, 3, 3, 13, 1, 7, 11, 15, 15, 1),
	16: sixteenths(9, 9, 7, 5, 5, 10, 12, 7, 3, 6, 10, 13, 13, 11, 11, 3, 6, 14, 8, 1, 4, 2, 2, 12, 0, 8, 15, 4, 14, 15, 1, 0),
}

// sixteenths converts coordinates relative to the corner of a pixel, in 1/16 of a pixel.
func sixteenths(at ...int64) (out []point) {
	for i := 0; i < len(at); i += 2 {
		out = append(out, point{(at[i] - 8) * pixelSize / 16, (at[i+1] - 8) * pixelSize / 16})
	}
	return out
}
