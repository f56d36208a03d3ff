import { atan2, cos, exp, PI, sin, sqrt } from '#numerics/math.ts'
import { type FlowProblem, problemOf } from './problem.ts'
import type { FlowInput } from './schema.ts'

/** Velocities and pressure at their places, x fastest, and the vortices' or the bulk speed by time. */
export interface Exact {
  readonly u: Float64Array
  readonly v: Float64Array
  readonly p: Float64Array
  /** Scale of the velocities: root of the sum of squares of what is not the stream. */
  readonly signal: number
  readonly speedAt: (time: number) => number
  /** Scale of that speed: what it is at the end. */
  readonly speedScale: number
  /** Mean of half the squared velocity at the end, stream included. */
  readonly kineticEnergy: number
  /** How far the start is from what the exact solution starts from, in percent of the signal. */
  readonly startPct: number
}

/** Vortices of an amplitude whose pattern is moved by (x, y), in radians. */
interface Pattern {
  readonly amplitude: number
  readonly x: number
  readonly y: number
}

/** The pattern nearest to a field u less the stream, on right faces: its four products of sines and cosines. */
const fittedPattern = ({ nx, ny, dx, dy }: FlowProblem, k: number, u: ArrayLike<number>, stream: number): Pattern => {
  let [ss, sc, cs, cc] = [0, 0, 0, 0]
  for (let j = 0; j < ny; j++) {
    const [sy, cy] = [sin(k * (j + 0.5) * dy), cos(k * (j + 0.5) * dy)]
    for (let i = 0; i < nx; i++) {
      const value = ((u[j * nx + i] as number) - stream) * (4 / (nx * ny))
      const [sx, cx] = [sin(k * (i + 1) * dx), cos(k * (i + 1) * dx)]
      sc += value * sx * cy
      ss += value * sx * sy
      cc += value * cx * cy
      cs += value * cx * sy
    }
  }
  // A·sin(x − a)·cos(y − b): sc = A·ca·cb, ss = A·ca·sb, cc = −A·sa·cb, cs = −A·sa·sb.
  const y = atan2(sc * ss + cc * cs, sc * sc + cc * cc)
  const x = atan2(-(cc * cos(y) + cs * sin(y)), sc * cos(y) + ss * sin(y))
  return { amplitude: sqrt(ss * ss + sc * sc + cs * cs + cc * cc), x, y }
}

/** The pattern that a run starts from. */
export const patternOf = (input: FlowInput): Pattern => {
  if (input.start === undefined) return { amplitude: input.speed, x: 0, y: 0 }
  return fittedPattern(problemOf(input), 1 / input.length, input.start.u, input.stream.u)
}

/** u, v and p of a pattern that the stream has carried for a time: Taylor and Green's vortices, seen by Galilei. */
const patternFields = (input: FlowInput, pattern: Pattern, time: number): Pick<Exact, 'u' | 'v' | 'p'> => {
  const { nx, ny, dx, dy, viscosity } = problemOf(input)
  const k = 1 / input.length
  const { stream } = input
  const amplitude = pattern.amplitude * exp(-2 * viscosity * k * k * time)
  const [a, b] = [pattern.x + k * stream.u * time, pattern.y + k * stream.v * time]
  const [u, v, p] = [new Float64Array(nx * ny), new Float64Array(nx * ny), new Float64Array(nx * ny)]
  for (let j = 0; j < ny; j++) {
    const [yMiddle, yFace] = [k * (j + 0.5) * dy - b, k * (j + 1) * dy - b]
    const [cy, sy, c2] = [cos(yMiddle), sin(yFace), cos(2 * yMiddle)]
    for (let i = 0; i < nx; i++) {
      const [xMiddle, xFace] = [k * (i + 0.5) * dx - a, k * (i + 1) * dx - a]
      const at = j * nx + i
      u[at] = stream.u + amplitude * sin(xFace) * cy
      v[at] = stream.v - amplitude * cos(xMiddle) * sy
      p[at] = (amplitude * amplitude * (cos(2 * xMiddle) + c2)) / 4
    }
  }
  return { u, v, p }
}

/** Distance of two fields of two components, root of the sum of squares. */
const distance = (u: ArrayLike<number>, v: ArrayLike<number>, other: Pick<Exact, 'u' | 'v'>): number => {
  let sum = 0
  for (let at = 0; at < other.u.length; at++) {
    const [x, y] = [(u[at] as number) - other.u[at], (v[at] as number) - other.v[at]]
    sum += x * x + y * y
  }
  return sqrt(sum)
}

const exactVortices = (input: FlowInput): Exact => {
  const problem = problemOf(input)
  const { viscosity, dt, steps } = problem
  const pattern = patternOf(input)
  const fields = patternFields(input, pattern, dt * steps)
  const still = { u: fields.u.map(() => input.stream.u), v: fields.v.map(() => input.stream.v) }
  const signal = distance(fields.u, fields.v, still)
  const rate = (2 * viscosity) / (input.length * input.length)
  const { start } = input
  const off = start === undefined ? 0 : distance(start.u, start.v, patternFields(input, pattern, 0))
  const { amplitude } = pattern
  return {
    ...fields,
    signal,
    // The residue of the start may live as long as the vortices do.
    startPct: (100 * off) / signal,
    speedAt: (time) => (amplitude * exp(-rate * time)) / sqrt(2),
    speedScale: (amplitude * exp(-rate * dt * steps)) / sqrt(2),
    kineticEnergy:
      (input.stream.u * input.stream.u + input.stream.v * input.stream.v) / 2 +
      (amplitude * amplitude * exp(-2 * rate * dt * steps)) / 4,
  }
}

/** Terms of a channel's start from rest beyond which nothing is left of them in any double. */
const TERMS_MAX = 2_001

/** Coefficients of a channel's departure from the parabola in sin(mπy/H), m = 1 …, at time 0. */
export const departureModes = (input: FlowInput): Float64Array => {
  const { nx, ny } = problemOf(input)
  const { start, speed } = input
  // The parabola 4s(1 − s) is Σ 32/(πm)³·sin(mπs) over odd m.
  if (start === undefined) {
    return Float64Array.from({ length: TERMS_MAX }, (_, k) =>
      k % 2 === 0 ? (-32 * speed) / (PI * (k + 1)) / (PI * (k + 1)) / (PI * (k + 1)) : 0,
    )
  }
  const modes = new Float64Array(ny)
  for (let m = 1; m <= ny; m++) {
    let sum = 0
    for (let j = 0; j < ny; j++) {
      const s = (j + 0.5) / ny
      sum += ((start.u[j * nx] as number) - 4 * speed * s * (1 - s)) * sin(m * PI * s)
    }
    modes[m - 1] = (sum * (m === ny ? 1 : 2)) / ny
  }
  return modes
}

const exactChannel = (input: FlowInput): Exact => {
  const { nx, ny, viscosity, dt, steps } = problemOf(input)
  const { speed, length } = input
  const modes = departureModes(input)
  const decayed = (time: number): Float64Array =>
    modes.map((it, k) => it * exp((-viscosity * PI * PI * (k + 1) * (k + 1) * time) / (length * length)))
  const departure = (now: Float64Array, s: number): number => {
    let sum = 0
    for (let k = 0; k < now.length; k++) if (now[k] !== 0) sum += now[k] * sin((k + 1) * PI * s)
    return sum
  }
  const last = decayed(dt * steps)
  const [u, none] = [new Float64Array(nx * ny), new Float64Array(nx * ny)]
  let squares = 0
  for (let j = 0; j < ny; j++) {
    const s = (j + 0.5) / ny
    const parabola = 4 * speed * s * (1 - s)
    const value = parabola + departure(last, s)
    u.fill(value, j * nx, (j + 1) * nx)
    squares += nx * value * value
  }
  const mean = (time: number): number => {
    const now = decayed(time)
    let sum = (2 * speed) / 3
    // The mean of sin(mπs) is 2/(πm) where m is odd, and nothing where it is even.
    for (let k = 0; k < now.length; k += 2) sum += (2 * now[k]) / (PI * (k + 1))
    return sum
  }
  // Of the squares: the parabola's 8/15, each wave's 1/2, and twice the parabola's 16/(πm)³ in each odd wave.
  let energy = (4 * speed * speed) / 15
  for (let k = 0; k < last.length; k++) {
    const wave = PI * (k + 1)
    energy += (last[k] * last[k]) / 4 + (k % 2 === 0 ? (16 * speed * last[k]) / (wave * wave * wave) : 0)
  }
  const signal = sqrt(squares)
  const end = Math.abs(mean(dt * steps))
  return { u, v: none, p: none, signal, startPct: 0, speedAt: mean, speedScale: end, kineticEnergy: energy }
}

/** The exact flow at the end of a run: vortices carried by a stream, or a channel set in motion. */
export const exactFlow = (input: FlowInput): Exact =>
  input.case === 'channel' ? exactChannel(input) : exactVortices(input)

/** Velocities of the start at their places, x fastest. */
export const startFields = (input: FlowInput): Pick<Exact, 'u' | 'v'> => {
  const { nx, ny } = problemOf(input)
  const { start } = input
  if (start !== undefined) return { u: Float64Array.from(start.u), v: Float64Array.from(start.v) }
  if (input.case !== 'taylor-green') return { u: new Float64Array(nx * ny), v: new Float64Array(nx * ny) }
  return patternFields(input, patternOf(input), 0)
}
