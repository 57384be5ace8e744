// SPDX-License-Identifier: MIT

package precision

import "math"

// function is a row of the table: a computation and its allowed results.
type function struct {
	name string
	args int
	// body is GLSL that sets r, and s if there is a second result, from x, y and z
	// of type T.
	body    string
	results int
	// allowed gives the spans of the results. The arguments are numbers or
	// infinities.
	allowed func(f *format, x, y, z float64) []span
	// whole: steps of the reference have no bounds on the exponent at 16 bits, or
	// at both sizes.
	whole      int
	infinities bool // infinite arguments have a result
}

const (
	stepwise  = iota
	whole16   // at 16 bits
	wholeBoth // at 16 and 32
)

func one(s span) []span { return []span{s} }

// exact returns the allowed results of a function whose result the format represents exactly.
func exact(of func(x float64) float64) func(*format, float64, float64, float64) []span {
	return func(_ *format, x, _, _ float64) []span { return one(exactly(of(x))) }
}

func sinh(f *format, x span) span {
	return f.mul(f.sub(f.exp(x), f.exp(f.neg(x))), exactly(0.5))
}

func cosh(f *format, x span) span {
	return f.mul(f.add(f.exp(x), f.exp(f.neg(x))), exactly(0.5))
}

func length(f *format, x span) span { return f.sqrt(square(f, x)) }

// square returns a product whose factors are known to be equal.
func square(f *format, x span) span {
	if x.any {
		return x
	}
	s := f.rounded(x.lo*x.lo, x.hi*x.hi)
	if x.lo < 0 && x.hi > 0 {
		s.lo = 0
	}
	return s
}

var functions = []function{
	{name: "round", args: 1, body: "r = round(x);", infinities: true, allowed: func(_ *format, x, _, _ float64) []span {
		return one(span{lo: math.Ceil(x - 0.5), hi: math.Floor(x + 0.5)})
	}},
	{name: "roundEven", args: 1, body: "r = roundEven(x);", infinities: true, allowed: exact(math.RoundToEven)},
	{name: "trunc", args: 1, body: "r = trunc(x);", infinities: true, allowed: exact(math.Trunc)},
	{name: "floor", args: 1, body: "r = floor(x);", infinities: true, allowed: exact(math.Floor)},
	{name: "ceil", args: 1, body: "r = ceil(x);", infinities: true, allowed: exact(math.Ceil)},
	{name: "abs", args: 1, body: "r = abs(x);", infinities: true, allowed: exact(math.Abs)},
	{name: "sign", args: 1, body: "r = sign(x);", infinities: true, allowed: exact(func(x float64) float64 {
		switch {
		case x > 0:
			return 1
		case x < 0:
			return -1
		}
		return x
	})},
	{name: "fract", args: 1, body: "r = fract(x);", allowed: func(f *format, x, _, _ float64) []span {
		return one(f.rounded(x - math.Floor(x)))
	}},
	{name: "modf", args: 1, results: 2, body: "r = modf(x, s);", allowed: func(_ *format, x, _, _ float64) []span {
		return []span{exactly(x - math.Trunc(x)), exactly(math.Trunc(x))}
	}},
	{name: "frexp", args: 1, results: 2, body: "int e; r = frexp(x, e); s = T(e);", allowed: func(_ *format, x, _, _ float64) []span {
		m, e := math.Frexp(x)
		return []span{exactly(m), exactly(float64(e))}
	}},
	{name: "ldexp", args: 2, body: "r = ldexp(x, int(y));", allowed: func(f *format, x, y, _ float64) []span {
		if math.Abs(y) > 1e9 { // int(y) is undefined
			return one(anything)
		}
		n := int(max(min(y, 1000), -1000))
		r := f.rounded(math.Ldexp(x, n))
		// Beyond one more than the largest exponent, and out of range, the result is
		// undefined; below the least one it may be flushed (GLSL.std.450, Ldexp).
		if n > f.most+1 || math.Abs(math.Ldexp(x, n)) > f.max() {
			return one(anything)
		}
		if n < f.least {
			r = join(r, exactly(0))
		}
		return one(r)
	}},
	{name: "radians", args: 1, body: "r = radians(x);", infinities: true, allowed: func(f *format, x, _, _ float64) []span {
		return one(f.mul(exactly(x), f.rounded(math.Pi/180)))
	}},
	{name: "degrees", args: 1, body: "r = degrees(x);", whole: wholeBoth, infinities: true, allowed: func(f *format, x, _, _ float64) []span {
		return one(f.mul(exactly(x), f.rounded(180/math.Pi)))
	}},
	{name: "sin", args: 1, body: "r = sin(x);", allowed: func(f *format, x, _, _ float64) []span { return one(f.wave(math.Sin, x)) }},
	{name: "cos", args: 1, body: "r = cos(x);", allowed: func(f *format, x, _, _ float64) []span { return one(f.wave(math.Cos, x)) }},
	{name: "tan", args: 1, body: "r = tan(x);", whole: wholeBoth, allowed: func(f *format, x, _, _ float64) []span {
		return one(f.div(f.wave(math.Sin, x), f.wave(math.Cos, x)))
	}},
	{name: "asin", args: 1, body: "r = asin(x);", whole: wholeBoth, allowed: func(f *format, x, _, _ float64) []span {
		if math.Abs(x) > 1 {
			return one(anything)
		}
		return one(f.atan2(exactly(x), f.sqrt(f.sub(exactly(1), square(f, exactly(x))))))
	}},
	{name: "acos", args: 1, body: "r = acos(x);", whole: wholeBoth, allowed: func(f *format, x, _, _ float64) []span {
		if math.Abs(x) > 1 {
			return one(anything)
		}
		return one(f.atan2(f.sqrt(f.sub(exactly(1), square(f, exactly(x)))), exactly(x)))
	}},
	{name: "atan", args: 1, body: "r = atan(x);", infinities: true, allowed: func(f *format, x, _, _ float64) []span {
		return one(f.step(f.atanULP, 0, math.Atan(x)))
	}},
	{name: "atan2", args: 2, body: "r = atan(x, y);", allowed: func(f *format, y, x, _ float64) []span {
		if x == 0 && y == 0 {
			return one(anything)
		}
		return one(f.step(f.atanULP, 0, math.Atan2(y, x)))
	}},
	{name: "sinh", args: 1, body: "r = sinh(x);", whole: wholeBoth, infinities: true, allowed: func(f *format, x, _, _ float64) []span {
		return one(sinh(f, exactly(x)))
	}},
	{name: "cosh", args: 1, body: "r = cosh(x);", whole: wholeBoth, infinities: true, allowed: func(f *format, x, _, _ float64) []span {
		return one(cosh(f, exactly(x)))
	}},
	{name: "tanh", args: 1, body: "r = tanh(x);", whole: wholeBoth, infinities: true, allowed: func(f *format, x, _, _ float64) []span {
		if math.Abs(x) > 100 {
			return one(f.step(10, 0, math.Tanh(x)))
		}
		return one(f.div(sinh(f, exactly(x)), cosh(f, exactly(x))))
	}},
	{name: "asinh", args: 1, body: "r = asinh(x);", whole: wholeBoth, infinities: true, allowed: func(f *format, x, _, _ float64) []span {
		// The expression cancels for negative arguments; the function is odd.
		a := exactly(math.Abs(x))
		s := f.ln(f.add(a, f.sqrt(f.add(square(f, a), exactly(1)))))
		if x < 0 {
			s = f.neg(s)
		}
		return one(s)
	}},
	{name: "acosh", args: 1, body: "r = acosh(x);", whole: wholeBoth, infinities: true, allowed: func(f *format, x, _, _ float64) []span {
		if x < 1 {
			return one(anything)
		}
		return one(f.ln(f.add(exactly(x), f.sqrt(f.sub(square(f, exactly(x)), exactly(1))))))
	}},
	{name: "atanh", args: 1, body: "r = atanh(x);", whole: wholeBoth, allowed: func(f *format, x, _, _ float64) []span {
		if math.Abs(x) >= 1 {
			return one(anything)
		}
		return one(f.mul(f.ln(f.div(f.add(exactly(1), exactly(x)), f.sub(exactly(1), exactly(x)))), exactly(0.5)))
	}},
	{name: "exp", args: 1, body: "r = exp(x);", infinities: true, whole: wholeBoth, allowed: func(f *format, x, _, _ float64) []span { return one(f.exp(exactly(x))) }},
	{name: "exp2", args: 1, body: "r = exp2(x);", infinities: true, whole: wholeBoth, allowed: func(f *format, x, _, _ float64) []span { return one(f.exp2(exactly(x))) }},
	{name: "log", args: 1, body: "r = log(x);", infinities: true, whole: wholeBoth, allowed: func(f *format, x, _, _ float64) []span {
		if x <= 0 {
			return one(anything)
		}
		return one(f.ln(exactly(x)))
	}},
	{name: "log2", args: 1, body: "r = log2(x);", infinities: true, whole: wholeBoth, allowed: func(f *format, x, _, _ float64) []span {
		if x <= 0 {
			return one(anything)
		}
		return one(f.log2(exactly(x)))
	}},
	{name: "pow", args: 2, body: "r = pow(x, y);", whole: wholeBoth, allowed: func(f *format, x, y, _ float64) []span {
		if x < 0 || x == 0 && y <= 0 {
			return one(anything)
		}
		if x == 0 {
			return one(exactly(0))
		}
		return one(f.exp2(f.mul(exactly(y), f.log2(exactly(x)))))
	}},
	{name: "sqrt", args: 1, body: "r = sqrt(x);", infinities: true, allowed: func(f *format, x, _, _ float64) []span { return one(f.sqrt(exactly(x))) }},
	{name: "inversesqrt", args: 1, body: "r = inversesqrt(x);", infinities: true, allowed: func(f *format, x, _, _ float64) []span {
		if x <= 0 {
			return one(anything)
		}
		return one(f.rsqrt(exactly(x)))
	}},
	{name: "length", args: 1, body: "r = length(x);", whole: whole16, infinities: true, allowed: func(f *format, x, _, _ float64) []span {
		return one(length(f, exactly(x)))
	}},
	{name: "length2", args: 2, body: "r = length(vec(x, y));", whole: whole16, allowed: func(f *format, x, y, _ float64) []span {
		return one(f.sqrt(f.add(square(f, exactly(x)), square(f, exactly(y)))))
	}},
	{name: "distance", args: 2, body: "r = distance(x, y);", whole: whole16, allowed: func(f *format, x, y, _ float64) []span {
		return one(length(f, f.sub(exactly(x), exactly(y))))
	}},
	{name: "normalize", args: 1, body: "r = normalize(x);", whole: whole16, allowed: func(f *format, x, _, _ float64) []span {
		return one(f.div(exactly(x), length(f, exactly(x))))
	}},
	{name: "normalize2", args: 2, body: "r = normalize(vec(x, y)).x;", whole: whole16, allowed: func(f *format, x, y, _ float64) []span {
		return one(f.div(exactly(x), f.sqrt(f.add(square(f, exactly(x)), square(f, exactly(y))))))
	}},
	{name: "divide", args: 2, body: "r = x / y;", allowed: func(f *format, x, y, _ float64) []span {
		return one(f.div(exactly(x), exactly(y)))
	}},
	{name: "mod", args: 2, body: "r = mod(x, y);", allowed: func(f *format, x, y, _ float64) []span {
		return one(f.sub(exactly(x), f.mul(exactly(y), f.floor(f.div(exactly(x), exactly(y))))))
	}},
	{name: "min", args: 2, body: "r = min(x, y);", infinities: true, allowed: func(_ *format, x, y, _ float64) []span { return one(exactly(min(x, y))) }},
	{name: "max", args: 2, body: "r = max(x, y);", infinities: true, allowed: func(_ *format, x, y, _ float64) []span { return one(exactly(max(x, y))) }},
	{name: "step", args: 2, body: "r = step(x, y);", infinities: true, allowed: func(_ *format, x, y, _ float64) []span {
		if y < x {
			return one(exactly(0))
		}
		return one(exactly(1))
	}},
	{name: "clamp", args: 3, body: "r = clamp(x, y, z);", infinities: true, allowed: func(_ *format, x, y, z float64) []span {
		if y > z {
			return one(anything)
		}
		return one(exactly(min(max(x, y), z)))
	}},
	{name: "mix", args: 3, body: "r = mix(x, y, z);", allowed: func(f *format, x, y, z float64) []span {
		a, b, c := exactly(x), exactly(y), exactly(z)
		return one(f.add(f.mul(a, f.sub(exactly(1), c)), f.mul(b, c)))
	}},
	{name: "smoothstep", args: 3, body: "r = smoothstep(x, y, z);", allowed: func(f *format, x, y, z float64) []span {
		if x >= y {
			return one(anything)
		}
		t := f.div(f.sub(exactly(z), exactly(x)), f.sub(exactly(y), exactly(x)))
		if t.any {
			return one(t)
		}
		t.lo, t.hi = min(max(t.lo, 0), 1), min(max(t.hi, 0), 1)
		return one(f.mul(f.mul(t, t), f.sub(exactly(3), f.mul(exactly(2), t))))
	}},
	{name: "fma", args: 3, body: "r = fma(x, y, z);", allowed: func(f *format, x, y, z float64) []span {
		fused := f.rounded(x*y + z)
		return one(join(fused, f.add(f.mul(exactly(x), exactly(y)), exactly(z))))
	}},
	{name: "reflect", args: 2, body: "r = reflect(x, y);", allowed: func(f *format, x, y, _ float64) []span {
		// The optimizer may apply the factor 2 after the others.
		d := f.mul(exactly(x), exactly(y))
		first := f.sub(exactly(x), f.mul(f.mul(exactly(2), d), exactly(y)))
		last := f.sub(exactly(x), f.mul(f.mul(d, exactly(y)), exactly(2)))
		return one(join(first, last))
	}},
	{name: "refract", args: 3, body: "r = refract(x, y, z);", allowed: func(f *format, x, y, z float64) []span {
		i, n, eta := exactly(x), exactly(y), exactly(z)
		d := f.mul(n, i)
		k := f.sub(exactly(1), f.mul(f.mul(eta, eta), f.sub(exactly(1), f.mul(d, d))))
		if k.any || k.lo <= 0 && k.hi >= 0 {
			return one(anything)
		}
		if k.hi < 0 {
			return one(exactly(0))
		}
		return one(f.sub(f.mul(eta, i), f.mul(f.add(f.mul(eta, d), f.sqrt(k)), n)))
	}},
}
