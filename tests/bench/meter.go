// SPDX-License-Identifier: MIT

package bench

import (
	"runtime"
	"testing"
	"time"
)

// meter adds up the cost of stretches of a benchmark. The benchmark's own timer cannot be used, since its counts of
// allocations cannot be read to report them in another unit.
type meter struct {
	ns, bytes, allocs uint64

	started time.Time
	before  runtime.MemStats
	after   runtime.MemStats
}

func (m *meter) start() {
	runtime.ReadMemStats(&m.before)
	m.started = time.Now()
}

func (m *meter) stop() {
	m.ns += uint64(time.Since(m.started))
	runtime.ReadMemStats(&m.after)
	m.bytes += m.after.TotalAlloc - m.before.TotalAlloc
	m.allocs += m.after.Mallocs - m.before.Mallocs
}

// report reports the figures of b.N runs, per run and per SPIR-V instruction.
func (m *meter) report(b *testing.B, insts int) {
	for _, f := range []struct {
		unit  string
		total uint64
	}{{"ns", m.ns}, {"B", m.bytes}, {"allocs", m.allocs}} {
		run := float64(f.total) / float64(b.N)
		b.ReportMetric(run, f.unit+"/op")
		b.ReportMetric(run/float64(insts), f.unit+"/spvinstr")
	}
}
