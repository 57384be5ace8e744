package text

var index = map[string]int{"a": 1}
