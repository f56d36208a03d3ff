import { littleEndianBytes } from '#core/arrays.ts'
import { concat } from '#core/bytes.ts'
import { sqrt } from '#numerics/math.ts'
import { stageWeights } from '#numerics/methods/stage-weights.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import type { Motion } from '#numerics/solvers/solve/problem.ts'

/** A motion on its way. */
export interface Engine extends Advancing {
  readonly motion: Motion
  /** Place and velocity, and the running digest of the rows kept. */
  readonly bytes: () => Uint8Array
  /** Steps and states (6 numbers each) of the rows kept so far. */
  readonly rows: readonly { readonly step: number; readonly state: Float64Array }[]
}

type Sub = (state: Float64Array) => void

/** Kick, drift, kick of velocity-Verlet under a constant fall: exact. */
const fallOf = ({ fall, dt }: Motion): Sub => {
  const half = 0.5 * fall * dt
  return (s) => {
    s[5] -= half
    s[0] += dt * s[3]
    s[1] += dt * s[4]
    s[2] += dt * s[5]
    s[5] -= half
  }
}

/** The symmetric composition of order 6 of velocity-Verlet for a force from a centre: −ω²·r, or −μ·r/r³. */
const centralOf = ({ law, omega2, mu, dt, substeps }: Motion): Sub => {
  const weights = stageWeights(6)
  const h = dt / substeps
  // The closing kick of a stage and the opening one of the next are one: half the sum of their weights.
  const kicks = Float64Array.from(
    { length: weights.length + 1 },
    (_, i) => 0.5 * h * ((weights[i - 1] ?? 0) + (weights[i] ?? 0)),
  )
  const drifts = Float64Array.from(weights, (weight) => weight * h)
  const spring = law === 'spring'
  return (s) => {
    let x = s[0]
    let y = s[1]
    let z = s[2]
    let u = s[3]
    let v = s[4]
    let w = s[5]
    for (let i = 0; i <= drifts.length; i++) {
      const r2 = x * x + y * y + z * z
      const pull = kicks[i] * (spring ? omega2 : mu / (r2 * sqrt(r2)))
      u -= pull * x
      v -= pull * y
      w -= pull * z
      if (i === drifts.length) break
      const drift = drifts[i]
      x += drift * u
      y += drift * v
      z += drift * w
    }
    s[0] = x
    s[1] = y
    s[2] = z
    s[3] = u
    s[4] = v
    s[5] = w
  }
}

/** Classical Runge–Kutta of order 4 under a constant fall and a drag by the square of the speed. */
const dragOf = ({ fall, drag, dt, substeps }: Motion): Sub => {
  const h = dt / substeps
  const k = new Float64Array(3)
  const rate = (u: number, v: number, w: number): void => {
    const pull = drag * sqrt(u * u + v * v + w * w)
    k[0] = -pull * u
    k[1] = -pull * v
    k[2] = -pull * w - fall
  }
  return (s) => {
    const u = s[3]
    const v = s[4]
    const w = s[5]
    rate(u, v, w)
    const [u1, v1, w1] = [k[0], k[1], k[2]]
    rate(u + 0.5 * h * u1, v + 0.5 * h * v1, w + 0.5 * h * w1)
    const [u2, v2, w2] = [k[0], k[1], k[2]]
    rate(u + 0.5 * h * u2, v + 0.5 * h * v2, w + 0.5 * h * w2)
    const [u3, v3, w3] = [k[0], k[1], k[2]]
    rate(u + h * u3, v + h * v3, w + h * w3)
    s[0] += h * (u + (h * (u1 + u2 + u3)) / 6)
    s[1] += h * (v + (h * (v1 + v2 + v3)) / 6)
    s[2] += h * (w + (h * (w1 + w2 + w3)) / 6)
    s[3] += (h * (u1 + 2 * u2 + 2 * u3 + k[0])) / 6
    s[4] += (h * (v1 + 2 * v2 + 2 * v3 + k[1])) / 6
    s[5] += (h * (w1 + 2 * w2 + 2 * w3 + k[2])) / 6
  }
}

/** A motion at its start or where it was stopped. */
export const engineOf = (motion: Motion, origin: RunOrigin = {}): Engine => {
  const { law, steps, substeps, every } = motion
  const sub = law === 'fall' ? fallOf(motion) : law === 'drag' ? dragOf(motion) : centralOf(motion)
  const journal = journalOf(origin)
  const { held } = journal
  const state = held?.doubles(6) ?? motion.start.slice()
  const rows: { step: number; state: Float64Array }[] = []
  const chain = journal.chain(1)
  const keep = (step: number, row: Float64Array): void => {
    rows.push({ step, state: row.slice() })
    chain.link(row)
  }
  const isKept = (taken: number): boolean => taken % every === 0 || taken === steps
  if (held === undefined) keep(0, state)
  else
    journal.taken((tape) => {
      for (let taken = 0; taken <= journal.step; taken++) if (isKept(taken)) keep(taken, tape.doubles(6))
    })
  return {
    motion,
    advance: (from, to, each) => {
      for (let taken = from + 1; taken <= to; taken++) {
        for (let i = 0; i < substeps; i++) sub(state)
        if (isKept(taken)) keep(taken, state)
        each(taken)
      }
    },
    bytes: () => concat(littleEndianBytes(state), chain.digest()),
    rows,
  }
}
