package mir

// Slot is an input or output of a vertex or fragment shader: four doublewords per lane, or a render target.
type Slot struct {
	Index  uint32 // the slot
	Mask   uint32 // components that the shader reads or writes
	Name   string // location, or the name of a builtin of the fixed functions
	Number uint32 // number of the location, or index in an array builtin
	Flat   bool   // input without interpolation
}

// SlotBytes is the size of a slot of a URB entry.
const SlotBytes = 16

// LocationName is the name of slots that have a location.
const LocationName = "location"
