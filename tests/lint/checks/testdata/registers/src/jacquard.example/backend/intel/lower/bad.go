package lower

type reg struct{ Align, Lane, Lanes int }

const grfBytes = 32 // want `has a number of the register file`

var taken [128]bool // want `has a number of the register file`

func bad(x, n int, r reg) int {
	x = x / 32                                              // want `has a number of the register file`
	x = 32 * x                                              // want `has a number of the register file`
	x = x % 32                                              // want `has a number of the register file`
	x = (x + 31) / n                                        // want `has a number of the register file`
	x = x &^ 31                                             // want `has a number of the register file`
	r = reg{Align: 32}                                      // want `has a number of the register file`
	x += 128                                                // want `has a number of the register file`
	if x > 127 || x < 112 || r.Lane == 32 || r.Align < 32 { // want `number` `number` `number` `number`
		return 128 // want `has a number of the register file`
	}
	return x
}
