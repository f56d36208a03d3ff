import { sqrt } from '#numerics/math.ts'
import { journalOf, type RunOrigin } from '#numerics/runtime/origin.ts'
import { startFields } from '#numerics/solvers/flow/exact.ts'
import { refuseStart } from '#numerics/solvers/flow/limits.ts'
import { problemOf, sampleEvery, transposed } from '#numerics/solvers/flow/problem.ts'
import type { FlowInput } from '#numerics/solvers/flow/schema.ts'
import { createMac, type Mac } from './mac.ts'

/** A flow that is moved on in time, with what was sampled on the way. */
export interface March {
  readonly kind: 'march'
  readonly mac: Mac
  /** Time and sealed speed by turns. */
  readonly samples: number[]
}

/** Root mean square of the velocity less the stream, or the mean velocity along a channel. Cells of any order. */
export const sealedSpeed = (input: Pick<FlowInput, 'case' | 'stream'>, u: Float64Array, v: Float64Array): number => {
  let sum = 0
  if (input.case === 'channel') {
    for (const value of u) sum += value
    return sum / u.length
  }
  const { stream } = input
  for (let at = 0; at < u.length; at++) {
    const x = u[at] - stream.u
    const y = v[at] - stream.v
    sum += x * x + y * y
  }
  return sqrt(sum / u.length)
}

const sample = (input: FlowInput, { mac, samples }: March, time: number): void => {
  samples.push(time, sealedSpeed(input, mac.read('u'), mac.read('v')))
}

/** Samples taken after so many steps, that of the start among them. */
const samplesAfter = (step: number, steps: number): number => {
  const every = sampleEvery(steps)
  return 1 + Math.floor(step / every) + (step === steps && step % every !== 0 ? 1 : 0)
}

/**
 * The flow at time 0 or where a run stopped. Vortices on unequal spacings lose the divergence that sampling gave them.
 *
 * @throws Fault ILL_POSED: no signal, a start without an exact flow.
 */
export const startMarch = (input: FlowInput, origin: RunOrigin = {}): March => {
  refuseStart(input)
  const { kind, nx, ny, dx, dy, viscosity, force, steps } = problemOf(input)
  const ring = kind === 'taylor-green'
  const mac = createMac({ nx, ny, dx, dy, ringX: true, ringY: ring, viscosity, force })
  const journal = journalOf(origin)
  const { held, step } = journal
  if (held !== undefined) {
    mac.write(held.doubles(nx * ny), held.doubles(nx * ny))
    const samples = Array.from(held.doubles(2 * samplesAfter(step, steps)))
    journal.taken()
    return { kind: 'march', mac, samples }
  }
  const { u, v } = startFields(input)
  mac.write(transposed(u, ny, nx), transposed(v, ny, nx))
  if (ring && input.start === undefined && dx !== dy) {
    mac.project()
    mac.write(mac.read('u'), mac.read('v'))
  }
  const march: March = { kind: 'march', mac, samples: [] }
  sample(input, march, 0)
  return march
}

/** Takes the steps `from` (inclusive) to `to` (exclusive). */
export const advanceMarch = (
  input: FlowInput,
  march: March,
  { from, to, each }: { readonly from: number; readonly to: number; readonly each: (step: number) => void },
): void => {
  const { dt, steps } = problemOf(input)
  const every = sampleEvery(steps)
  for (let step = from; step < to; step++) {
    march.mac.step(dt)
    if ((step + 1) % every === 0 || step + 1 === steps) sample(input, march, dt * (step + 1))
    each(step + 1)
  }
}

/** Every bit that the next step and the end depend on: velocities by line of x, then the samples. */
export const marchState = ({ mac, samples }: March): Float64Array => {
  const [u, v] = [mac.read('u'), mac.read('v')]
  const state = new Float64Array(2 * u.length + samples.length)
  state.set(u)
  state.set(v, u.length)
  state.set(samples, 2 * u.length)
  return state
}
