// Steps of the wave equation, two lanes wide: leapfrog on a padded grid, and Yee's scheme on a line.
//
// A field lies with two ghost nodes beyond every side, which carry the boundary condition: zero and the odd mirror
// beyond a fixed edge (whose own node is the first ghost), the even mirror beyond a free one, the other end of a ring.
// A step is  before ← (2·now − before) + S(now)  with the stencil
//   S u = centre·u + along·(W + E) + across·(N + S) + diagonal·(NW + NE + SW + SE)
//         + along2·(WW + EE) + across2·(NN + SS)
// so that the second-order scheme and its fourth-order modification are one loop.

const GHOSTS: i32 = 2

// Set by `configure`: sizes in nodes, the length of a padded row in bytes, and the weights.
let rows: i32 = 0
let columns: i32 = 0
let stride: usize = 0
let boundary: i32 = 0 // 0 fixed, 1 free, 2 periodic
let centre: f64 = 0
let along: f64 = 0
let across: f64 = 0
let diagonal: f64 = 0
let along2: f64 = 0
let across2: f64 = 0

export function configure(
  rowCount: i32, columnCount: i32, rowBytes: usize, kind: i32,
  w0: f64, w1: f64, w2: f64, w3: f64, w4: f64, w5: f64,
): void {
  rows = rowCount
  columns = columnCount
  stride = rowBytes
  boundary = kind
  centre = w0
  along = w1
  across = w2
  diagonal = w3
  along2 = w4
  across2 = w5
}

// Fills the two ghosts beyond both ends of a line of n nodes, `apart` bytes from one to the next.
function mirror(first: usize, apart: usize, n: i32): void {
  const last = first + <usize>(n - 1) * apart
  if (boundary == 0) {
    store<f64>(first - apart, 0)
    store<f64>(first - 2 * apart, -load<f64>(first))
    store<f64>(last + apart, 0)
    store<f64>(last + 2 * apart, -load<f64>(last))
  } else if (boundary == 1) {
    store<f64>(first - apart, load<f64>(first + apart))
    store<f64>(first - 2 * apart, load<f64>(first + 2 * apart))
    store<f64>(last + apart, load<f64>(last - apart))
    store<f64>(last + 2 * apart, load<f64>(last - 2 * apart))
  } else {
    store<f64>(first - apart, load<f64>(last))
    store<f64>(first - 2 * apart, load<f64>(last - apart))
    store<f64>(last + apart, load<f64>(first))
    store<f64>(last + 2 * apart, load<f64>(first + apart))
  }
}

// The ghosts of a field: beyond the ends of its rows, then beyond its first and last row, corners included.
function surround(field: usize): void {
  const first = field + <usize>GHOSTS * stride + (<usize>GHOSTS << 3)
  for (let r = 0; r < rows; r++) mirror(first + <usize>r * stride, 8, columns)
  if (rows == 1) return
  for (let c = -GHOSTS; c < columns + GHOSTS; c++) mirror(first + <usize>(<isize>c << 3), stride, rows)
}

// Loads take offsets from places two nodes to the left: an address of its own for each would cost a subtraction.
// @ts-ignore: decorator
@inline
function stencil(
  above: usize, up: usize, at: usize, down: usize, below: usize,
  w0: v128, w1: v128, w2: v128, w3: v128, w4: v128, w5: v128,
): v128 {
  const sides = f64x2.add(v128.load(at, 8), v128.load(at, 24))
  const ends = f64x2.add(v128.load(up, 16), v128.load(down, 16))
  const corners = f64x2.add(
    f64x2.add(v128.load(up, 8), v128.load(up, 24)), f64x2.add(v128.load(down, 8), v128.load(down, 24)),
  )
  const far = f64x2.add(v128.load(at), v128.load(at, 32))
  const beyond = f64x2.add(v128.load(above, 16), v128.load(below, 16))
  const near = f64x2.add(
    f64x2.mul(w1, sides),
    f64x2.add(f64x2.mul(w2, ends), f64x2.mul(w3, corners)),
  )
  const wide = f64x2.add(f64x2.mul(w4, far), f64x2.mul(w5, beyond))
  return f64x2.add(f64x2.mul(w0, v128.load(at, 16)), f64x2.add(near, wide))
}

// Without far nodes and corners, whose weights are 0: the second-order scheme.
// @ts-ignore: decorator
@inline
function cross(up: usize, at: usize, down: usize, w0: v128, w1: v128, w2: v128): v128 {
  const sides = f64x2.add(v128.load(at, 8), v128.load(at, 24))
  const ends = f64x2.add(v128.load(up, 16), v128.load(down, 16))
  const near = f64x2.add(f64x2.mul(w1, sides), f64x2.mul(w2, ends))
  return f64x2.add(f64x2.mul(w0, v128.load(at, 16)), near)
}

// One level on: `before` becomes the level after `now`.
export function step(now: usize, before: usize): void {
  surround(now)
  const begin = <usize>GHOSTS * stride
  const two = f64x2.splat(2)
  const w0 = f64x2.splat(centre), w1 = f64x2.splat(along), w2 = f64x2.splat(across)
  const w3 = f64x2.splat(diagonal), w4 = f64x2.splat(along2), w5 = f64x2.splat(across2)
  const narrow = diagonal == 0 && along2 == 0 && across2 == 0
  const width = <usize>columns << 3
  for (let r = 0; r < rows; r++) {
    let at = now + begin + <usize>r * stride
    let to = before + begin + <usize>r * stride
    let up = at - stride
    let down = at + stride
    let above = up - stride
    let below = down + stride
    const end = to + width
    if (narrow) {
      while (to < end) {
        const straight = f64x2.sub(f64x2.mul(two, v128.load(at, 16)), v128.load(to, 16))
        v128.store(to, f64x2.add(straight, cross(up, at, down, w0, w1, w2)), 16)
        at += 16
        to += 16
        up += 16
        down += 16
      }
    } else {
      while (to < end) {
        const straight = f64x2.sub(f64x2.mul(two, v128.load(at, 16)), v128.load(to, 16))
        v128.store(to, f64x2.add(straight, stencil(above, up, at, down, below, w0, w1, w2, w3, w4, w5)), 16)
        at += 16
        to += 16
        up += 16
        down += 16
        above += 16
        below += 16
      }
    }
  }
}

// S of one field into another.
export function apply(source: usize, target: usize): void {
  surround(source)
  const w0 = f64x2.splat(centre), w1 = f64x2.splat(along), w2 = f64x2.splat(across)
  const w3 = f64x2.splat(diagonal), w4 = f64x2.splat(along2), w5 = f64x2.splat(across2)
  const begin = <usize>GHOSTS * stride
  for (let r = 0; r < rows; r++) {
    const from = source + begin + <usize>r * stride
    const to = target + begin + <usize>r * stride
    for (let o: usize = 0; o < <usize>columns << 3; o += 16) {
      const at = from + o
      const up = at - stride, down = at + stride
      v128.store(to + o, stencil(up - stride, up, at, down, down + stride, w0, w1, w2, w3, w4, w5), 16)
    }
  }
}

// Yee's scheme on a line of `cells` cells: electric nodes 0 … cells, magnetic nodes between them, both in V/m.
//   b_i ← b_i − s·(e_i+1 − e_i),  then  e_i ← e_i − g_i·(b_i − b_i−1)
// Conducting ends keep e = 0 there (their g is 0); on a ring node `cells` is node 0 and b_−1 is b_cells−1.
export function magnetic(electric: usize, flux: usize, cells: i32, s: f64): void {
  const k = f64x2.splat(s)
  const whole = cells & ~1
  for (let i = 0; i < whole; i += 2) {
    const o = <usize>i << 3
    const slope = f64x2.sub(v128.load(electric + o + 8), v128.load(electric + o))
    v128.store(flux + o, f64x2.sub(v128.load(flux + o), f64x2.mul(k, slope)))
  }
  if (whole < cells) {
    const o = <usize>whole << 3
    store<f64>(flux + o, load<f64>(flux + o) - s * (load<f64>(electric + o + 8) - load<f64>(electric + o)))
  }
}

export function electric(field: usize, flux: usize, gains: usize, cells: i32): void {
  // Nodes 1 … cells − 1 in pairs; the first and the last stand alone.
  const inner = (cells - 1) & ~1
  for (let i = 0; i < inner; i += 2) {
    const o = <usize>(i + 1) << 3
    const slope = f64x2.sub(v128.load(flux + o), v128.load(flux + o - 8))
    v128.store(field + o, f64x2.sub(v128.load(field + o), f64x2.mul(v128.load(gains + o), slope)))
  }
  for (let i = inner + 1; i < cells; i++) {
    const o = <usize>i << 3
    store<f64>(field + o, load<f64>(field + o) - load<f64>(gains + o) * (load<f64>(flux + o) - load<f64>(flux + o - 8)))
  }
  const around = load<f64>(gains) * (load<f64>(flux) - load<f64>(flux + (<usize>(cells - 1) << 3)))
  store<f64>(field, load<f64>(field) - around)
  const last = field + (<usize>cells << 3)
  store<f64>(last, load<f64>(gains + (<usize>cells << 3)) == 0 ? 0 : load<f64>(field))
}
