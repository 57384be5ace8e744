// SPDX-License-Identifier: MIT

package link

// pack assigns new places to the components that stay, and new locations to the variables whose components stay together.
func (l *linker) pack() {
	next := int32(0) // next component
	for m := range manner(manners) {
		for c := range l.varyings {
			v := &l.varyings[c]
			if v.manner != m || v.read == 0 || v.fate != moved || v.duplicate >= 0 || l.locations[c/components].fixed {
				continue
			}
			v.to = next
			next++
		}
		next = (next + components - 1) / components * components
	}
	free := next / components
	for at := 0; at < len(l.locations); {
		_, end := l.block(at)
		if l.needed(at) {
			for ; at < end; at++ {
				l.locations[at].to = free
				free++
			}
		}
		at = end
	}
	l.stats.After = int(free)
}
