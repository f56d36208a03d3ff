import { Fault } from '#core/fault.ts'
import { exp, hypot, log, sqrt } from '#numerics/math.ts'
import { cholesky } from '#numerics/methods/linear/dense.ts'
import { eigenvaluesOf } from '#numerics/methods/linear/eigenvalues.ts'
import { wrong } from '#numerics/runtime/refusing.ts'
import { SEMIDEFINITE_SLACK, type System, startCovariance, systemOf } from './problem.ts'
import { type KalmanInput, STEPS_MIN } from './schema.ts'

/** Numbers that the records of a run may hold together. */
const RECORD_NUMBERS_MAX = 2_000_000
/** Relative asymmetry of a covariance that counts as rounding. */
const ASYMMETRY_MAX = 1e-9
/** An eigenvalue of a modulus above this does not die out. */
const LASTING = 1 - 1e-9
/** Share of a matrix's size below which its least column counts as dependent on the others. */
const RANK_SLACK = 1e-9
/** How much a state may grow over a run: beyond it the doubles of an innovation are lost in those of the state. */
const GROWTH_MAX = 1e6
/** Ratio of the largest to the smallest variance of R that its factor can carry. */
const SIZE_MAX = 1e12

const refuseForm = (input: KalmanInput): void => {
  const { model, states: n, observations: m, steps } = input
  const own = model === 'matrices'
  const lengths = { A: n * n, C: m * n, Q: n * n, R: m * m } as const
  for (const [name, length] of Object.entries(lengths)) {
    const given = input[name as keyof typeof lengths]
    if (!own && given !== undefined) wrong(`/${name}`, 'only the model “matrices” has matrices of its own.')
    if (own && given?.length !== length) {
      wrong(`/${name}`, `needs ${length} numbers, row by row.`, { measured: given?.length ?? 0, limit: length })
    }
  }
  if (!own && (n !== 2 || m !== 1)) wrong('/states', 'constant-velocity has 2 states and 1 observation.')
  for (const [name, length] of [
    ['x0', n],
    ['P0', n * n],
    ['truth', n],
  ] as const) {
    const given = input[name]
    if (given !== undefined && given.length !== length) {
      wrong(`/${name}`, `needs ${length} numbers.`, { measured: given.length, limit: length })
    }
  }
  const numbers = steps * (1 + n + 3 * m)
  if (numbers > RECORD_NUMBERS_MAX) {
    const most = Math.floor(RECORD_NUMBERS_MAX / (1 + n + 3 * m))
    throw new Fault('WORK_LIMIT_EXCEEDED', `The records hold ${numbers} numbers; ${RECORD_NUMBERS_MAX} are allowed.`, {
      measured: numbers,
      limit: RECORD_NUMBERS_MAX,
      steps: most,
    })
  }
}

const refuseCovariance = (name: string, matrix: Float64Array, n: number, definite: boolean): void => {
  let size = 0
  let least = Number.POSITIVE_INFINITY
  for (const value of matrix) size = Math.max(size, Math.abs(value))
  for (let i = 0; i < n; i++) least = Math.min(least, matrix[i * n + i])
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const gap = Math.abs(matrix[i * n + j] - matrix[j * n + i])
      if (gap > ASYMMETRY_MAX * size) wrong(`/${name}`, 'a covariance is symmetric.', { measured: gap, limit: 0 })
    }
  }
  const factor = new Float64Array(n * n)
  if (!cholesky(matrix, factor, n, definite ? 0 : SEMIDEFINITE_SLACK)) {
    throw new Fault('ILL_POSED', `${name} is not ${definite ? 'positive definite' : 'positive semidefinite'}.`, {
      path: `/${name}`,
      measured: least,
      limit: 0,
    })
  }
  if (!definite) return
  for (let i = 0; i < n; i++) least = Math.min(least, factor[i * n + i] * factor[i * n + i])
  if (size > SIZE_MAX * least) {
    throw new Fault('ILL_POSED', `${name} is too near to a singular matrix: ${least} against ${size}.`, {
      path: `/${name}`,
      measured: least,
      limit: size / SIZE_MAX,
    })
  }
}

interface Eigenvalue {
  readonly re: number
  readonly im: number
}

/**
 * The least pivot of a complex rows × n matrix by Gram–Schmidt with exchange of columns, relative to its largest: near
 * zero means that the columns depend on each other.
 */
const leastPivot = (re: Float64Array, im: Float64Array, rows: number, n: number): number => {
  const norm = (j: number): number => {
    let sum = 0
    for (let i = 0; i < rows; i++) sum += re[i * n + j] * re[i * n + j] + im[i * n + j] * im[i * n + j]
    return sqrt(sum)
  }
  const open = new Set(Array.from({ length: n }, (_, j) => j))
  let [first, least] = [0, 0]
  while (open.size > 0) {
    let best = -1
    for (const j of open) if (best < 0 || norm(j) > norm(best)) best = j
    open.delete(best)
    least = norm(best)
    if (first === 0) first = least
    if (least === 0) return 0
    for (const j of open) {
      let [a, b] = [0, 0]
      for (let i = 0; i < rows; i++) {
        const [p, q] = [i * n + best, i * n + j]
        a += re[p] * re[q] + im[p] * im[q]
        b += re[p] * im[q] - im[p] * re[q]
      }
      a /= least * least
      b /= least * least
      for (let i = 0; i < rows; i++) {
        const [p, q] = [i * n + best, i * n + j]
        const [x, y] = [re[p], im[p]]
        re[q] -= a * x - b * y
        im[q] -= a * y + b * x
      }
    }
  }
  return first === 0 ? 0 : least / first
}

/** Hautus: whether the rows below A − λ·I keep an eigenvector of λ from hiding; its least pivot. */
const hautus = (A: Float64Array, below: Float64Array, n: number, at: Eigenvalue): number => {
  const rows = n + below.length / n
  // Rows of another unit would hide or drown the others: each part is scaled to its own size.
  const sizeOf = (matrix: Float64Array): number =>
    matrix.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1
  const scale = Math.max(sizeOf(A), hypot(at.re, at.im)) / sizeOf(below)
  const re = new Float64Array(rows * n)
  const im = new Float64Array(rows * n)
  re.set(A)
  for (let i = 0; i < below.length; i++) re[n * n + i] = scale * below[i]
  for (let i = 0; i < n; i++) {
    re[i * n + i] -= at.re
    im[i * n + i] -= at.im
  }
  return leastPivot(re, im, rows, n)
}

const transposeOf = (a: Float64Array, n: number): Float64Array =>
  Float64Array.from({ length: n * n }, (_, k) => a[(k % n) * n + Math.floor(k / n)])

const refuseModes = ({ n, A, C, Q }: System): void => {
  const spectrum = eigenvaluesOf(A, n)
  if (spectrum === undefined) throw new Fault('ILL_POSED', 'The eigenvalues of A do not settle.', { path: '/A' })
  const factor = new Float64Array(n * n)
  cholesky(Q, factor, n, SEMIDEFINITE_SLACK)
  for (let k = 0; k < n; k++) {
    const at = { re: spectrum.re[k], im: spectrum.im[k] }
    const modulus = hypot(at.re, at.im)
    if (modulus < LASTING) continue
    const where = `The mode of A with the eigenvalue ${at.re} ${at.im < 0 ? '−' : '+'} ${Math.abs(at.im)}i`
    const details = { measured: modulus, limit: 1, eigenvalue: [at.re, at.im] }
    if (hautus(A, C, n, at) < RANK_SLACK) {
      throw new Fault('ILL_POSED', `${where} lasts and no measurement sees it: its variance has no limit.`, details)
    }
    if (hautus(transposeOf(A, n), transposeOf(factor, n), n, at) < RANK_SLACK) {
      throw new Fault('ILL_POSED', `${where} lasts and no noise moves it: the filter has no one limit.`, details)
    }
  }
}

const refuseGrowth = ({ n, A }: System, { steps }: KalmanInput): void => {
  const spectrum = eigenvaluesOf(A, n)
  if (spectrum === undefined) return
  let radius = 0
  for (let k = 0; k < n; k++) radius = Math.max(radius, hypot(spectrum.re[k], spectrum.im[k]))
  if (!Number.isFinite(radius)) {
    throw new Fault('OUT_OF_RANGE', 'A mode of A grows beyond what numbers hold.', { path: '/A', measured: null })
  }
  if (radius <= 1 || steps * log(radius) <= log(GROWTH_MAX)) return
  const most = Math.floor(log(GROWTH_MAX) / log(radius))
  const why = `A mode of A grows by ${radius} a step, over ${steps} steps beyond ${GROWTH_MAX}`
  const lost = `${why}: the doubles of its measurements are lost`
  const details = { measured: radius, limit: GROWTH_MAX }
  if (most >= STEPS_MIN) throw new Fault('OUT_OF_RANGE', `${lost}; ${most} steps pass.`, { ...details, steps: most })
  // The shortest run is too long for it: what passes is a smaller mode.
  const radiusMax = exp(log(GROWTH_MAX) / STEPS_MIN)
  throw new Fault('OUT_OF_RANGE', `${lost}; over ${STEPS_MIN} steps, the fewest, at most ${radiusMax} passes.`, {
    ...details,
    steps: STEPS_MIN,
    radius_max: radiusMax,
  })
}

/**
 * Every refusal before work.
 *
 * @throws Fault INVALID_INPUT (matrices missing, too many, of another length or not symmetric), ILL_POSED (R not
 * definite, Q or P0 not semidefinite, modes that last and are not seen or not moved: Hautus), OUT_OF_RANGE (a state
 * that outgrows its doubles, with the steps that pass), WORK_LIMIT_EXCEEDED (records, with the steps that pass).
 */
export const refuseKalman = (input: KalmanInput): void => {
  refuseForm(input)
  const system = systemOf(input)
  const { n, m, Q, R } = system
  refuseCovariance('R', R, m, true)
  refuseCovariance('Q', Q, n, false)
  refuseCovariance('P0', startCovariance(input), n, false)
  refuseModes(system)
  refuseGrowth(system, input)
}
