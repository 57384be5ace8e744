package mir

// Slot is an input or an output of a vertex or fragment shader: four doublewords for each lane,
// or a render target.
type Slot struct {
	Index  uint32 // the slot
	Mask   uint32 // its components that the shader reads or writes
	Name   string // location, or what the fixed functions know it by
	Number uint32 // of a location, or of the slots of an array of a builtin
	Flat   bool   // an input that is not interpolated
}

// SlotBytes is the size of a slot of a URB entry.
const SlotBytes = 16

// LocationName is the name of a slot that has a location.
const LocationName = "location"
