// What fields are compared by and what is read off them, row by row: squares summed in the order of the nodes, largest
// and least values, departures of nodes from their neighbours. A NaN is in every number that it touches.
//
// Running numbers are doubles in memory, taken up where the last row left them.

// Two rows: sums of the squares of their differences and of the second row, then the largest of both without sign.
export function compare(a: usize, b: usize, count: i32, running: usize): void {
  let sums = v128.load(running)
  let most = v128.load(running, 16)
  for (let end = a + (<usize>count << 3); a < end; a += 8) {
    const exact = load<f64>(b)
    const both = f64x2.replace_lane(f64x2.splat(load<f64>(a) - exact), 1, exact)
    sums = f64x2.add(sums, f64x2.mul(both, both))
    most = f64x2.max(most, f64x2.abs(both))
    b += 8
  }
  v128.store(running, sums)
  v128.store(running, most, 16)
}

// The differences of two rows, with a ghost on either side: the other end of a ring, or the mirror of a neighbour.
export function subtract(a: usize, b: usize, count: i32, to: usize, ring: i32): void {
  const bytes = <usize>count << 3
  for (let o: usize = 0; o < bytes; o += 8) store<f64>(to + o, load<f64>(a + o) - load<f64>(b + o))
  store<f64>(to - 8, load<f64>(ring ? to + bytes - 8 : to + 8))
  store<f64>(to + bytes, load<f64>(ring ? to : to + bytes - 16))
}

// The largest departure of a node from the mean of its neighbours, and what it was before: on a line, `up` is 0.
export function depart(row: usize, up: usize, down: usize, count: i32, before: f64): f64 {
  let most = before
  const bytes = <usize>count << 3
  for (let o: usize = 0; o < bytes; o += 8) {
    let around = load<f64>(row + o - 8) + load<f64>(row + o + 8)
    if (up) around += load<f64>(up + o) + load<f64>(down + o)
    most = max(most, abs(load<f64>(row + o) - around * (up ? 0.25 : 0.5)))
  }
  return most
}

// A row's sum of squares by weight, its ends by half of that, and its least and greatest value.
export function read(row: usize, count: i32, weight: f64, running: usize): void {
  let sum = load<f64>(running), least = load<f64>(running, 8), greatest = load<f64>(running, 16)
  const end = row + (<usize>(count - 1) << 3)
  for (let at = row; at <= end; at += 8) {
    const value = load<f64>(at)
    sum += (at == row || at == end ? weight / 2 : weight) * (value * value)
    least = min(least, value)
    greatest = max(greatest, value)
  }
  store<f64>(running, sum)
  store<f64>(running, least, 8)
  store<f64>(running, greatest, 16)
}

// Sums of the squared slopes along a row, by its weight, and from it to the one below, by 1 and at both ends by a half;
// the last row has none below.
export function slopes(row: usize, below: usize, count: i32, weight: f64, dx: f64, dy: f64, running: usize): void {
  let sums = v128.load(running)
  const spacing = f64x2.replace_lane(f64x2.splat(dx), 1, dy)
  const bytes = <usize>count << 3
  for (let o: usize = 0; o < bytes; o += 8) {
    const value = load<f64>(row + o)
    const slope = o + 8 < bytes ? load<f64>(row + o + 8) - value : 0
    const rise = below ? load<f64>(below + o) - value : 0
    const both = f64x2.div(f64x2.replace_lane(f64x2.splat(slope), 1, rise), spacing)
    const weights = f64x2.replace_lane(f64x2.splat(weight), 1, o == 0 || o + 8 == bytes ? 0.5 : 1)
    sums = f64x2.add(sums, f64x2.mul(f64x2.mul(weights, both), both))
  }
  v128.store(running, sums)
}
