/** The kernel of the transforms as plain loops: the same numbers in the same order, a pair of rows at a time. */

import { type Expansion, type Fft, type GridAxis, nodesOf, rootOfUnity } from '#numerics/methods/fft.ts'

const isPowerOfTwo = (n: number): boolean => n > 0 && (n & (n - 1)) === 0

interface Parts {
  readonly re: Float64Array
  readonly im: Float64Array
}
const parts = (n: number): Parts => ({ re: new Float64Array(n), im: new Float64Array(n) })

/** One radix-4 pass of Stockham's ordering: blocks of `stride` points, `quarter` butterflies each. */
const passOfFour = (from: Parts, to: Parts, { re: wr, im: wi }: Parts, stride: number): void => {
  const n = from.re.length
  const quarter = n / 4
  const groups = quarter / stride
  const { re: xr, im: xi } = from
  const { re: yr, im: yi } = to
  for (let p = 0; p < groups; p++) {
    const w1 = p * stride
    const ar = wr[w1]
    const ai = wi[w1]
    const br = wr[2 * w1]
    const bi = wi[2 * w1]
    const cr = wr[3 * w1]
    const ci = wi[3 * w1]
    for (let q = 0; q < stride; q++) {
      const at = q + stride * p
      const r0 = xr[at] + xr[at + 2 * quarter]
      const i0 = xi[at] + xi[at + 2 * quarter]
      const r1 = xr[at] - xr[at + 2 * quarter]
      const i1 = xi[at] - xi[at + 2 * quarter]
      const r2 = xr[at + quarter] + xr[at + 3 * quarter]
      const i2 = xi[at + quarter] + xi[at + 3 * quarter]
      const r3 = xi[at + quarter] - xi[at + 3 * quarter]
      const i3 = xr[at + 3 * quarter] - xr[at + quarter]
      const out = q + 4 * stride * p
      yr[out] = r0 + r2
      yi[out] = i0 + i2
      const er = r1 + r3
      const ei = i1 + i3
      yr[out + stride] = er * ar - ei * ai
      yi[out + stride] = er * ai + ei * ar
      const fr = r0 - r2
      const fi = i0 - i2
      yr[out + 2 * stride] = fr * br - fi * bi
      yi[out + 2 * stride] = fr * bi + fi * br
      const gr = r1 - r3
      const gi = i1 - i3
      yr[out + 3 * stride] = gr * cr - gi * ci
      yi[out + 3 * stride] = gr * ci + gi * cr
    }
  }
}

/** The last pass where the length is an odd power of two: plain sums and differences of the halves. */
const passOfTwo = (from: Parts, to: Parts): void => {
  const half = from.re.length / 2
  for (let q = 0; q < half; q++) {
    to.re[q] = from.re[q] + from.re[q + half]
    to.im[q] = from.im[q] + from.im[q + half]
    to.re[q + half] = from.re[q] - from.re[q + half]
    to.im[q + half] = from.im[q] - from.im[q + half]
  }
}

const powerOfTwo = (n: number): Fft => {
  const twiddles = parts(n)
  for (let k = 0; k < n; k++) [twiddles.re[k], twiddles.im[k]] = rootOfUnity(k, n) as [number, number]
  const work = parts(n)
  const forward = (re: Float64Array, im: Float64Array): void => {
    let from: Parts = { re, im }
    let to: Parts = work
    let stride = 1
    for (; 4 * stride <= n; stride *= 4) {
      passOfFour(from, to, twiddles, stride)
      const swap = from
      from = to
      to = swap
    }
    if (stride < n) {
      passOfTwo(from, to)
      from = to
    }
    if (from.re !== re) {
      re.set(from.re)
      im.set(from.im)
    }
  }
  return { length: n, forward }
}

/** Any length as a convolution of a power of two (Bluestein 1970): jk = (j² + k² − (k − j)²)/2. */
const anyLength = (n: number): Fft => {
  let m = 1
  while (m < 2 * n - 1) m *= 2
  const inner = twinFft(m)
  const chirp = parts(n)
  const kernel = parts(m)
  for (let j = 0; j < n; j++) {
    const [c, s] = rootOfUnity(squareModulo(j, 2 * n), 2 * n)
    chirp.re[j] = c
    chirp.im[j] = s
    kernel.re[j] = c
    kernel.im[j] = -s
    if (j > 0) {
      kernel.re[m - j] = c
      kernel.im[m - j] = -s
    }
  }
  inner.forward(kernel.re, kernel.im)
  const { re: ar, im: ai } = parts(m)
  const forward = (re: Float64Array, im: Float64Array): void => {
    ar.fill(0)
    ai.fill(0)
    for (let j = 0; j < n; j++) {
      ar[j] = re[j] * chirp.re[j] - im[j] * chirp.im[j]
      ai[j] = re[j] * chirp.im[j] + im[j] * chirp.re[j]
    }
    inner.forward(ar, ai)
    for (let j = 0; j < m; j++) {
      const r = ar[j] * kernel.re[j] - ai[j] * kernel.im[j]
      // Conjugated, so that the second forward transform is an inverse one.
      ai[j] = -(ar[j] * kernel.im[j] + ai[j] * kernel.re[j])
      ar[j] = r
    }
    inner.forward(ar, ai)
    for (let k = 0; k < n; k++) {
      const r = ar[k] / m
      const i = -ai[k] / m
      re[k] = r * chirp.re[k] - i * chirp.im[k]
      im[k] = r * chirp.im[k] + i * chirp.re[k]
    }
  }
  return { length: n, forward }
}

/** j² modulo n, exact: j is below n and n below 2^23. */
const squareModulo = (j: number, n: number): number => (j * j) % n

const plans = new Map<number, Fft>()

export const twinFft = (n: number): Fft => {
  const plan = plans.get(n) ?? (isPowerOfTwo(n) ? powerOfTwo(n) : anyLength(n))
  plans.set(n, plan)
  return plan
}

/** Fills the two parts with two rows, continued oddly, evenly or not at all. */
const continueRows = (kind: Expansion, row: (j: number, part: 0 | 1) => number, { re, im }: Parts): void => {
  const length = re.length
  const n = kind === 'hartley' ? length : length / 2
  if (kind === 'sine') {
    re[0] = im[0] = re[n] = im[n] = 0
    for (let j = 1; j < n; j++) {
      const a = row(j - 1, 0)
      const b = row(j - 1, 1)
      re[j] = a
      im[j] = b
      re[length - j] = -a
      im[length - j] = -b
    }
    return
  }
  const last = kind === 'cosine' ? n : n - 1
  for (let j = 0; j <= last; j++) {
    re[j] = row(j, 0)
    im[j] = row(j, 1)
    if (kind === 'cosine' && j > 0 && j < n) {
      re[length - j] = re[j]
      im[length - j] = im[j]
    }
  }
}

/** The coefficient `index` of both rows from their common transform. */
const coefficients = (kind: Expansion, index: number, { re, im }: Parts): readonly [number, number] => {
  if (kind === 'sine') return [-im[index + 1] / 2, re[index + 1] / 2]
  if (kind === 'cosine') return [re[index], im[index]]
  const n = re.length
  const other = (n - index) % n
  // The spectra of the two real rows, told apart by their symmetry; each gives real − imaginary part.
  const even = (re[index] + re[other]) / 2
  const odd = (im[index] - im[other]) / 2
  const evenOfB = (im[index] + im[other]) / 2
  const oddOfB = (re[other] - re[index]) / 2
  return [even - odd, evenOfB - oddOfB]
}

/** Expands every row of `rows` rows in place; two rows share one complex transform. */
const expandRows = (values: Float64Array, kind: Expansion, intervals: number): void => {
  const nodes = nodesOf(kind, intervals)
  const rows = values.length / nodes
  const plan = twinFft(kind === 'hartley' ? intervals : 2 * intervals)
  const both = parts(plan.length)
  for (let r = 0; r < rows; r += 2) {
    const a = r * nodes
    const b = a + nodes
    const paired = r + 1 < rows
    continueRows(kind, (j, part) => (part === 0 ? values[a + j] : paired ? values[b + j] : 0), both)
    plan.forward(both.re, both.im)
    for (let j = 0; j < nodes; j++) {
      const [first, second] = coefficients(kind, j, both)
      values[a + j] = first
      if (paired) values[b + j] = second
    }
  }
}

const transpose = (values: Float64Array, rows: number, columns: number): Float64Array => {
  const BLOCK = 32
  const turned = new Float64Array(values.length)
  for (let r0 = 0; r0 < rows; r0 += BLOCK) {
    for (let c0 = 0; c0 < columns; c0 += BLOCK) {
      for (let r = r0; r < Math.min(rows, r0 + BLOCK); r++) {
        for (let c = c0; c < Math.min(columns, c0 + BLOCK); c++) turned[c * rows + r] = values[r * columns + c]
      }
    }
  }
  return turned
}

/** Coefficients of a field in the modes of its axes, one or two. */
export const twinExpand = (values: Float64Array, axes: readonly GridAxis[]): Float64Array => {
  const sizes = axes.map(({ kind, intervals }) => nodesOf(kind, intervals))
  const across = axes.at(-1) as GridAxis
  let field = Float64Array.from(values)
  expandRows(field, across.kind, across.intervals)
  if (axes.length === 2) {
    const [rows, columns] = sizes as [number, number]
    const down = axes[0]
    const turned = transpose(field, rows, columns)
    expandRows(turned, down.kind, down.intervals)
    field = transpose(turned, columns, rows) as Float64Array<ArrayBuffer>
  }
  return field
}
