import { sin, sqrt } from '#numerics/math.ts'
import type { ActionInput } from '#numerics/solvers/action/schema.ts'

// RK4 as it comes out where a force depends on places alone: with the rates of the stages put in, only the forces at
// the start, twice in the middle and at the end are left, of which two and two need not wait for each other. Each
// system has a loop of its own, in which its force is straight arithmetic.

type Steps = (state: Float64Array, h: number, steps: number) => void

const keplerSteps =
  (mu: number): Steps =>
  (state, h, steps) => {
    const pull = (px: number, py: number): number => {
      const inverse = 1 / (px * px + py * py)
      return -mu * (inverse * sqrt(inverse))
    }
    let [x, y, u, v] = [state[0], state[1], state[2], state[3]]
    const [half, sixth] = [h / 2, h / 6]
    for (let step = 0; step < steps; step++) {
      const a = pull(x, y)
      const mx = x + half * u
      const my = y + half * v
      const b = pull(mx, my)
      const cx = mx + half * half * (a * x)
      const cy = my + half * half * (a * y)
      const c = pull(cx, cy)
      const dx = x + h * (u + half * (b * mx))
      const dy = y + h * (v + half * (b * my))
      const d = pull(dx, dy)
      const bcx = b * mx + c * cx
      const bcy = b * my + c * cy
      const nextX = x + h * (u + sixth * (a * x + bcx))
      const nextY = y + h * (v + sixth * (a * y + bcy))
      u += sixth * (a * x + 2 * bcx + d * dx)
      v += sixth * (a * y + 2 * bcy + d * dy)
      x = nextX
      y = nextY
    }
    state.set([x, y, u, v])
  }

const pendulumSteps =
  (weight: number): Steps =>
  (state, h, steps) => {
    let [x, u] = [state[0], state[2]]
    const [half, sixth] = [h / 2, h / 6]
    for (let step = 0; step < steps; step++) {
      const a = -weight * sin(x)
      const middle = x + half * u
      const b = -weight * sin(middle)
      const c = -weight * sin(middle + half * half * a)
      const d = -weight * sin(x + h * (u + half * b))
      x += h * (u + sixth * (a + b + c))
      u += sixth * (a + 2 * (b + c) + d)
    }
    state.set([x, 0, u, 0])
  }

const starSteps: Steps = (state, h, steps) => {
  const across = (x: number, y: number): number => -x * (1 + 2 * y)
  const along = (x: number, y: number): number => y * (y - 1) - x * x
  let [x, y, u, v] = [state[0], state[1], state[2], state[3]]
  const [half, sixth] = [h / 2, h / 6]
  for (let step = 0; step < steps; step++) {
    const ax = across(x, y)
    const ay = along(x, y)
    const mx = x + half * u
    const my = y + half * v
    const bx = across(mx, my)
    const by = along(mx, my)
    const cx = mx + half * half * ax
    const cy = my + half * half * ay
    const bcx = bx + across(cx, cy)
    const bcy = by + along(cx, cy)
    const dx = x + h * (u + half * bx)
    const dy = y + h * (v + half * by)
    x += h * (u + sixth * (ax + bcx))
    y += h * (v + sixth * (ay + bcy))
    u += sixth * (ax + 2 * bcx + across(dx, dy))
    v += sixth * (ay + 2 * bcy + along(dx, dy))
  }
  state.set([x, y, u, v])
}

/** Steps of length h of RK4, in place, by code of the check's own. @returns what takes them. */
export const recomputeRk4 = ({ system, kepler, pendulum }: ActionInput): Steps => {
  if (system === 'kepler') return keplerSteps(kepler.mu)
  return system === 'pendulum' ? pendulumSteps(pendulum.g / pendulum.length) : starSteps
}
