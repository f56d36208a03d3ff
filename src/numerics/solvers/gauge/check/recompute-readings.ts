import { atan2, TAU } from '#numerics/math.ts'

/**
 * Mean plaquette and topological charge of a field of unit links (direction, row, column; real and imaginary part) as
 * the check reads them, by another way than the run: cosines as real parts of products, and the charge by counting how
 * often the sum of four link angles leaves (−π, π]. The angles themselves cancel around the torus.
 */
export const recomputeReading = (
  links: ArrayLike<number>,
  L: number,
): { readonly plaquette: number; readonly charge: number } => {
  const area = L * L
  const [re, im] = [0, 1].map((part) =>
    Float64Array.from({ length: 2 * area }, (_, k) => links[2 * k + part] as number),
  )
  const angle = (re as Float64Array).map((x, k) => atan2((im as Float64Array)[k], x))
  const [c, s] = [re as Float64Array, im as Float64Array]
  let [plaquette, charge] = [0, 0]
  for (let at = 0; at < area; at++) {
    const right = at % L === L - 1 ? at - L + 1 : at + 1
    const above = (at + L) % area
    const [bottom, side, top, left] = [at, area + right, above, area + at]
    // (c + is)(c + is) of bottom and side against that of left and top.
    const there = [c[bottom] * c[side] - s[bottom] * s[side], c[bottom] * s[side] + s[bottom] * c[side]] as const
    const back = [c[left] * c[top] - s[left] * s[top], c[left] * s[top] + s[left] * c[top]] as const
    plaquette += (there[0] * back[0] + there[1] * back[1]) / area
    charge -= Math.floor((angle[bottom] + angle[side] - angle[top] - angle[left]) / TAU + 0.5)
  }
  return { plaquette, charge }
}
