package flow_test

import (
	"testing"

	"jacquard.example/core/pass/flow"
)

// TestNestContinues: what a continue skips moves into the arm that does not continue; one that
// skips what both arms need stays.
func TestNestContinues(t *testing.T) {
	rewrites(t, flow.NestContinues, []rewrite{
		{"a continue and a break", `loop {
b1:
%3 = phi.32 b0: %0, b3: %10, b6: %12
%4 = ult.1 %3, %1
if %4 {
b2:
jump_break
} else {
b4:
}
b5:
if %2 {
b3:
%10 = iadd.32 %3, %1
jump_continue
} else {
b7:
}
b6:
%12 = imul.32 %3, %1
}
b8:
%13 = iadd.32 %3, %0
}
`, `  loop {
    b1:
      %3 = phi.32 b0: %0, b6: %7
      %4 = ult.1 %3, %1
    if %4 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
    if %2 {
      b5:
        %5 = iadd.32 %3, %1
    } else {
      b7:
        %6 = imul.32 %3, %1
    }
    b6:
      %7 = phi.32 b5: %5, b7: %6
  }
  b8:
    %8 = iadd.32 %3, %0
}
`},
		{"a value that a continue keeps", `loop {
b1:
%3 = phi.32 b0: %0, b3: %3, b6: %3
%4 = phi.32 b0: %0, b3: %10, b6: %11
%5 = ult.1 %4, %3
if %5 {
b10:
jump_break
} else {
b11:
}
b9:
%6 = ult.1 %4, %1
if %6 {
b2:
if %2 {
b3:
%10 = iadd.32 %4, %1
jump_continue
} else {
b4:
}
b5:
%12 = imul.32 %4, %1
} else {
b7:
}
b6:
%11 = phi.32 b5: %12, b7: %4
}
b8:
%13 = iadd.32 %3, %0
}
`, `  loop {
    b1:
      %3 = phi.32 b0: %0, b10: %10
      %4 = phi.32 b0: %0, b10: %4
      %5 = ult.1 %3, %4
    if %5 {
      b2:
        jump_break
    } else {
      b3:
    }
    b4:
      %6 = ult.1 %3, %1
    if %6 {
      b5:
      if %2 {
        b6:
          %7 = iadd.32 %3, %1
      } else {
        b7:
          %8 = imul.32 %3, %1
      }
      b8:
        %9 = phi.32 b6: %7, b7: %8
    } else {
      b9:
    }
    b10:
      %10 = phi.32 b8: %9, b9: %3
  }
  b11:
    %11 = iadd.32 %4, %0
}
`},
		{"code that both arms need", `loop {
b1:
if %2 {
b2:
if %2 {
b3:
jump_continue
} else {
b4:
}
b5:
} else {
b6:
}
b7:
%11 = iadd.32 %0, %1
jump_break
}
b8:
}
`, ""},
	})
}

// TestNestContinuesKeepsMeaning: random loops compute the same without the continues that the
// pass removes, and most are removed.
func TestNestContinuesKeepsMeaning(t *testing.T) {
	left, all := keepMeaning(t, 150, true, "jump_continue", flow.NestContinues)
	t.Logf("%d of %d continues are left", left, all)
	if all < 100 || left > all/2 {
		t.Errorf("%d of %d continues are left", left, all)
	}
}
