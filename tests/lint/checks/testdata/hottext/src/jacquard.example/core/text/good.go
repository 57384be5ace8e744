package text

import "fmt"

// Print is no hot path.
func Print(n int) { fmt.Println(n) }
