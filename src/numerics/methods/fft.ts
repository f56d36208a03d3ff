import { assert } from '#core/assert.ts'
import { cos, PI, SQRT1_2, sin } from '#numerics/math.ts'
import { KERNEL_DATA_START, type Kernel, loadKernel } from '#numerics/runtime/kernel.ts'

/** Points of the longest transform: its tables and sequences take 112 bytes a point. */
export const POINTS_MAX = 4_194_304
/** Plans kept per thread; the oldest goes first. */
const PLANS_MAX = 32
/** Memory of the kernel that is kept between transforms: four times what grids of 512 × 512 intervals need. */
const KEPT_BYTES_MAX = 16_777_216

const DOUBLE = 8
const LINE = 64
/** Real lines that the kernel expands at a time: two lanes of two. */
const LINES_AT_ONCE = 4

/** Transforms complex sequences of one length in place. */
export interface Fft {
  readonly length: number
  /** X_k = Σ x_j exp(−2πi·jk/n), both parts in place. */
  readonly forward: (re: Float64Array, im: Float64Array) => void
}

/** exp(−2πi·k/n), with the angle brought into the first octant in integers so that symmetric entries agree exactly. */
export const rootOfUnity = (k: number, n: number): readonly [number, number] => {
  const eighth = 8 * (k % n)
  const octant = Math.floor(eighth / n)
  const rest = eighth - octant * n
  const angle = (PI / 4) * ((octant % 2 === 0 ? rest : n - rest) / n)
  // On a diagonal both are the same double; sine and cosine of the double nearest to π/4 are not.
  const diagonal = octant % 2 === 1 && rest === 0
  const c = diagonal ? SQRT1_2 : cos(angle)
  const s = diagonal ? SQRT1_2 : sin(angle)
  switch (octant) {
    case 0:
      return [c, -s]
    case 1:
      return [s, -c]
    case 2:
      return [-s, -c]
    case 3:
      return [-c, -s]
    case 4:
      return [-c, s]
    case 5:
      return [-s, c]
    case 6:
      return [s, c]
    default:
      return [c, s]
  }
}

const isPowerOfTwo = (n: number): boolean => n > 0 && (n & (n - 1)) === 0

/** What the kernel needs for one length. */
interface Plan {
  readonly length: number
  /** The length if that is a power of two, else room for a convolution. */
  readonly points: number
  /** Pairs of real and imaginary part: twiddles, then, where `points` is not the length, chirp and its spectrum. */
  readonly tables: Float64Array
}

const powerOfTwo = (n: number): Plan => {
  const tables = new Float64Array(2 * n)
  for (let k = 0; k < n; k++) tables.set(rootOfUnity(k, n), 2 * k)
  return { length: n, points: n, tables }
}

/** j² modulo n, exact: j is below n and n below 2^23. */
const squareModulo = (j: number, n: number): number => (j * j) % n

/** Any length as a convolution of a power of two (Bluestein 1970): jk = (j² + k² − (k − j)²)/2. */
const anyLength = (n: number): Plan => {
  let m = 1
  while (m < 2 * n - 1) m *= 2
  const tables = new Float64Array(2 * (m + n + m))
  tables.set(planOf(m).tables)
  const [re, im] = [new Float64Array(m), new Float64Array(m)]
  for (let j = 0; j < n; j++) {
    const [c, s] = rootOfUnity(squareModulo(j, 2 * n), 2 * n)
    tables.set([c, s], 2 * (m + j))
    re[j] = c
    im[j] = -s
    if (j > 0) {
      re[m - j] = c
      im[m - j] = -s
    }
  }
  fft(m).forward(re, im)
  for (let j = 0; j < m; j++) tables.set([re[j], im[j]], 2 * (m + n + j))
  return { length: n, points: m, tables }
}

const plans = new Map<number, Plan>()

const planOf = (n: number): Plan => {
  assert(Number.isSafeInteger(n) && n >= 1 && n <= POINTS_MAX, `a transform of ${n} points`)
  const known = plans.get(n)
  if (known !== undefined) return known
  const plan = isPowerOfTwo(n) ? powerOfTwo(n) : anyLength(n)
  plans.set(n, plan)
  for (const oldest of plans.keys()) {
    if (plans.size <= PLANS_MAX) break
    plans.delete(oldest)
  }
  return plan
}

let kept: Kernel | undefined

/** The thread's kernel with memory for this many bytes; one that has grown too large is not kept. */
const kernelOf = (bytes: number): Kernel => {
  const kernel = kept ?? loadKernel('fft')
  kernel.reserve(bytes)
  kept = bytes <= KEPT_BYTES_MAX ? kernel : undefined
  return kernel
}

/** Bytes of a plan's tables and of two complex sequences, twice. */
const bytesOf = ({ length, points }: Plan): number => 2 * DOUBLE * (2 * points + length) + 8 * DOUBLE * points

/** Sets the kernel up for transforms of one plan, whose tables go to the byte offset `at`. */
const prepare = (kernel: Kernel, { length, points, tables }: Plan, at: number) => {
  const { configure, sequences, transform, expand: expandLines } = kernel.call
  assert(configure !== undefined && sequences !== undefined, 'the kernel fft is whole')
  assert(transform !== undefined && expandLines !== undefined, 'the kernel fft is whole')
  configure(length, points, at)
  kernel.f64(at, tables.length).set(tables)
  return { sequences, transform, expandLines }
}

/** The transform of a length, 1 to {@link POINTS_MAX}; its tables are made once per thread. */
export const fft = (n: number): Fft => {
  const plan = planOf(n)
  const forward = (re: Float64Array, im: Float64Array): void => {
    const kernel = kernelOf(KERNEL_DATA_START + bytesOf(plan))
    const { sequences, transform } = prepare(kernel, plan, KERNEL_DATA_START)
    const given = kernel.f64(sequences(), 4 * n).fill(0)
    for (let j = 0; j < n; j++) {
      given[4 * j] = re[j]
      given[4 * j + 2] = im[j]
    }
    transform(n)
    const found = kernel.f64(sequences(), 4 * n)
    for (let k = 0; k < n; k++) {
      re[k] = found[4 * k]
      im[k] = found[4 * k + 2]
    }
  }
  return { length: n, forward }
}

/**
 * Expansions of a real sequence in the modes of one boundary condition on n intervals:
 * `sine` (zero ends, n − 1 inner nodes, DST-I), `cosine` (insulated ends, n + 1 nodes, DCT-I) and `hartley` (periodic,
 * n nodes; cos + sin of each angle).
 */
export type Expansion = 'sine' | 'cosine' | 'hartley'

/** Nodes of an expansion on `intervals` intervals. */
export const nodesOf = (kind: Expansion, intervals: number): number =>
  kind === 'sine' ? intervals - 1 : kind === 'cosine' ? intervals + 1 : intervals

/** How many half waves mode `index` has on the whole length. */
export const halfWavesOf = (kind: Expansion, index: number, intervals: number): number =>
  kind === 'sine' ? index + 1 : kind === 'cosine' ? index : 2 * Math.min(index, intervals - index)

/** What applying an expansion twice multiplies by. */
const twiceFactor = (kind: Expansion, intervals: number): number =>
  kind === 'sine' ? intervals / 2 : kind === 'cosine' ? 2 * intervals : intervals

/** One axis of a grid: its expansion and its intervals. */
export interface GridAxis {
  readonly kind: Expansion
  readonly intervals: number
}

/** The kernel's numbers for the expansions. */
const KINDS: Readonly<Record<Expansion, number>> = { sine: 0, cosine: 1, hartley: 2 }

const planOfAxis = ({ kind, intervals }: GridAxis): Plan => planOf(kind === 'hartley' ? intervals : 2 * intervals)

/**
 * Coefficients of a field in the modes of its axes (one or two; the last axis is contiguous). Applying it to the
 * coefficients and multiplying by {@link inverseFactor} gives the field back. Two rows, two columns share one complex
 * transform.
 *
 * @param values row-major, one value per node of each axis; left as it is.
 */
export const expand = (values: Float64Array, axes: readonly GridAxis[]): Float64Array => {
  const sizes = axes.map(({ kind, intervals }) => nodesOf(kind, intervals))
  assert(
    sizes.reduce((a, b) => a * b, 1) === values.length && axes.length >= 1 && axes.length <= 2,
    'the field fits its axes',
  )
  const columns = sizes.at(-1) as number
  const rows = values.length / columns
  // Zeros beyond the last row and column fill the kernel's lines; odd lines of a cache, so that the nodes of a column
  // do not all fall on one set of it.
  const lines = Math.ceil((columns * DOUBLE) / LINE)
  const rowBytes = (lines % 2 === 0 ? lines + 1 : lines) * LINE
  const width = rowBytes / DOUBLE
  const tablesAt = KERNEL_DATA_START + Math.ceil(rows / LINES_AT_ONCE) * LINES_AT_ONCE * rowBytes
  const plansOfAxes = axes.map(planOfAxis)
  const kernel = kernelOf(tablesAt + Math.max(...plansOfAxes.map(bytesOf)))
  const field = kernel.f64(KERNEL_DATA_START, (tablesAt - KERNEL_DATA_START) / DOUBLE).fill(0)
  for (let row = 0; row < rows; row++) field.set(values.subarray(row * columns, (row + 1) * columns), row * width)
  const along = (axis: number, count: number, step: number, gap: number): void => {
    const { expandLines } = prepare(kernel, plansOfAxes[axis], tablesAt)
    for (let line = 0; line < count; line += LINES_AT_ONCE) {
      expandLines(KINDS[axes[axis].kind], KERNEL_DATA_START + line * gap, step, gap)
    }
  }
  along(axes.length - 1, rows, DOUBLE, rowBytes)
  if (axes.length === 2) along(0, columns, rowBytes, DOUBLE)
  const found = new Float64Array(values.length)
  for (let row = 0; row < rows; row++) found.set(field.subarray(row * width, row * width + columns), row * columns)
  return found
}

/** The factor that makes two expansions the identity. */
export const inverseFactor = (axes: readonly GridAxis[]): number =>
  axes.reduce((factor, { kind, intervals }) => factor / twiceFactor(kind, intervals), 1)
