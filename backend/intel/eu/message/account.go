// SPDX-License-Identifier: MIT

package message

import (
	"jacquard.example/backend/intel/eu/clock"
	"jacquard.example/backend/intel/eu/thread"
)

// charge charges an issued message for the data it moves, before the message takes effect.
func charge(t *thread.Thread, o *thread.Op, m *thread.Message, mask uint32) {
	a, c := t.Opts.Account, &t.Clock
	class := clock.ClassOfSend(o)
	bytes, lines := moved(t, o, m, mask)
	a.Sends[class]++
	a.Bytes += bytes
	a.Lines += lines
	k := &t.Prog.Machine.Costs[class]
	busy := uint64(k.BusyLine) * lines
	c.Free[o.Cost.Unit] += busy
	a.Busy[o.Cost.Unit] += busy
	clock.Later(c, o, int(m.Rlen), uint64(k.ResultLine)*lines)
	t.Log.Touched(lines)
}
