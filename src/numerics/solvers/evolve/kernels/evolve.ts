// Velocity-Verlet for Lennard-Jones atoms of mass 1 in a periodic cube, two pairs wide, in reduced units. A neighbour
// list holds every pair once, within cutoff + skin of the places it was made from; it depends on those places alone,
// and so do the order of the sums and every bit of the forces.
//
// Vectors of an atom stand together: x, y, z and a zero. A row of the list is an atom with its partners; the even and
// the odd partners add up in separate lanes, which are joined at the end of the row.

const ATOM: usize = 32 // bytes of one vector of an atom

let n: i32 = 0
let places: usize = 0
let speeds: usize = 0
let forces: usize = 0
let origins: usize = 0 // places that the list was made from
let rows: usize = 0 // per row: byte offset of its atom, address of its first partner; one more row ends the last
let pairs: usize = 0 // byte offsets of partners, i32
let pairsMax: i32 = 0
let sorted: usize = 0 // wrapped places in the order of the cells: x, y, z apart, each with one number to spare
let order: usize = 0 // byte offsets of the atoms in that order, i32
let cells: usize = 0 // first place of each cell in that order, i32; one more ends the last
let homes: usize = 0 // cell of each atom, i32
let cellCount: i32 = 0 // cells along a side, of half the reach or more; 1 where all pairs are tried
let box: f64 = 0
let inverseBox: f64 = 0
let cutoff: f64 = 0
let reach2: f64 = 0 // (cutoff + skin)²
let cutoff2: f64 = 0
let forceAtCutoff: f64 = 0
let energyAtCutoff: f64 = 0

export function configure(
  atoms: i32, base: usize, side: f64, cut: f64, skin: f64, alongSide: i32, cutForce: f64, cutEnergy: f64,
): void {
  n = atoms
  box = side
  inverseBox = 1 / side
  cutoff = cut
  cutoff2 = cut * cut
  reach2 = (cut + skin) * (cut + skin)
  cellCount = alongSide
  forceAtCutoff = cutForce
  energyAtCutoff = cutEnergy
  const bytes = <usize>atoms * ATOM
  places = base
  speeds = base + bytes
  origins = base + bytes * 2
  forces = base + bytes * 3
  sorted = base + bytes * 4
  order = sorted + (<usize>(atoms + 2) << 3) * 3
  homes = order + (<usize>(atoms + 2) << 2)
  rows = homes + (<usize>(atoms + 2) << 2)
  cells = rows + (<usize>(atoms + 2) << 3)
  pairs = cells + (<usize>(alongSide * alongSide * alongSide + 2) << 2)
  pairsMax = 0
}

// Where the partners begin, and how many there is room for: the memory is grown from outside.
export function pairsAt(): usize {
  return pairs
}

export function room(count: i32): void {
  pairsMax = count
}

// @ts-ignore: decorator
@inline
function lows(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23)
}

// @ts-ignore: decorator
@inline
function highs(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31)
}

// The list and whether it fits: addresses of the next partner and of the end of the room.
let tail: usize = 0
let limit: usize = 0

// Appends those of two candidates that are within reach: bit 0 the first, bit 1 the second.
// @ts-ignore: decorator
@inline
function append(bits: i32, at: usize): void {
  if (tail <= limit) {
    store<i32>(tail, load<i32>(at))
    store<i32>(tail + ((bits & 1) << 2), load<i32>(at, 4))
  }
  tail += ((bits & 1) + (bits >> 1)) << 2
}

// Candidates from place `from` to `to` of the order, seen from atom number `k` of it; the nearest image of each.
function scanAll(k: i32, from: i32, to: i32): void {
  const y = sorted + (<usize>(n + 2) << 3)
  const z = y + (<usize>(n + 2) << 3)
  const xi = v128.load64_splat(sorted + (<usize>k << 3))
  const yi = v128.load64_splat(y + (<usize>k << 3))
  const zi = v128.load64_splat(z + (<usize>k << 3))
  const side = f64x2.splat(box)
  const inverse = f64x2.splat(inverseBox)
  const reach = f64x2.splat(reach2)
  for (let m = from; m < to; m += 2) {
    const o = <usize>m << 3
    let dx = f64x2.sub(v128.load(sorted + o), xi)
    let dy = f64x2.sub(v128.load(y + o), yi)
    let dz = f64x2.sub(v128.load(z + o), zi)
    dx = f64x2.sub(dx, f64x2.mul(side, f64x2.nearest(f64x2.mul(dx, inverse))))
    dy = f64x2.sub(dy, f64x2.mul(side, f64x2.nearest(f64x2.mul(dy, inverse))))
    dz = f64x2.sub(dz, f64x2.mul(side, f64x2.nearest(f64x2.mul(dz, inverse))))
    const r2 = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz))
    let bits = i64x2.bitmask(f64x2.lt(r2, reach))
    if (m + 1 == to) bits &= 1
    append(bits, order + (<usize>m << 2))
  }
}

// The same for candidates that lie in one image: by the shift given.
function scanShifted(k: i32, from: i32, to: i32, shiftX: f64, shiftY: f64, shiftZ: f64): void {
  const y = sorted + (<usize>(n + 2) << 3)
  const z = y + (<usize>(n + 2) << 3)
  const xi = f64x2.splat(load<f64>(sorted + (<usize>k << 3)) - shiftX)
  const yi = f64x2.splat(load<f64>(y + (<usize>k << 3)) - shiftY)
  const zi = f64x2.splat(load<f64>(z + (<usize>k << 3)) - shiftZ)
  const reach = f64x2.splat(reach2)
  for (let m = from; m < to; m += 2) {
    const o = <usize>m << 3
    const dx = f64x2.sub(v128.load(sorted + o), xi)
    const dy = f64x2.sub(v128.load(y + o), yi)
    const dz = f64x2.sub(v128.load(z + o), zi)
    const r2 = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz))
    let bits = i64x2.bitmask(f64x2.lt(r2, reach))
    if (m + 1 == to) bits &= 1
    append(bits, order + (<usize>m << 2))
  }
}

// @ts-ignore: decorator
@inline
function firstOf(cell: i32): i32 {
  return load<i32>(cells + (<usize>cell << 2))
}

// The part of a column of cells from layer `low` to `high`, which may reach over the ends of the box.
function scanColumn(k: i32, column: i32, low: i32, high: i32, shiftX: f64, shiftY: f64): void {
  const c = cellCount
  const base = column * c
  if (low < 0) scanShifted(k, firstOf(base + low + c), firstOf(base + c), shiftX, shiftY, -box)
  scanShifted(k, firstOf(base + max(low, 0)), firstOf(base + min(high + 1, c)), shiftX, shiftY, 0)
  if (high >= c) scanShifted(k, firstOf(base), firstOf(base + high + 1 - c), shiftX, shiftY, box)
}

const SPAN: i32 = 2 // cells to either side that the reach may touch

// Partners of atom number k of the order, whose cell is (i, j, l): those behind it in its own column, then the columns
// ahead, so that every pair of atoms is met once.
function scanCells(k: i32, i: i32, j: i32, l: i32): void {
  const c = cellCount
  const own = (i * c + j) * c
  scanShifted(k, k + 1, firstOf(own + min(l + SPAN + 1, c)), 0, 0, 0)
  if (l + SPAN >= c) scanShifted(k, firstOf(own), firstOf(own + l + SPAN + 1 - c), 0, 0, box)
  for (let di = 0; di <= SPAN; di++) {
    const across = i + di >= c
    const shiftX = across ? box : 0
    const column = (across ? i + di - c : i + di) * c
    for (let dj = di == 0 ? 1 : -SPAN; dj <= SPAN; dj++) {
      const at = j + dj
      const shiftY = at < 0 ? -box : at >= c ? box : 0
      scanColumn(k, column + (at < 0 ? at + c : at >= c ? at - c : at), l - SPAN, l + SPAN, shiftX, shiftY)
    }
  }
}

// @ts-ignore: decorator
@inline
function wrapped(x: f64): f64 {
  return x - box * floor(x * inverseBox)
}

// @ts-ignore: decorator
@inline
function layer(x: f64): i32 {
  return max(0, min(cellCount - 1, <i32>(x * inverseBox * <f64>cellCount)))
}

// Sorts the atoms by cells, in the order of their numbers within a cell.
function sortByCells(): void {
  const c = cellCount
  const all = c * c * c
  memory.fill(cells, 0, <usize>(all + 2) << 2)
  for (let a = 0; a < n; a++) {
    const at = places + <usize>a * ATOM
    const cell = c == 1 ? 0 : (layer(wrapped(load<f64>(at))) * c + layer(wrapped(load<f64>(at, 8)))) * c
      + layer(wrapped(load<f64>(at, 16)))
    store<i32>(homes + (<usize>a << 2), cell)
    const counted = cells + (<usize>(cell + 2) << 2)
    store<i32>(counted, load<i32>(counted) + 1)
  }
  for (let cell = 1; cell <= all; cell++) {
    const at = cells + (<usize>(cell + 1) << 2)
    store<i32>(at, load<i32>(at) + load<i32>(at - 4))
  }
  // Entry cell + 1 is where the next atom of the cell goes; at the end it is where the next cell begins.
  const y = sorted + (<usize>(n + 2) << 3)
  const z = y + (<usize>(n + 2) << 3)
  for (let a = 0; a < n; a++) {
    const next = cells + (<usize>(load<i32>(homes + (<usize>a << 2)) + 1) << 2)
    const k = load<i32>(next)
    store<i32>(next, k + 1)
    const at = places + <usize>a * ATOM
    store<i32>(order + (<usize>k << 2), <i32>(<usize>a * ATOM))
    store<f64>(sorted + (<usize>k << 3), wrapped(load<f64>(at)))
    store<f64>(y + (<usize>k << 3), wrapped(load<f64>(at, 8)))
    store<f64>(z + (<usize>k << 3), wrapped(load<f64>(at, 16)))
  }
}

// Makes the list from the places as they are. All of them must be finite. Returns the number of partners: when that is
// more than there is room for, the list is not whole and must be made again.
export function list(): i32 {
  memory.copy(origins, places, <usize>n * ATOM)
  sortByCells()
  tail = pairs
  limit = pairs + (<usize>max(0, pairsMax - 2) << 2)
  const c = cellCount
  for (let k = 0; k < n; k++) {
    const row = rows + (<usize>k << 3)
    const atom = load<i32>(order + (<usize>k << 2))
    store<i32>(row, atom)
    store<i32>(row, <i32>tail, 4)
    if (c == 1) {
      scanAll(k, k + 1, n)
    } else {
      const cell = load<i32>(homes + (<usize>(atom >> 5) << 2))
      const column = cell / c
      scanCells(k, column / c, column % c, cell % c)
    }
  }
  store<i32>(rows + (<usize>n << 3), <i32>tail, 4)
  return <i32>((tail - pairs) >> 2)
}

// Sums of the atom in hand: the odd partner that has none beside it.
let loneX: f64 = 0
let loneY: f64 = 0
let loneZ: f64 = 0

// @ts-ignore: decorator
@inline
function closest(d: f64): f64 {
  return d - box * nearest(d * inverseBox)
}

// One pair, where no second one shares the vector.
function pair(i: usize, j: usize): void {
  const dx = closest(load<f64>(places + j) - load<f64>(places + i))
  const dy = closest(load<f64>(places + j, 8) - load<f64>(places + i, 8))
  const dz = closest(load<f64>(places + j, 16) - load<f64>(places + i, 16))
  const r2 = dx * dx + dy * dy + dz * dz
  let push: f64 = 0
  if (r2 < cutoff2) {
    const inverse2 = 1 / r2
    const inverse6 = inverse2 * inverse2 * inverse2
    push = (48 * inverse6 - 24) * inverse6 * inverse2 - forceAtCutoff * sqrt(inverse2)
  }
  loneX = push * dx
  loneY = push * dy
  loneZ = push * dz
  const at = forces + j
  store<f64>(at, load<f64>(at) + loneX)
  store<f64>(at, load<f64>(at, 8) + loneY, 8)
  store<f64>(at, load<f64>(at, 16) + loneZ, 16)
}

// Forces on all atoms by the list.
export function push(): void {
  memory.fill(forces, 0, <usize>n * ATOM)
  const side = f64x2.splat(box)
  const inverse = f64x2.splat(inverseBox)
  const cut = f64x2.splat(cutoff2)
  const atCutoff = f64x2.splat(forceAtCutoff)
  const one = f64x2.splat(1)
  const c48 = f64x2.splat(48)
  const c24 = f64x2.splat(24)
  for (let row = rows, last = rows + (<usize>n << 3); row < last; row += 8) {
    const i = <usize>load<u32>(row)
    let at = <usize>load<u32>(row, 4)
    const end = <usize>load<u32>(row, 12)
    const xi = v128.load64_splat(places + i)
    const yi = v128.load64_splat(places + i, 8)
    const zi = v128.load64_splat(places + i, 16)
    let sumX = f64x2.splat(0)
    let sumY = f64x2.splat(0)
    let sumZ = f64x2.splat(0)
    const even = end - ((end - at) & 4)
    for (; at < even; at += 8) {
      const j = <usize>load<u32>(at)
      const k = <usize>load<u32>(at, 4)
      const xyj = v128.load(places + j)
      const xyk = v128.load(places + k)
      let dx = f64x2.sub(lows(xyj, xyk), xi)
      let dy = f64x2.sub(highs(xyj, xyk), yi)
      let dz = f64x2.sub(lows(v128.load(places + j, 16), v128.load(places + k, 16)), zi)
      dx = f64x2.sub(dx, f64x2.mul(side, f64x2.nearest(f64x2.mul(dx, inverse))))
      dy = f64x2.sub(dy, f64x2.mul(side, f64x2.nearest(f64x2.mul(dy, inverse))))
      dz = f64x2.sub(dz, f64x2.mul(side, f64x2.nearest(f64x2.mul(dz, inverse))))
      const r2 = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz))
      const inverse2 = f64x2.div(one, r2)
      const inverse6 = f64x2.mul(f64x2.mul(inverse2, inverse2), inverse2)
      const steep = f64x2.mul(f64x2.mul(f64x2.sub(f64x2.mul(c48, inverse6), c24), inverse6), inverse2)
      const whole = f64x2.sub(steep, f64x2.mul(atCutoff, f64x2.sqrt(inverse2)))
      const strength = v128.and(whole, f64x2.lt(r2, cut))
      const fx = f64x2.mul(strength, dx)
      const fy = f64x2.mul(strength, dy)
      const fz = f64x2.mul(strength, dz)
      sumX = f64x2.add(sumX, fx)
      sumY = f64x2.add(sumY, fy)
      sumZ = f64x2.add(sumZ, fz)
      v128.store(forces + j, f64x2.add(v128.load(forces + j), lows(fx, fy)))
      v128.store(forces + k, f64x2.add(v128.load(forces + k), highs(fx, fy)))
      store<f64>(forces + j, load<f64>(forces + j, 16) + f64x2.extract_lane(fz, 0), 16)
      store<f64>(forces + k, load<f64>(forces + k, 16) + f64x2.extract_lane(fz, 1), 16)
    }
    loneX = loneY = loneZ = 0
    if (at < end) pair(i, <usize>load<u32>(at))
    const to = forces + i
    store<f64>(to, load<f64>(to) - (f64x2.extract_lane(sumX, 0) + loneX + f64x2.extract_lane(sumX, 1)))
    store<f64>(to, load<f64>(to, 8) - (f64x2.extract_lane(sumY, 0) + loneY + f64x2.extract_lane(sumY, 1)), 8)
    store<f64>(to, load<f64>(to, 16) - (f64x2.extract_lane(sumZ, 0) + loneZ + f64x2.extract_lane(sumZ, 1)), 16)
  }
}

// Half a kick, then the drift. Returns the largest squared distance of an atom from where the list saw it; not a
// number when any place is not.
export function drift(half: f64, dt: f64): f64 {
  const h = f64x2.splat(half)
  const t = f64x2.splat(dt)
  let most: f64 = 0
  for (let o: usize = 0, end = <usize>n * ATOM; o < end; o += ATOM) {
    const u = f64x2.add(v128.load(speeds + o), f64x2.mul(h, v128.load(forces + o)))
    const w = f64x2.add(v128.load(speeds + o, 16), f64x2.mul(h, v128.load(forces + o, 16)))
    v128.store(speeds + o, u)
    v128.store(speeds + o, w, 16)
    const x = f64x2.add(v128.load(places + o), f64x2.mul(t, u))
    const z = f64x2.add(v128.load(places + o, 16), f64x2.mul(t, w))
    v128.store(places + o, x)
    v128.store(places + o, z, 16)
    const dx = f64x2.sub(x, v128.load(origins + o))
    const dz = f64x2.sub(z, v128.load(origins + o, 16))
    const square = f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dz, dz))
    const moved = f64x2.extract_lane(square, 0) + f64x2.extract_lane(square, 1)
    most = moved <= most ? most : moved
  }
  return most
}

// The other half of the kick.
export function kick(half: f64): void {
  const h = f64x2.splat(half)
  for (let o: usize = 0, end = <usize>n * ATOM; o < end; o += 16) {
    v128.store(speeds + o, f64x2.add(v128.load(speeds + o), f64x2.mul(h, v128.load(forces + o))))
  }
}

let virialSum: f64 = 0

// Σ r·F over the pairs that `energy` saw last.
export function virial(): f64 {
  return virialSum
}

// Potential energy by the list. Pairs within the cutoff are counted by distance into `bins` numbers from `counts` on.
export function energy(counts: usize, bins: i32): f64 {
  let sum: f64 = 0
  virialSum = 0
  const scale = <f64>bins / cutoff
  for (let row = rows, last = rows + (<usize>n << 3); row < last; row += 8) {
    const i = <usize>load<u32>(row)
    const end = <usize>load<u32>(row, 12)
    for (let at = <usize>load<u32>(row, 4); at < end; at += 4) {
      const j = <usize>load<u32>(at)
      const dx = closest(load<f64>(places + j) - load<f64>(places + i))
      const dy = closest(load<f64>(places + j, 8) - load<f64>(places + i, 8))
      const dz = closest(load<f64>(places + j, 16) - load<f64>(places + i, 16))
      const r2 = dx * dx + dy * dy + dz * dz
      if (!(r2 < cutoff2)) continue
      const r = sqrt(r2)
      const inverse2 = 1 / r2
      const inverse6 = inverse2 * inverse2 * inverse2
      sum += (4 * inverse6 - 4) * inverse6 - energyAtCutoff + (r - cutoff) * forceAtCutoff
      virialSum += (48 * inverse6 - 24) * inverse6 - forceAtCutoff * r
      const bin = counts + (<usize>min(bins - 1, <i32>(r * scale)) << 3)
      store<f64>(bin, load<f64>(bin) + 1)
    }
  }
  return sum
}
