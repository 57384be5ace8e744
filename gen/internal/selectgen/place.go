package selectgen

import (
	"errors"
	"fmt"
	"strings"

	"jacquard.example/gen/internal/abi"
)

// place reads where in the thread payload an intrinsic is, as a selector.Place.
func (l *loader) place(x *row, texts []string) (string, error) {
	if i := l.intrinsics[x.find.Name]; i == nil || i.Row.Val.Dest == nil {
		return "", errors.New("only an intrinsic with a result is read in place")
	}
	first := texts[0]
	if slot, comp, ok := strings.Cut(first, "."); ok && len(texts) == 1 {
		if slot == "" || len(comp) != 1 || comp < "0" || comp > "3" {
			return "", fmt.Errorf("%q: a component of a slot is slot.N, with N from 0 to 3", first)
		}
		x.slot = slot
		return fmt.Sprintf("Kind: selector.InSlot, Slot: %q, Comp: %s", slot, comp), nil
	}
	if v, ok := abi.ValueName(first); ok && len(texts) == 1 {
		return fmt.Sprintf("Kind: selector.InValue, Value: abi.%s", v), nil
	}
	if len(texts) != 2 {
		return "", fmt.Errorf("%q is neither a value of an ABI nor a component of a slot (slot.N); of parts of the payload two are given", first)
	}
	var names [2]string
	for i, t := range texts {
		n, ok := abi.PartName(t)
		if !ok {
			return "", fmt.Errorf("%q is no part of a payload", t)
		}
		names[i] = n
	}
	return fmt.Sprintf("Kind: selector.InPart, Smooth: abi.%s, Linear: abi.%s", names[0], names[1]), nil
}
