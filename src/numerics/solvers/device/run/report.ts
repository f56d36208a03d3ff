import type { Outcome, Progress } from '#numerics/runtime/solver.ts'
import { refuseField } from '#numerics/solvers/device/limits.ts'
import { layoutOf } from '#numerics/solvers/device/problem.ts'
import type { DeviceEvidence, DeviceInput, DeviceOutput } from '#numerics/solvers/device/schema.ts'
import { boundsOf, energiesOf } from './energy.ts'
import { solveFluxes, solvePotential } from './solve.ts'

/** Parts that progress is told in: half for each of the two solves. */
const PARTS = 50
/** Decades of residual of one solve. */
const DECADES = 11

/** Tells progress by decades of the residual: they fall evenly with multigrid. */
const teller = (progress: Progress, from: number): ((residual: number) => void) => {
  let said = from
  return (residual) => {
    let decades = 0
    for (let left = residual; left < 1 && decades < DECADES; left *= 10) decades++
    said = Math.max(said, from + Math.floor((PARTS * decades) / DECADES))
    progress({ step: Math.min(said, 2 * PARTS - 1), steps: 2 * PARTS, residual })
  }
}

/** Solves a device in a plane: potential and bounds. @throws Fault ILL_POSED, DID_NOT_CONVERGE */
export const solveDevice = (input: DeviceInput, progress: Progress): Outcome<DeviceOutput, DeviceEvidence> => {
  const layout = layoutOf(input)
  refuseField(layout)
  const { potential, residuals } = solvePotential(layout, teller(progress, 0))
  const fluxes = solveFluxes(layout, teller(progress, PARTS))
  const energies = energiesOf(layout, potential, fluxes)
  const bounds = boundsOf(layout, energies)
  const { potentials, charged } = layout
  const capacitive = potentials.length === 2 && !charged
  const voltage = potentials[potentials.length - 1] - potentials[0]
  const scale = capacitive ? 2 / (voltage * voltage) : 1
  const [lower, upper] = [bounds.lower * scale, bounds.upper * scale]
  const held = (voltage * (lower + upper)) / 2
  progress({ step: 2 * PARTS, steps: 2 * PARTS })
  return {
    output: {
      mode: capacitive ? 'capacitance' : 'energy',
      ...(capacitive && { capacitance: (lower + upper) / 2, charges: [-held, held] }),
      energy: (bounds.lower + bounds.upper) / 2,
      lower,
      upper,
      dx: layout.dx,
      dy: layout.dy,
      conductorPotentials: potentials as unknown as readonly number[],
      fieldMax: energies.fieldMax,
      residuals: [...residuals],
      potential: potential as unknown as readonly number[],
    },
    evidence: fluxes,
  }
}
