import { atan2, TAU } from '#numerics/math.ts'
import { linkAt } from './layout.ts'

/** What is read off a field of links. */
export interface Reading {
  /** Mean of cos of the plaquette angle. */
  readonly plaquette: number
  /** Sum of the angles over 2π: whole, because every link enters twice with opposite signs. */
  readonly charge: number
}

/** Angle of each plaquette, row by row, in (−π, π]. */
export const anglesOf = (links: ArrayLike<number>, L: number): Float64Array => {
  const angles = new Float64Array(L * L)
  const part = (link: number): readonly [number, number] => [links[2 * link] as number, links[2 * link + 1] as number]
  for (let y = 0; y < L; y++) {
    for (let x = 0; x < L; x++) {
      // U_x(x, y)·U_y(x + 1, y)·conj(U_x(x, y + 1)·U_y(x, y)).
      const [ar, ai] = part(linkAt(0, y, x, L))
      const [br, bi] = part(linkAt(1, y, x + 1, L))
      const [cr, ci] = part(linkAt(0, y + 1, x, L))
      const [dr, di] = part(linkAt(1, y, x, L))
      const [pr, pi] = [ar * br - ai * bi, ar * bi + ai * br]
      const [qr, qi] = [cr * dr - ci * di, cr * di + ci * dr]
      angles[y * L + x] = atan2(pi * qr - pr * qi, pr * qr + pi * qi)
    }
  }
  return angles
}

/** Mean plaquette from products of links, and the charge from their angles. */
export const readingOf = (links: ArrayLike<number>, L: number, cosine: (angle: number) => number): Reading => {
  const angles = anglesOf(links, L)
  let [plaquette, turns] = [0, 0]
  for (const angle of angles) {
    plaquette += cosine(angle)
    turns += angle
  }
  return { plaquette: plaquette / (L * L), charge: Math.floor(turns / TAU + 0.5) }
}
