// Scrambled Sobol points turned into standard normals, four points at a time, and the ends of lognormal paths.
//
// Points come in Gray-code order. From a point whose number is a multiple of four the next three differ in the first
// two direction numbers alone, so that four of them are one vector. Scrambling is Owen's by hash, as in sobol.ts; the
// quantile is Wichura's AS 241, as in normal.ts, its centre in both lanes, its tails one by one with a logarithm.

const UNIT: f64 = 2.3283064365386963e-10 // 2^−32

let directions: usize = 0 // 32 words for each dimension
let keys: usize = 0 // a word for each dimension
let states: usize = 0 // a word for each dimension: the next point, unscrambled
let normals: usize = 0 // doubles, `stride` of them for each dimension
let stride: usize = 0

export function configure(directionsAt: usize, keysAt: usize, statesAt: usize, normalsAt: usize, bytes: usize): void {
  directions = directionsAt
  keys = keysAt
  states = statesAt
  normals = normalsAt
  stride = bytes
}

// @ts-ignore: decorator
@inline
function swap(x: v128, mask: u32, by: i32): v128 {
  const m = i32x4.splat(mask)
  return v128.or(v128.and(i32x4.shr_u(x, by), m), i32x4.shl(v128.and(x, m), by))
}

// The bits of each word in the opposite order.
// @ts-ignore: decorator
@inline
function reversed(word: v128): v128 {
  let x = swap(word, 0x55555555, 1)
  x = swap(x, 0x33333333, 2)
  x = swap(x, 0x0f0f0f0f, 4)
  return i8x16.shuffle(x, x, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12)
}

// @ts-ignore: decorator
@inline
function scrambled(word: v128, key: u32): v128 {
  let x = reversed(word)
  x = v128.xor(x, i32x4.mul(x, i32x4.splat(0x3d20adea)))
  x = i32x4.add(x, i32x4.splat(key))
  x = i32x4.mul(x, i32x4.splat((key >>> 16) | 1))
  x = v128.xor(x, i32x4.mul(x, i32x4.splat(0x05526c56)))
  x = v128.xor(x, i32x4.mul(x, i32x4.splat(0x53a22864)))
  return reversed(x)
}

// A rational function of the tail: 1.6 and 5 are where the two pieces have their middle.
function tail(p: f64): f64 {
  const q = p - 0.5
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p))
  let up: f64
  let down: f64
  if (r <= 5) {
    const x = r - 1.6
    up = ((((((7.745450142783414e-4 * x + 0.022723844989269184) * x + 0.2417807251774506) * x +
      1.2704582524523684) * x + 3.6478483247632045) * x + 5.769497221460691) * x + 4.630337846156546) * x +
      1.4234371107496835
    down = ((((((1.0507500716444169e-9 * x + 5.475938084995345e-4) * x + 0.015198666563616457) * x +
      0.14810397642748008) * x + 0.6897673349851) * x + 1.6763848301838038) * x + 2.053191626637759) * x + 1
  } else {
    const x = r - 5
    up = ((((((2.0103343992922881e-7 * x + 2.7115555687434876e-5) * x + 0.0012426609473880784) * x +
      0.026532189526576124) * x + 0.29656057182850487) * x + 1.7848265399172913) * x + 5.463784911164114) * x +
      6.657904643501103
    down = ((((((2.0442631033899397e-15 * x + 1.421511758316446e-7) * x + 1.8463183175100548e-5) * x +
      7.868691311456133e-4) * x + 0.014875361290850615) * x + 0.1369298809227358) * x + 0.599832206555888) * x + 1
  }
  const x = up / down
  return q < 0 ? -x : x
}

// @ts-ignore: decorator
@inline
function next(sum: v128, r: v128, coefficient: f64): v128 {
  return f64x2.add(f64x2.mul(sum, r), f64x2.splat(coefficient))
}

// Quantiles of two words as (word + 1/2)/2^32.
// @ts-ignore: decorator
@inline
function quantiles(words: v128): v128 {
  const p = f64x2.mul(f64x2.add(f64x2.convert_low_i32x4_u(words), f64x2.splat(0.5)), f64x2.splat(UNIT))
  const q = f64x2.sub(p, f64x2.splat(0.5))
  const r = f64x2.sub(f64x2.splat(0.180625), f64x2.mul(q, q))
  let up = f64x2.splat(2509.0809287301227)
  up = next(up, r, 33430.57558358813)
  up = next(up, r, 67265.7709270087)
  up = next(up, r, 45921.95393154987)
  up = next(up, r, 13731.69376550946)
  up = next(up, r, 1971.5909503065513)
  up = next(up, r, 133.14166789178438)
  up = next(up, r, 3.3871328727963665)
  let down = f64x2.splat(5226.495278852854)
  down = next(down, r, 28729.085735721943)
  down = next(down, r, 39307.89580009271)
  down = next(down, r, 21213.794301586597)
  down = next(down, r, 5394.196021424751)
  down = next(down, r, 687.1870074920579)
  down = next(down, r, 42.31333070160091)
  down = next(down, r, 1)
  let x = f64x2.div(f64x2.mul(q, up), down)
  const near = f64x2.le(f64x2.abs(q), f64x2.splat(0.425))
  if (i64x2.all_true(near)) return x
  if (!i64x2.extract_lane(near, 0)) x = f64x2.replace_lane(x, 0, tail(f64x2.extract_lane(p, 0)))
  if (!i64x2.extract_lane(near, 1)) x = f64x2.replace_lane(x, 1, tail(f64x2.extract_lane(p, 1)))
  return x
}

/** Normals of `count` points from number `index` on, both multiples of four, for so many dimensions. */
export function fill(index: u32, count: i32, dimensions: i32): void {
  for (let d = 0; d < dimensions; d++) {
    const row = directions + (<usize>d << 7)
    const key = load<u32>(keys + (<usize>d << 2))
    const v0 = load<u32>(row)
    const v1 = load<u32>(row, 4)
    const steps = i32x4.replace_lane(i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(0), 1, v0), 2, v0 ^ v1), 3, v1)
    let state = load<u32>(states + (<usize>d << 2))
    let out = normals + <usize>d * stride
    for (let i = 0; i < count; i += 4) {
      const words = scrambled(v128.xor(i32x4.splat(state), steps), key)
      v128.store(out, quantiles(words))
      v128.store(out, quantiles(v128.shuffle<i64>(words, words, 1, 1)), 16)
      out += 32
      state ^= v1 ^ load<u32>(row + (<usize>ctz(index + <u32>i + 4) << 2))
    }
    store<u32>(states + (<usize>d << 2), state)
  }
}

/** Turns `count` normals of the first dimension into exp(base + sigma·(root·normal)), in place. */
export function ends(count: i32, base: f64, sigma: f64, root: f64): void {
  for (let i = 0; i < count; i++) {
    const at = normals + (<usize>i << 3)
    store<f64>(at, Math.exp(base + sigma * (root * load<f64>(at))))
  }
}
