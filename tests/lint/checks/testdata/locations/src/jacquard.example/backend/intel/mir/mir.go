package mir

type Slot struct{ Index, Number int }
