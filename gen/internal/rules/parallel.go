package rules

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// inParallel calls, on every processor, a function that worker returns for it,
// with all of 0 … n-1 between them.
func inParallel(n int, worker func() func(i int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			do := worker()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	all.Wait()
}
