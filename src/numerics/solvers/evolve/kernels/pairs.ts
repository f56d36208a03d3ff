// Pairs of atoms in a periodic cube and what they add up to: how the check of evolve meets all of them again. Another
// list than that of the kernel `evolve` (cells of the whole reach, pairs by their first atom in the order of cells),
// the potential by its powers, and sums in the order of the list, so that two lanes give the bits of one.

let n: i32 = 0
let places: usize = 0 // n × 3
let forces: usize = 0 // n × 3
let sure: usize = 0 // pairs by distance, and those on an edge
let doubtful: usize = 0
let heads: usize = 0 // i32 each
let ends: usize = 0
let partners: usize = 0
let room: i32 = 0
let inside: usize = 0 // x, y, z of the atoms in the order of cells, within the box
let atoms: usize = 0
let begins: usize = 0
let next: usize = 0
let box: f64 = 0
let cutoff: f64 = 0
let energyAtCutoff: f64 = 0
let slopeAtCutoff: f64 = 0
let bins: i32 = 0
let edge: f64 = 0

export function configure(
  count: i32, at: usize, roomFor: i32, side: f64, reach: f64, energy: f64, slope: f64, binCount: i32, nearEdge: f64,
): void {
  n = count
  room = roomFor
  box = side
  cutoff = reach
  energyAtCutoff = energy
  slopeAtCutoff = slope
  bins = binCount
  edge = nearEdge
  const vectors: usize = <usize>(count + 2) * 24
  places = at
  forces = places + vectors
  inside = forces + vectors
  sure = inside + vectors
  doubtful = sure + (<usize>binCount << 3)
  heads = doubtful + (<usize>binCount << 3)
  ends = heads + (<usize>(count + 2) << 2)
  atoms = ends + (<usize>(count + 2) << 2)
  partners = atoms + (<usize>(count + 2) << 2)
  begins = partners + (<usize>(roomFor + 2) << 2)
}

export function forcesAt(): usize {
  return forces
}

export function sureAt(): usize {
  return sure
}

export function headsAt(): usize {
  return heads
}

export function partnersAt(): usize {
  return partners
}

// @ts-ignore: decorator
@inline
function layer(x: f64, cells: i32): i32 {
  return <i32>min(<f64>(cells - 1), floor((x / box - floor(x / box)) * <f64>cells))
}

// @ts-ignore: decorator
@inline
function homeOf(i: i32, cells: i32): i32 {
  const at = places + <usize>i * 24
  return (layer(load<f64>(at), cells) * cells + layer(load<f64>(at, 8), cells)) * cells
    + layer(load<f64>(at, 16), cells)
}

// Atoms in the order of their cells: entry c of `begins` is where those of cell c begin, one more ends the last.
function sort(cells: i32): void {
  const all = cells * cells * cells
  next = begins + (<usize>(all + 2) << 2)
  memory.fill(begins, 0, <usize>(all + 1) << 2)
  for (let i = 0; i < n; i++) {
    const at = begins + (<usize>(homeOf(i, cells) + 1) << 2)
    store<i32>(at, load<i32>(at) + 1)
  }
  for (let cell = 1; cell <= all; cell++) {
    const at = begins + (<usize>cell << 2)
    store<i32>(at, load<i32>(at) + load<i32>(at - 4))
  }
  memory.copy(next, begins, <usize>(all + 1) << 2)
  const along = <usize>(n + 2) << 3
  for (let i = 0; i < n; i++) {
    const from = next + (<usize>homeOf(i, cells) << 2)
    const k = load<i32>(from)
    store<i32>(from, k + 1)
    store<i32>(atoms + (<usize>k << 2), i)
    for (let axis: usize = 0; axis < 3; axis++) {
      const x = load<f64>(places + <usize>i * 24 + (axis << 3))
      store<f64>(inside + axis * along + (<usize>k << 3), x - box * floor(x / box))
    }
  }
}

let tail: usize = 0
let full: bool = false

// Those from place `from` to `to` of the order that are within reach of a place. Each is written down, and stays where
// it is one of them: a guess of the machine that fails takes longer than a number that is written for nothing.
// @ts-ignore: decorator
@inline
function meet(from: i32, to: i32, px: f64, py: f64, pz: f64, limit: f64): void {
  const along = <usize>(n + 2) << 3
  const x = f64x2.splat(px), y = f64x2.splat(py), z = f64x2.splat(pz), most = f64x2.splat(limit)
  let put = tail
  if (put + (<usize>(to - from + 2) << 2) > partners + (<usize>room << 2)) {
    full = true
    return
  }
  for (let k = from; k < to; k += 2) {
    const at = inside + (<usize>k << 3)
    const dx = f64x2.sub(v128.load(at), x)
    const dy = f64x2.sub(v128.load(at + along), y)
    const dz = f64x2.sub(v128.load(at + 2 * along), z)
    const r2 = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz))
    const bits = i64x2.bitmask(f64x2.lt(r2, most))
    const name = atoms + (<usize>k << 2)
    store<i32>(put, load<i32>(name))
    put += <usize>(bits & 1) << 2
    store<i32>(put, load<i32>(name, 4))
    put += <usize>(bits >> 1 & i32(k + 1 < to)) << 2
  }
  tail = put
}

// @ts-ignore: decorator
@inline
function begin(cell: i32): i32 {
  return load<i32>(begins + (<usize>cell << 2))
}

// @ts-ignore: decorator
@inline
function image(to: i32, cells: i32): f64 {
  return to < 0 ? -box : to >= cells ? box : 0
}

// The list of pairs within reach, by so many cells along a side. Returns the heads in use, or -1 where the partners
// are more than there is room for.
export function list(cells: i32, reach: f64): i32 {
  sort(cells)
  const limit = reach * reach
  const along = <usize>(n + 2) << 3
  let count = 0
  tail = partners
  full = false
  for (let a = 0; a < cells; a++) {
    for (let b = 0; b < cells; b++) {
      for (let c = 0; c < cells; c++) {
        const cell = (a * cells + b) * cells + c
        const end = begin(cell + 1)
        for (let own = begin(cell); own < end; own++) {
          const at = inside + (<usize>own << 3)
          const x = load<f64>(at), y = load<f64>(at + along), z = load<f64>(at + 2 * along)
          const before = tail
          // Of the 26 cells around it one of every two that lie opposite each other: the next one of its column, and
          // three each of the four columns ahead, which follow each other where the column does not end between them.
          if (c > 0 && c + 1 < cells) {
            meet(own + 1, begin(cell + 2), x, y, z, limit)
            for (let column = 5; column < 9; column++) {
              const i = a + column / 3 - 1, j = b + (column % 3) - 1
              const middle = (((i + cells) % cells) * cells + ((j + cells) % cells)) * cells + c
              meet(begin(middle - 1), begin(middle + 2), x - image(i, cells), y - image(j, cells), z, limit)
            }
          } else {
            meet(own + 1, end, x, y, z, limit)
            for (let step = 14; step < 27; step++) {
              const i = a + step / 9 - 1, j = b + ((step / 3) % 3) - 1, l = c + (step % 3) - 1
              const other = (((i + cells) % cells) * cells + ((j + cells) % cells)) * cells + ((l + cells) % cells)
              meet(
                begin(other), begin(other + 1), x - image(i, cells), y - image(j, cells), z - image(l, cells), limit,
              )
            }
          }
          if (full) return -1
          if (tail == before) continue
          store<i32>(heads + (<usize>count << 2), load<i32>(atoms + (<usize>own << 2)))
          store<i32>(ends + (<usize>count << 2), <i32>((tail - partners) >> 2))
          count++
        }
      }
    }
  }
  return count
}

// Forces and counts back to nothing.
export function clear(): void {
  memory.fill(forces, 0, <usize>n * 24)
  memory.fill(sure, 0, <usize>bins << 4)
}

let energySum: f64 = 0
let virialSum: f64 = 0

export function energy(): f64 {
  return energySum
}

export function virial(): f64 {
  return virialSum
}

// A pair by its distance: surely in an interval, or on the edge of two.
// @ts-ignore: decorator
@inline
function tally(r: f64, scale: f64): void {
  const low = <i32>floor(r * scale * (1 - edge))
  const high = min(bins - 1, <i32>floor(r * scale * (1 + edge)))
  if (low == high) {
    const at = sure + (<usize>low << 3)
    store<f64>(at, load<f64>(at) + 1)
  } else {
    const one = doubtful + (<usize>low << 3)
    store<f64>(one, load<f64>(one) + 1)
    const other = doubtful + (<usize>high << 3)
    store<f64>(other, load<f64>(other) + 1)
  }
}

// @ts-ignore: decorator
@inline
function both(one: usize, other: usize): v128 {
  return f64x2.replace_lane(f64x2.splat(load<f64>(one)), 1, load<f64>(other))
}

// @ts-ignore: decorator
@inline
function closest(d: v128, side: v128, inverse: v128): v128 {
  return f64x2.sub(d, f64x2.mul(side, f64x2.floor(f64x2.add(f64x2.mul(d, inverse), f64x2.splat(0.5)))))
}

// @ts-ignore: decorator
@inline
function press(to: usize, fx: f64, fy: f64, fz: f64): void {
  store<f64>(to, load<f64>(to) + fx)
  store<f64>(to, load<f64>(to, 8) + fy, 8)
  store<f64>(to, load<f64>(to, 16) + fz, 16)
}

// Energy, virial and forces of the first `count` heads of the list; pairs are counted by distance where asked for.
export function add(count: i32, counted: i32): void {
  const side = f64x2.splat(box), inverse = f64x2.splat(1 / box), one = f64x2.splat(1)
  const cut = f64x2.splat(cutoff), limit = f64x2.splat(cutoff * cutoff)
  const atCutoff = f64x2.splat(energyAtCutoff), slope = f64x2.splat(slopeAtCutoff)
  const first = i64x2.replace_lane(i64x2.splat(0), 0, -1)
  const two = f64x2.splat(2), four = f64x2.splat(4), c24 = f64x2.splat(24)
  const scale = <f64>bins / cutoff
  let deepest: f64 = 0, turned: f64 = 0
  let k: i32 = 0
  for (let head = 0; head < count; head++) {
    const i: usize = <usize>load<i32>(heads + (<usize>head << 2)) * 24
    const x = v128.load64_splat(places + i), y = v128.load64_splat(places + i, 8)
    const z = v128.load64_splat(places + i, 16)
    const end = load<i32>(ends + (<usize>head << 2))
    let sumX: f64 = 0, sumY: f64 = 0, sumZ: f64 = 0
    for (; k < end; k += 2) {
      const at = partners + (<usize>k << 2)
      const j: usize = <usize>load<i32>(at) * 24
      // A last one stands beside itself.
      const m: usize = k + 1 < end ? <usize>load<i32>(at, 4) * 24 : j
      const a = places + j, b = places + m
      const dx = closest(f64x2.sub(both(a, b), x), side, inverse)
      const dy = closest(f64x2.sub(both(a + 8, b + 8), y), side, inverse)
      const dz = closest(f64x2.sub(both(a + 16, b + 16), z), side, inverse)
      const r2 = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz))
      // One beyond the cutoff takes part with nothing: no sum changes, and nothing is guessed.
      let mask = f64x2.lt(r2, limit)
      if (k + 1 == end) mask = v128.and(mask, first)
      if (!v128.any_true(mask)) continue
      const r = f64x2.sqrt(r2)
      const inverse2 = f64x2.div(one, r2)
      const attraction = f64x2.mul(f64x2.mul(inverse2, inverse2), inverse2)
      const repulsion = f64x2.mul(attraction, attraction)
      const deep = v128.and(mask, f64x2.sub(
        f64x2.sub(f64x2.mul(four, f64x2.sub(repulsion, attraction)), atCutoff), f64x2.mul(slope, f64x2.sub(r, cut)),
      ))
      // -r·u'(r), and over r² the force along the difference.
      const push = v128.and(mask, f64x2.add(
        f64x2.mul(c24, f64x2.sub(f64x2.mul(two, repulsion), attraction)), f64x2.mul(slope, r),
      ))
      const strength = f64x2.mul(push, inverse2)
      const fx = f64x2.mul(strength, dx), fy = f64x2.mul(strength, dy), fz = f64x2.mul(strength, dz)
      deepest += f64x2.extract_lane(deep, 0)
      deepest += f64x2.extract_lane(deep, 1)
      turned += f64x2.extract_lane(push, 0)
      turned += f64x2.extract_lane(push, 1)
      let gx = f64x2.extract_lane(fx, 0), gy = f64x2.extract_lane(fy, 0), gz = f64x2.extract_lane(fz, 0)
      press(forces + j, gx, gy, gz)
      sumX += gx
      sumY += gy
      sumZ += gz
      gx = f64x2.extract_lane(fx, 1), gy = f64x2.extract_lane(fy, 1), gz = f64x2.extract_lane(fz, 1)
      press(forces + m, gx, gy, gz)
      sumX += gx
      sumY += gy
      sumZ += gz
      if (counted) {
        const bits = i64x2.bitmask(mask)
        if (bits & 1) tally(f64x2.extract_lane(r, 0), scale)
        if (bits & 2) tally(f64x2.extract_lane(r, 1), scale)
      }
    }
    k = end
    const to = forces + i
    store<f64>(to, load<f64>(to) - sumX)
    store<f64>(to, load<f64>(to, 8) - sumY, 8)
    store<f64>(to, load<f64>(to, 16) - sumZ, 16)
  }
  energySum = deepest
  virialSum = turned
}
