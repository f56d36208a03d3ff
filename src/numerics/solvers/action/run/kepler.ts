import { assert } from '#core/assert.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import type { Motion } from './motion.ts'

const STATES = 8
const STAGES_MAX = 17
const DOUBLE = 8

/** The loops in a kernel of their own. Every call brings all that it needs. */
const createLoops = () => {
  const kernel = loadKernel('symplectic')
  const { configure, advance } = kernel.call
  assert(configure !== undefined && advance !== undefined, 'the symplectic kernel is whole')
  kernel.reserve(KERNEL_DATA_START + (STATES + 2 * STAGES_MAX + 1) * DOUBLE)
  return { kernel, configure, advance }
}

let loops: ReturnType<typeof createLoops> | undefined

/** A body about a fixed centre: x″ = −μx/r³. */
export const keplerMotion =
  (mu: number): Motion =>
  (pair, { steps, by }, rk4) => {
    loops ??= createLoops()
    const { kernel, configure, advance } = loops
    const { kicks, drifts } = by
    configure(mu, drifts.length, KERNEL_DATA_START)
    const memory = kernel.f64(KERNEL_DATA_START, STATES + kicks.length + drifts.length)
    memory.set(pair)
    memory.set(kicks, STATES)
    memory.set(drifts, STATES + kicks.length)
    advance(steps, rk4.steps, rk4.h)
    pair.set(memory.subarray(0, STATES))
  }
