// SPDX-License-Identifier: MIT

package vary

// format is a format of IEEE 754.
type format struct {
	mantissa uint8  // bits
	bias     uint64 // bias of the exponent
	exact    uint8  // leading bits of the mantissa that no sequence of operations is expected to change
}

func formatOf(bits uint8) format {
	switch bits {
	case 16:
		return format{10, 15, 8}
	case 64:
		return format{52, 1023, 40}
	}
	return format{23, 127, 17}
}

func (f format) one() uint64 { return f.bias << f.mantissa }

// error returns a number of units in the last place: the factors one() ± error() change a result by more than different
// rounding does.
func (f format) error() uint64 { return 1 << (f.mantissa - f.exact) }

func (f format) infinity() uint64 { return (2*f.bias + 1) << f.mantissa }

// sign returns the bit of -0.
func (f format) sign() uint64 { return (2*f.bias + 2) << f.mantissa }

// smallest returns the encoding, in this format, of the smallest normal number of the format with the given number of bits.
func (f format) smallest(bits uint8) uint64 {
	return (f.bias - formatOf(bits).bias + 1) << f.mantissa
}
