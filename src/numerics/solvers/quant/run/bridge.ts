import { sqrt } from '#numerics/math.ts'

/** Turns independent normals into a Brownian motion at even times: the end first, then middles of gaps. */
export interface Bridge {
  /** Writes W(T/n), W(2T/n), …, W(T) from n normals, the most telling first. */
  build(normals: Float64Array, into: Float64Array): void
}

interface Stop {
  readonly at: number
  /** Neighbours that are known by then: −1 is time 0. */
  readonly left: number
  readonly right: number
  readonly weightLeft: number
  readonly weightRight: number
  readonly deviation: number
}

/** The Brownian bridge (Caflisch, Morokoff, Owen, J. Comp. Finance 1 (1997) 27) over `steps` steps of `dt`. */
export const bridgeOf = (steps: number, dt: number): Bridge => {
  const stops: Stop[] = []
  const gaps: { left: number; right: number }[] = [{ left: -1, right: steps - 1 }]
  // Breadth first: coarse middles before fine ones.
  for (let next = 0; next < gaps.length; next++) {
    const { left, right } = gaps[next] as { left: number; right: number }
    if (right - left < 2) continue
    const at = (left + right + 1) >> 1
    const [before, after] = [at - left, right - at]
    const span = right - left
    stops.push({
      at,
      left,
      right,
      weightLeft: after / span,
      weightRight: before / span,
      deviation: sqrt((before * after * dt) / span),
    })
    gaps.push({ left, right: at }, { left: at, right })
  }
  const end = sqrt(steps * dt)
  return {
    build: (normals, into) => {
      into[steps - 1] = end * normals[0]
      stops.forEach(({ at, left, right, weightLeft, weightRight, deviation }, k) => {
        const known = left < 0 ? 0 : weightLeft * into[left]
        into[at] = known + weightRight * into[right] + deviation * normals[k + 1]
      })
    },
  }
}
