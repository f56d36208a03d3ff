import { PI, sin } from '#numerics/math.ts'

/**
 * Weights of the inner nodes of an axis with fixed ends: the integral over the axis, of length 1, of the sum of sines
 * that passes through its nodes. A plain sum over nodes takes the field as straight between them, which leaves out
 * (πm/n)²/12 of a mode of m half waves.
 */
const weightsOf = (intervals: number): Float64Array => {
  const sines = Float64Array.from({ length: 2 * intervals }, (_, i) => sin((PI * i) / intervals))
  const weights = new Float64Array(intervals - 1)
  for (let wave = 1; wave < intervals; wave += 2) {
    const share = 4 / (PI * wave * intervals)
    for (let node = 1; 2 * node <= intervals; node++) {
      weights[node - 1] += share * (sines[(wave * node) % (2 * intervals)] as number)
    }
  }
  // Odd waves are even about the middle.
  for (let node = 1; 2 * node < intervals; node++) weights[intervals - node - 1] = weights[node - 1] as number
  return weights
}

/** The mean over the domain of unknowns that vanish on all edges; of one row on a line. */
export const meanWithin = (
  unknowns: ArrayLike<number>,
  { nx, ny }: { readonly nx: number; readonly ny: number },
): number => {
  const along = weightsOf(nx)
  const across = unknowns.length === along.length ? Float64Array.of(1) : weightsOf(ny)
  let mean = 0
  for (let row = 0; row < across.length; row++) {
    let line = 0
    for (let i = 0; i < along.length; i++) line += (along[i] as number) * (unknowns[row * along.length + i] as number)
    mean += (across[row] as number) * line
  }
  return mean
}
