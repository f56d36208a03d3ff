// One explicit step of diffusion, forward in time, two lanes wide: u + r_x·δx²u, then + r_y·δy²u on a rectangle.
//
// A field lies with one ghost node on every side (two before a row, so that rows keep their 16-byte places): zero
// beyond a fixed edge, whose own node is the ghost, the mirror beyond an insulated one, the other end of a ring.

let rows: i32 = 0
let columns: i32 = 0
let stride: usize = 0
let boundary: i32 = 0 // 0 fixed, 1 insulated, 2 periodic
let along: f64 = 0
let across: f64 = 0

export function configure(rowCount: i32, columnCount: i32, rowBytes: usize, kind: i32, rx: f64, ry: f64): void {
  rows = rowCount
  columns = columnCount
  stride = rowBytes
  boundary = kind
  along = rx
  across = ry
}

function surround(field: usize): void {
  const first = field + stride + 16
  const last = <usize>(columns - 1) << 3
  for (let r = 0; r < rows; r++) {
    const row = first + <usize>r * stride
    const before = boundary == 0 ? 0 : boundary == 1 ? load<f64>(row + 8) : load<f64>(row + last)
    const after = boundary == 0 ? 0 : boundary == 1 ? load<f64>(row + last - 8) : load<f64>(row)
    store<f64>(row - 8, before)
    store<f64>(row + last + 8, after)
  }
  if (rows == 1) return
  const bottom = field + <usize>(rows + 1) * stride
  if (boundary == 0) {
    memory.fill(field, 0, stride)
    memory.fill(bottom, 0, stride)
  } else if (boundary == 1) {
    memory.copy(field, field + 2 * stride, stride)
    memory.copy(bottom, bottom - 2 * stride, stride)
  } else {
    memory.copy(field, bottom - stride, stride)
    memory.copy(bottom, field + stride, stride)
  }
}

// `next` becomes the field a step after `now`.
export function step(now: usize, next: usize): void {
  surround(now)
  const rx = f64x2.splat(along), ry = f64x2.splat(across), two = f64x2.splat(2)
  for (let r = 0; r < rows; r++) {
    // Loads take offsets from one node to the left, and 8 is the node itself.
    let at = now + <usize>(r + 1) * stride + 8
    let to = next + <usize>(r + 1) * stride + 8
    const end = at + (<usize>columns << 3)
    while (at < end) {
      const here = v128.load(at, 8)
      const double = f64x2.mul(two, here)
      const bend = f64x2.add(f64x2.sub(v128.load(at), double), v128.load(at, 16))
      let moved = f64x2.add(here, f64x2.mul(rx, bend))
      if (rows > 1) {
        const dip = f64x2.add(f64x2.sub(v128.load(at - stride, 8), double), v128.load(at + stride, 8))
        moved = f64x2.add(moved, f64x2.mul(ry, dip))
      }
      v128.store(to, moved, 8)
      at += 16
      to += 16
    }
  }
}
