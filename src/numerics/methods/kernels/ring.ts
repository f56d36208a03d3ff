// One step of the Peaceman–Rachford alternating-direction scheme on a ring of rings, two lanes wide.
//
// In the units of the heat kernel. A ring's last unknown is set aside: the others are eliminated as on a line with
// fixed ends, the last one follows from its two neighbours, and what it does to the others is its own influence z times
// it. Rows lie padded; rows beyond the field fill up the last block of eight and stay zero.

const BLOCK: i32 = 8
const COLUMN: usize = 64 // bytes of one column of a block: eight rows

let rows: i32 = 0
let columns: i32 = 0
let stride: usize = 0
let field: usize = 0
let work: usize = 0
let packed: usize = 0 // one block by columns
// Inverse pivots and influences of a ring of rows and of one of columns, a place for every unknown.
let pivotsAcross: usize = 0
let influenceAcross: usize = 0
let pivotsAlong: usize = 0
let influenceAlong: usize = 0
let aAcross: f64 = 0
let aAlong: f64 = 0
let restAcross: f64 = 0
let restAlong: f64 = 0

export function configure(
  rowCount: i32, columnCount: i32, rowBytes: usize, uAt: usize, workAt: usize, packedAt: usize, tables: usize,
  stencilAcross: f64, stencilAlong: f64, lastAcross: f64, lastAlong: f64,
): void {
  rows = rowCount
  columns = columnCount
  stride = rowBytes
  field = uAt
  work = workAt
  packed = packedAt
  pivotsAcross = tables
  influenceAcross = tables + (<usize>rowCount << 3)
  pivotsAlong = tables + (<usize>rowCount << 4)
  influenceAlong = pivotsAlong + (<usize>columnCount << 3)
  aAcross = stencilAcross
  aAlong = stencilAlong
  restAcross = lastAcross
  restAlong = lastAlong
}

// Row `to` becomes the stencil along row `from`. Pairs reach from the second column to beyond the last, whose two
// neighbours are put right afterwards.
function along(from: usize, to: usize): void {
  const a = f64x2.splat(aAlong)
  const last = <usize>(columns - 1) << 3
  for (let o: usize = 0; o < last; o += 16) {
    const sides = f64x2.add(v128.load(from + o), v128.load(from + o, 16))
    v128.store(to + o, f64x2.add(f64x2.mul(a, v128.load(from + o, 8)), sides), 8)
  }
  store<f64>(to, aAlong * load<f64>(from) + (load<f64>(from + last) + load<f64>(from, 8)))
  store<f64>(to + last, aAlong * load<f64>(from + last) + (load<f64>(from + last - 8) + load<f64>(from)))
}

// Stencil along every row into `work`, and elimination across the rows but for the last.
function down(): void {
  for (let r = 0; r < rows; r++) {
    const row = work + <usize>r * stride
    along(field + <usize>r * stride, row)
    if (r == rows - 1) return
    const pivot = v128.load64_splat(pivotsAcross + (<usize>r << 3))
    if (r == 0) {
      for (let o: usize = 0; o < stride; o += 16) v128.store(row + o, f64x2.mul(v128.load(row + o), pivot))
    } else {
      for (let o: usize = 0; o < stride; o += 16) {
        v128.store(row + o, f64x2.mul(f64x2.add(v128.load(row + o), v128.load(row + o - stride)), pivot))
      }
    }
  }
}

// Back substitution across the rows, the last row, and its influence on the others.
function up(): void {
  for (let r = rows - 3; r >= 0; r--) {
    const row = work + <usize>r * stride
    const back = v128.load64_splat(pivotsAcross + (<usize>r << 3))
    for (let o: usize = 0; o < stride; o += 16) {
      v128.store(row + o, f64x2.add(v128.load(row + o), f64x2.mul(back, v128.load(row + o + stride))))
    }
  }
  const last = work + <usize>(rows - 1) * stride
  const rest = f64x2.splat(restAcross)
  for (let o: usize = 0; o < stride; o += 16) {
    const ends = f64x2.add(v128.load(work + o), v128.load(last + o - stride))
    v128.store(last + o, f64x2.mul(f64x2.add(v128.load(last + o), ends), rest))
  }
  for (let r = 0; r < rows - 1; r++) {
    const row = work + <usize>r * stride
    const z = v128.load64_splat(influenceAcross + (<usize>r << 3))
    for (let o: usize = 0; o < stride; o += 16) {
      v128.store(row + o, f64x2.add(v128.load(row + o), f64x2.mul(z, v128.load(last + o))))
    }
  }
}

// Stencil across the rows, from `work` into the field.
function across(): void {
  const a = f64x2.splat(aAcross)
  for (let r = 0; r < rows; r++) {
    const row = work + <usize>r * stride
    const before = r > 0 ? row - stride : work + <usize>(rows - 1) * stride
    const after = r < rows - 1 ? row + stride : work
    const to = field + <usize>r * stride
    for (let o: usize = 0; o < stride; o += 16) {
      const sides = f64x2.add(v128.load(before + o), v128.load(after + o))
      v128.store(to + o, f64x2.add(f64x2.mul(a, v128.load(row + o)), sides))
    }
  }
}

// One column of two rows.
// @ts-ignore: decorator
@inline
function two(row: usize): v128 {
  return v128.load64_lane(row + stride, v128.load64_splat(row), 1)
}

// @ts-ignore: decorator
@inline
function part(row: usize, x: v128): void {
  v128.store64_lane(row, x, 0)
  v128.store64_lane(row + stride, x, 1)
}

// @ts-ignore: decorator
@inline
function lastOf(own: v128, first: v128, before: v128): v128 {
  return f64x2.mul(f64x2.add(own, f64x2.add(first, before)), f64x2.splat(restAlong))
}

// Solves the rings along eight rows in place: four pairs of rows side by side, so that none waits for itself.
function solve(top: usize): void {
  const last = <usize>(columns - 1) << 3
  const r1 = top + 2 * stride, r2 = top + 4 * stride, r3 = top + 6 * stride
  let d0 = f64x2.splat(0), d1 = d0, d2 = d0, d3 = d0, at = packed
  for (let o: usize = 0; o < last; o += 8) {
    const pivot = v128.load64_splat(pivotsAlong + o)
    d0 = f64x2.mul(f64x2.add(two(top + o), d0), pivot)
    d1 = f64x2.mul(f64x2.add(two(r1 + o), d1), pivot)
    d2 = f64x2.mul(f64x2.add(two(r2 + o), d2), pivot)
    d3 = f64x2.mul(f64x2.add(two(r3 + o), d3), pivot)
    v128.store(at, d0)
    v128.store(at, d1, 16)
    v128.store(at, d2, 32)
    v128.store(at, d3, 48)
    at += COLUMN
  }
  const e0 = d0, e1 = d1, e2 = d2, e3 = d3
  at -= COLUMN
  for (let o = last - 8; o > 0; o -= 8) {
    at -= COLUMN
    const back = v128.load64_splat(pivotsAlong + o - 8)
    d0 = f64x2.add(v128.load(at), f64x2.mul(back, d0))
    d1 = f64x2.add(v128.load(at, 16), f64x2.mul(back, d1))
    d2 = f64x2.add(v128.load(at, 32), f64x2.mul(back, d2))
    d3 = f64x2.add(v128.load(at, 48), f64x2.mul(back, d3))
    v128.store(at, d0)
    v128.store(at, d1, 16)
    v128.store(at, d2, 32)
    v128.store(at, d3, 48)
  }
  const x0 = lastOf(two(top + last), d0, e0), x1 = lastOf(two(r1 + last), d1, e1)
  const x2 = lastOf(two(r2 + last), d2, e2), x3 = lastOf(two(r3 + last), d3, e3)
  part(top + last, x0)
  part(r1 + last, x1)
  part(r2 + last, x2)
  part(r3 + last, x3)
  for (let o: usize = 0; o < last; o += 8) {
    const z = v128.load64_splat(influenceAlong + o)
    part(top + o, f64x2.add(v128.load(at), f64x2.mul(z, x0)))
    part(r1 + o, f64x2.add(v128.load(at, 16), f64x2.mul(z, x1)))
    part(r2 + o, f64x2.add(v128.load(at, 32), f64x2.mul(z, x2)))
    part(r3 + o, f64x2.add(v128.load(at, 48), f64x2.mul(z, x3)))
    at += COLUMN
  }
}

// One whole step of the field.
export function step(): void {
  down()
  up()
  across()
  for (let r = 0; r < rows; r += BLOCK) solve(field + <usize>r * stride)
}
