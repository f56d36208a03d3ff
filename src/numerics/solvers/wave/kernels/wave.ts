// Steps of the wave equation, two lanes wide: leapfrog on a padded grid, and Yee's scheme on a line.
//
// A field lies with two ghost nodes beyond every side, which carry the boundary condition: zero and the odd mirror
// beyond a fixed edge (whose own node is the first ghost), the even mirror beyond a free one, the other end of a ring.
// A step is  before ← (2·now − before) + S(now)  with the stencil
//   S u = centre·u + along·(W + E) + across·(N + S) + diagonal·(NW + NE + SW + SE)
//         + along2·(WW + EE) + across2·(NN + SS)
// of which the second-order scheme has the first three terms.

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

// @ts-ignore: decorator
@inline
function weigh(
  u: v128, sides: v128, ends: v128, corners: v128, far: v128, beyond: v128,
  w0: v128, w1: v128, w2: v128, w3: v128, w4: v128, w5: v128,
): v128 {
  const near = f64x2.add(f64x2.mul(w1, sides), f64x2.add(f64x2.mul(w2, ends), f64x2.mul(w3, corners)))
  const wide = f64x2.add(f64x2.mul(w4, far), f64x2.mul(w5, beyond))
  return f64x2.add(f64x2.mul(w0, u), f64x2.add(near, wide))
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
  return weigh(v128.load(at, 16), sides, ends, corners, far, beyond, w0, w1, w2, w3, w4, w5)
}

// Two nodes of two rows at once: what stands beside a row's nodes is summed once for itself and for both its
// neighbours. Offsets of loads must be known when this is compiled; the type says how far on the nodes lie, f64 none
// and v128 the 16 bytes of a pair, so that one round of a loop takes two of them.
// @ts-ignore: decorator
@inline
function wideNodes<T>(
  a: usize, b: usize, c: usize, d: usize, e: usize, f: usize, to: usize, next: usize,
  w0: v128, w1: v128, w2: v128, w3: v128, w4: v128, w5: v128,
): void {
  const o: usize = sizeof<T>() & 16
  const pb = f64x2.add(v128.load(b, o + 8), v128.load(b, o + 24))
  const pc = f64x2.add(v128.load(c, o + 8), v128.load(c, o + 24))
  const pd = f64x2.add(v128.load(d, o + 8), v128.load(d, o + 24))
  const ub = v128.load(b, o + 16), uc = v128.load(c, o + 16), ud = v128.load(d, o + 16), ue = v128.load(e, o + 16)
  const s = weigh(
    uc, pc, f64x2.add(ub, ud), f64x2.add(pb, pd), f64x2.add(v128.load(c, o), v128.load(c, o + 32)),
    f64x2.add(v128.load(a, o + 16), ue), w0, w1, w2, w3, w4, w5,
  )
  v128.store(to, f64x2.add(f64x2.sub(f64x2.add(uc, uc), v128.load(to, o + 16)), s), o + 16)
  const pe = f64x2.add(v128.load(e, o + 8), v128.load(e, o + 24))
  const t = weigh(
    ud, pd, f64x2.add(uc, ue), f64x2.add(pc, pe), f64x2.add(v128.load(d, o), v128.load(d, o + 32)),
    f64x2.add(ub, v128.load(f, o + 16)), w0, w1, w2, w3, w4, w5,
  )
  v128.store(next, f64x2.add(f64x2.sub(f64x2.add(ud, ud), v128.load(next, o + 16)), t), o + 16)
}

function widePair(now: usize, before: usize): void {
  const w0 = f64x2.splat(centre), w1 = f64x2.splat(along), w2 = f64x2.splat(across)
  const w3 = f64x2.splat(diagonal), w4 = f64x2.splat(along2), w5 = f64x2.splat(across2)
  let c = now, to = before
  let b = c - stride, d = c + stride, next = to + stride
  let a = b - stride, e = d + stride
  let f = e + stride
  const end = to + (<usize>columns << 3)
  while (to + 16 < end) {
    wideNodes<f64>(a, b, c, d, e, f, to, next, w0, w1, w2, w3, w4, w5)
    wideNodes<v128>(a, b, c, d, e, f, to, next, w0, w1, w2, w3, w4, w5)
    a += 32
    b += 32
    c += 32
    d += 32
    e += 32
    f += 32
    to += 32
    next += 32
  }
  if (to < end) wideNodes<f64>(a, b, c, d, e, f, to, next, w0, w1, w2, w3, w4, w5)
}

function wideRow(now: usize, before: usize): void {
  const w0 = f64x2.splat(centre), w1 = f64x2.splat(along), w2 = f64x2.splat(across)
  const w3 = f64x2.splat(diagonal), w4 = f64x2.splat(along2), w5 = f64x2.splat(across2)
  let at = now, to = before
  let up = at - stride, down = at + stride
  let above = up - stride, below = down + stride
  const end = to + (<usize>columns << 3)
  while (to < end) {
    const u = v128.load(at, 16)
    const straight = f64x2.sub(f64x2.add(u, u), v128.load(to, 16))
    v128.store(to, f64x2.add(straight, stencil(above, up, at, down, below, w0, w1, w2, w3, w4, w5)), 16)
    at += 16
    to += 16
    up += 16
    down += 16
    above += 16
    below += 16
  }
}

// Without far nodes and corners, whose weights are 0: the second-order scheme.
// @ts-ignore: decorator
@inline
function cross(u: v128, sides: v128, ends: v128, w0: v128, w1: v128, w2: v128): v128 {
  return f64x2.add(f64x2.mul(w0, u), f64x2.add(f64x2.mul(w1, sides), f64x2.mul(w2, ends)))
}

function narrowRow(now: usize, before: usize): void {
  const w0 = f64x2.splat(centre), w1 = f64x2.splat(along), w2 = f64x2.splat(across)
  let at = now, to = before
  let up = at - stride, down = at + stride
  const end = to + (<usize>columns << 3)
  while (to < end) {
    const u = v128.load(at, 16)
    const sides = f64x2.add(v128.load(at, 8), v128.load(at, 24))
    const ends = f64x2.add(v128.load(up, 16), v128.load(down, 16))
    const s = cross(u, sides, ends, w0, w1, w2)
    v128.store(to, f64x2.add(f64x2.sub(f64x2.add(u, u), v128.load(to, 16)), s), 16)
    at += 16
    to += 16
    up += 16
    down += 16
  }
}

// @ts-ignore: decorator
@inline
function narrowNodes<T>(
  b: usize, c: usize, d: usize, e: usize, to: usize, next: usize, w0: v128, w1: v128, w2: v128,
): void {
  const o: usize = sizeof<T>() & 16
  const uc = v128.load(c, o + 16), ud = v128.load(d, o + 16)
  const pc = f64x2.add(v128.load(c, o + 8), v128.load(c, o + 24))
  const s = cross(uc, pc, f64x2.add(v128.load(b, o + 16), ud), w0, w1, w2)
  v128.store(to, f64x2.add(f64x2.sub(f64x2.add(uc, uc), v128.load(to, o + 16)), s), o + 16)
  const pd = f64x2.add(v128.load(d, o + 8), v128.load(d, o + 24))
  const t = cross(ud, pd, f64x2.add(uc, v128.load(e, o + 16)), w0, w1, w2)
  v128.store(next, f64x2.add(f64x2.sub(f64x2.add(ud, ud), v128.load(next, o + 16)), t), o + 16)
}

function narrowPair(now: usize, before: usize): void {
  const w0 = f64x2.splat(centre), w1 = f64x2.splat(along), w2 = f64x2.splat(across)
  let c = now, to = before
  let b = c - stride, d = c + stride, next = to + stride
  let e = d + stride
  const end = to + (<usize>columns << 3)
  while (to + 16 < end) {
    narrowNodes<f64>(b, c, d, e, to, next, w0, w1, w2)
    narrowNodes<v128>(b, c, d, e, to, next, w0, w1, w2)
    b += 32
    c += 32
    d += 32
    e += 32
    to += 32
    next += 32
  }
  if (to < end) narrowNodes<f64>(b, c, d, e, to, next, w0, w1, w2)
}

// The ghosts above and below a field whose rows have theirs; not for a ring, whose rows follow from its other end.
function topGhosts(field: usize): void {
  const first = field + <usize>GHOSTS * stride
  if (boundary == 0) {
    memory.fill(first - stride, 0, stride)
    negate(first - 2 * stride, first)
  } else {
    memory.copy(first - stride, first + stride, stride)
    memory.copy(first - 2 * stride, first + 2 * stride, stride)
  }
}

function bottomGhosts(field: usize): void {
  const last = field + <usize>(rows + GHOSTS - 1) * stride
  if (boundary == 0) {
    memory.fill(last + stride, 0, stride)
    negate(last + 2 * stride, last)
  } else {
    memory.copy(last + stride, last - stride, stride)
    memory.copy(last + 2 * stride, last - 2 * stride, stride)
  }
}

function negate(to: usize, from: usize): void {
  for (let o: usize = 0; o < stride; o += 16) v128.store(to + o, f64x2.neg(v128.load(from + o)))
}

// Rows r and, where there is one, r + 1 of the level after `now`, and the ghosts that follow from them.
function rowsOn(now: usize, before: usize, r: i32, narrow: bool): void {
  const offset = <usize>(r + GHOSTS) * stride
  const single = r + 1 == rows
  if (narrow) {
    if (single) narrowRow(now + offset, before + offset)
    else narrowPair(now + offset, before + offset)
  } else if (single) wideRow(now + offset, before + offset)
  else widePair(now + offset, before + offset)
  const first = before + offset + (<usize>GHOSTS << 3)
  mirror(first, 8, columns)
  if (single) return
  mirror(first + stride, 8, columns)
}

// So many levels on; after an odd number `before` is the newest. Between walls one sweep over the rows takes them all,
// each a pair of rows behind the one before it, so that memory is passed once for all. The first rows of a ring wait
// for its last ones: there every level has a sweep of its own.
export function advance(now: usize, before: usize, levels: i32): void {
  const narrow = diagonal == 0 && along2 == 0 && across2 == 0
  const last = (rows - 1) & ~1
  if (boundary == 2 || rows < 4) {
    let fresh = now, old = before
    for (let level = 0; level < levels; level++) {
      surround(fresh)
      for (let r = 0; r < rows; r += 2) rowsOn(fresh, old, r, narrow)
      const swap = fresh
      fresh = old
      old = swap
    }
    return
  }
  surround(now)
  for (let front = 0; front <= last + 2 * (levels - 1); front += 2) {
    for (let level = 0; level < levels; level++) {
      const r = front - 2 * level
      if (r < 0) break
      if (r > last) continue
      const even = (level & 1) == 0
      const field = even ? before : now
      rowsOn(even ? now : before, field, r, narrow)
      if (r == 2) topGhosts(field)
      if (r == last) bottomGhosts(field)
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

// What follows goes over whole rows, their ghosts included, whose numbers mean nothing until they are filled again.

// The level before the first: backwards, so that the first step is like any other. With S for dt²·∂²/∂t² + … it is
//   start + once/2 − dt·(v + rise/6 − twice/180)
// where `once` is S of the start, and `rise` and `twice` are S of its velocity v and of that.
export function backward(start: usize, once: usize, speed: usize, rise: usize, twice: usize, to: usize, dt: f64): void {
  const half = f64x2.splat(2), sixth = f64x2.splat(6), last = f64x2.splat(180), step = f64x2.splat(dt)
  const begin = <usize>GHOSTS * stride, end = begin + <usize>rows * stride
  for (let o = begin; o < end; o += 16) {
    const v = f64x2.add(v128.load(speed + o), f64x2.div(v128.load(rise + o), sixth))
    const moved = f64x2.mul(step, f64x2.sub(v, f64x2.div(v128.load(twice + o), last)))
    const still = f64x2.add(v128.load(start + o), f64x2.div(v128.load(once + o), half))
    v128.store(to + o, f64x2.sub(still, moved))
  }
}

// The same of a field at rest.
export function backwardAtRest(start: usize, once: usize, to: usize): void {
  const half = f64x2.splat(2)
  const begin = <usize>GHOSTS * stride, end = begin + <usize>rows * stride
  for (let o = begin; o < end; o += 16) {
    v128.store(to + o, f64x2.add(v128.load(start + o), f64x2.div(v128.load(once + o), half)))
  }
}

// Of the last two levels and S of both, in place: `behind` becomes the level before them, `ahead` (u(dt) − u(−dt))/2dt.
export function around(now: usize, before: usize, ahead: usize, behind: usize, dt: f64): void {
  const twice = f64x2.splat(2 * dt)
  const begin = <usize>GHOSTS * stride, end = begin + <usize>rows * stride
  for (let o = begin; o < end; o += 16) {
    const u = v128.load(now + o), b = v128.load(before + o)
    const two = f64x2.add(b, b)
    v128.store(behind + o, f64x2.add(f64x2.sub(two, u), v128.load(behind + o)))
    v128.store(ahead + o, f64x2.div(f64x2.add(f64x2.sub(f64x2.add(u, u), two), v128.load(ahead + o)), twice))
  }
}

// That quotient is v + S v/6 + …; undone to the same order as `backward`, in place.
export function straighten(central: usize, bend: usize, bends: usize): void {
  const sixth = f64x2.splat(6), last = f64x2.splat(30)
  const begin = <usize>GHOSTS * stride, end = begin + <usize>rows * stride
  for (let o = begin; o < end; o += 16) {
    const v = f64x2.sub(v128.load(central + o), f64x2.div(v128.load(bend + o), sixth))
    v128.store(central + o, f64x2.add(v, f64x2.div(v128.load(bends + o), last)))
  }
}

// Yee's scheme on a line of `cells` cells: electric nodes 0 … cells, magnetic nodes between them, both in V/m.
//   e_i ← e_i − g_i·(b_i − b_i−1),  then  b_i ← b_i − s·(e_i+1 − e_i)
// Conducting ends keep e = 0 there (their g is 0); on a ring node `cells` is node 0 and b_−1 is b_cells−1.
export function light(field: usize, flux: usize, gains: usize, cells: i32, s: f64): void {
  const last = <usize>(cells - 1) << 3
  let before = load<f64>(field) - load<f64>(gains) * (load<f64>(flux) - load<f64>(flux + last))
  store<f64>(field, before)
  store<f64>(field + last, load<f64>(gains + last, 8) == 0 ? 0 : before, 8)
  // One pass: b_i−1 and b_i follow as soon as e_i and e_i+1 are there. Of the nodes before those the lane is kept, as
  // a load across two stores would wait for both.
  const k = f64x2.splat(s)
  let e = f64x2.splat(before), o: usize = 8
  for (; o + 8 <= last; o += 16) {
    const near = v128.load(flux + o - 8)
    const slope = f64x2.sub(v128.load(flux + o), near)
    const next = f64x2.sub(v128.load(field + o), f64x2.mul(v128.load(gains + o), slope))
    v128.store(field + o, next)
    const left = i8x16.shuffle(e, next, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23)
    v128.store(flux + o - 8, f64x2.sub(near, f64x2.mul(k, f64x2.sub(next, left))))
    e = next
  }
  before = f64x2.extract_lane(e, 1)
  if (o <= last) {
    const near = load<f64>(flux + o - 8)
    const next = load<f64>(field + o) - load<f64>(gains + o) * (load<f64>(flux + o) - near)
    store<f64>(field + o, next)
    store<f64>(flux + o - 8, near - s * (next - before))
    before = next
  }
  store<f64>(flux + last, load<f64>(flux + last) - s * (load<f64>(field + last, 8) - before))
}
