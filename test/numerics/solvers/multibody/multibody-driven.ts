import { sqrt } from '#numerics/math.ts'
import { stageWeights } from '#numerics/methods/stage-weights.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { multibody } from '#numerics/solvers/multibody/index.ts'
import { scheduleOf } from '#numerics/solvers/multibody/problem.ts'
import { reportOf } from '#numerics/solvers/multibody/run/report.ts'
import type { MultibodyInput } from '#numerics/solvers/multibody/schema.ts'

/** A way to move bodies that may be wrong. */
export type Pull = (places: Float64Array, input: MultibodyInput) => Float64Array

/** Newton's pull with one factor of each pair and axis spoilt, or with another power of the distance. */
export const gravity =
  (spoil: (i: number, j: number, axis: number) => number = () => 1, power = 3): Pull =>
  (places, { bodies, G, softening }) => {
    const pull = new Float64Array(places.length)
    bodies.forEach((_, i) => {
      bodies.forEach(({ mass }, j) => {
        if (i === j) return
        const d = [0, 1, 2].map((axis) => places[3 * j + axis] - places[3 * i + axis]) as [number, number, number]
        const r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening * softening)
        const scale = power === 3 ? r * r * r : r * r * r * (r / 1.5e11)
        for (let axis = 0; axis < 3; axis++)
          pull[3 * i + axis] += (spoil(i, j, axis) * G * mass * (d[axis] ?? 0)) / scale
      })
    })
    return pull
  }

/** A run by velocity-Verlet with some pull, and what the solver would report of its states. */
export const driven = (raw: object, pull: Pull, drive: { readonly kick?: number; readonly lost?: number } = {}) => {
  const input = resolveInput(multibody, raw)
  const schedule = scheduleOf(input)
  const places = Float64Array.from(input.bodies.flatMap(({ position }) => position ?? []))
  const speeds = Float64Array.from(input.bodies.flatMap(({ velocity }) => velocity ?? [0, 0, 0]))
  const records = [Float64Array.of(...places, ...speeds)]
  const { kick = 1, lost = -1 } = drive
  for (let step = 1; step <= schedule.steps; step++) {
    const weights = step === lost ? [] : stageWeights(input.order)
    for (const w of weights) {
      const h = w * schedule.dt
      const before = pull(places, input)
      for (let k = 0; k < speeds.length; k++) speeds[k] += (kick * h * before[k]) / 2
      for (let k = 0; k < places.length; k++) places[k] += h * speeds[k]
      const after = pull(places, input)
      for (let k = 0; k < speeds.length; k++) speeds[k] += (h * after[k]) / 2
    }
    if (step % schedule.every === 0 || step === schedule.steps) records.push(Float64Array.of(...places, ...speeds))
  }
  const idle = { schedule, records, advance: () => undefined, bytes: () => new Uint8Array(0) }
  return { input, outcome: reportOf(input, idle) }
}
