package selector

import "jacquard.example/generated/abi"

// Place is where in the thread's payload an intrinsic is read in place.
type Place struct {
	Kind           PlaceKind
	Value          abi.Value // of component 0; the next ones follow
	Smooth, Linear abi.Part  // for the modes of interpolation
	Slot           string    // an input slot that has no location
	Comp           uint8     // of that slot
}

// PlaceKind is a kind of place.
type PlaceKind uint8

// The kinds.
const (
	NoPlace PlaceKind = iota
	InValue           // a doubleword of the header or of the push data
	InPart            // a part with doublewords for each lane
	InSlot            // a component of an input slot
)
