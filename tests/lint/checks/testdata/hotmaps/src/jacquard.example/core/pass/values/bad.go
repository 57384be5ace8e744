package values

var names = map[int]string{1: "one"} // want `a map on a hot path`

type rows struct{ of map[int]int }

var table = rows{of: map[int]int{1: 2}} // want `a map on a hot path`

func distinct(list []int) int {
	seen := map[int]bool{} // want `a map on a hot path`
	for _, x := range list {
		seen[x] = true
	}
	count(make(map[int]int)) // want `a map on a hot path`
	return len(seen) + len(names) + len(table.of)
}

func count(map[int]int) {}
