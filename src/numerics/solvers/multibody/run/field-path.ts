import { littleEndianBytes } from '#core/arrays.ts'
import { exp, sin, TAU } from '#numerics/math.ts'
import type { Advancing } from '#numerics/runtime/course.ts'
import { journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import { DRIFT_PCT_MAX, type MultibodyInput, type MultibodyOutput } from '#numerics/solvers/multibody/schema.ts'

// The scalar terms of the master equation with the defaults of the envelope's equations, for one domain operator.
const MU_SQUARED = 1
const LAMBDA = 0.5
const EXPONENT_MAX = 5
const ACCELERATION_MAX = 1e6

/** Fields without places: the state, and what moves it. */
export interface FieldPath extends Advancing {
  readonly steps: number
  readonly output: () => MultibodyOutput
}

const clipped = (value: number, most: number): number => Math.max(-most, Math.min(most, value))

/** The acceleration of every field: scalar terms, drag and the pull of all others along the line of values. */
const accelerations = (phi: Float64Array, rate: Float64Array, { bodies, field }: MultibodyInput): Float64Array => {
  const { coupling, softening, drag } = field
  return phi.map((own, i) => {
    let pull = 0
    for (let j = 0; j < phi.length; j++) {
      const apart = phi[j] - own
      pull += (coupling * (bodies[j]?.mass ?? 0) * Math.sign(apart)) / (apart * apart + softening)
    }
    const operators = sin(TAU * own) / (1 + own * own)
    const scalar = operators - MU_SQUARED * own - LAMBDA * own * own * own - exp(clipped(-own, EXPONENT_MAX))
    return clipped(scalar + pull - drag * rate[i], ACCELERATION_MAX)
  })
}

/**
 * Bodies without positions: φ̈ = −μ²φ − λφ³ − e^(−φ) + sin(2πφ)/(1 + φ²) − drag·φ̇ + Σ γ·m·sign(Δφ)/(Δφ² + ε) for each
 * body, by the classical Runge–Kutta method. Drag makes it dissipative: nothing is conserved and nothing is sealed.
 */
export const createFieldPath = (input: MultibodyInput, origin: RunOrigin = {}): FieldPath => {
  const { bodies, field } = input
  const steps = Math.max(1, Math.ceil(field.t_max / field.dt))
  const h = field.t_max / steps
  const journal = journalOf(origin)
  const { held } = journal
  let phi = held?.doubles(bodies.length) ?? Float64Array.from(bodies, ({ phi0 }) => phi0 ?? 0)
  let rate = held?.doubles(bodies.length) ?? Float64Array.from(bodies, ({ dphi0 }) => dphi0 ?? 0)
  if (held !== undefined) journal.taken()
  const moved = (from: Float64Array, by: Float64Array, factor: number): Float64Array<ArrayBuffer> =>
    Float64Array.from(from, (value, i) => value + factor * by[i])
  const step = (): void => {
    const a1 = accelerations(phi, rate, input)
    const r2 = moved(rate, a1, h / 2)
    const a2 = accelerations(moved(phi, rate, h / 2), r2, input)
    const r3 = moved(rate, a2, h / 2)
    const a3 = accelerations(moved(phi, r2, h / 2), r3, input)
    const r4 = moved(rate, a3, h)
    const a4 = accelerations(moved(phi, r3, h), r4, input)
    phi = phi.map((value, i) => value + (h / 6) * (rate[i] + 2 * r2[i] + 2 * r3[i] + r4[i]))
    rate = rate.map((value, i) => value + (h / 6) * (a1[i] + 2 * a2[i] + 2 * a3[i] + a4[i]))
  }
  return {
    steps,
    advance: (from, to, each) => {
      for (let taken = from + 1; taken <= to; taken++) {
        step()
        each(taken)
      }
    },
    bytes: () => littleEndianBytes(Float64Array.of(...phi, ...rate)),
    output: () => ({
      mode: 'master',
      n: bodies.length,
      order: 4,
      steps,
      dt: h,
      t_max: field.t_max,
      conservative: false,
      conservationChecked: false,
      energyDriftPct: null,
      energyDriftBoundPct: DRIFT_PCT_MAX,
      initialEnergy: null,
      finalEnergy: null,
      size: null,
      positions: null,
      velocities: null,
      times: null,
      trajectory: null,
      energies: null,
      phi: phi as unknown as readonly number[],
      phiRate: rate as unknown as readonly number[],
    }),
  }
}
