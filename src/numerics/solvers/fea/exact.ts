import type { FeaInput } from './schema.ts'

/** Displacement and stress at a place. */
export interface Solution {
  readonly u: number
  readonly v: number
  readonly xx: number
  readonly yy: number
  readonly xy: number
}

/**
 * The cantilever of plane elasticity under a parabolic shear load P downwards at x = L; y runs from −h/2 to h/2.
 * Timoshenko, Goodier, Theory of Elasticity, 3rd ed., §21, in the form of Augarde, Deeks, Finite Elem. Anal. Des. 44
 * (2008) 595.
 */
export const beamSolution = ({ E, nu, L, h, t, P }: FeaInput, x: number, y: number): Solution => {
  const I = (t * h * h * h) / 12
  const k = P / (6 * E * I)
  const quarter = (h * h) / 4
  return {
    u: k * y * ((6 * L - 3 * x) * x + (2 + nu) * (y * y - quarter)),
    v: -k * (3 * nu * y * y * (L - x) + (4 + 5 * nu) * quarter * x + (3 * L - x) * x * x),
    xx: (P * (L - x) * y) / I,
    yy: 0,
    xy: (-P / (2 * I)) * (quarter - y * y),
  }
}

/** P·L³/3EI and P·L/(G·A): bending and shear of a beam, without the factor of the shear. */
export const beamParts = ({ E, nu, L, h, t, P }: FeaInput): { readonly bending: number; readonly shear: number } => ({
  bending: (4 * P * L * L * L) / (E * t * h * h * h),
  shear: (2 * (1 + nu) * P * L) / (E * t * h),
})

/**
 * An infinite plate with a round hole, pulled along x: Kirsch, Z. VDI 42 (1898) 797; displacements as in Szabó,
 * Babuška, Finite Element Analysis (1991), in plane stress. Away from the centre only.
 */
export const holeSolution = ({ E, nu, plate: { radius: a, stress } }: FeaInput, x: number, y: number): Solution => {
  const r2 = x * x + y * y
  const r = Math.sqrt(r2)
  const [c, s] = [x / r, y / r]
  const [c2, s2] = [c * c - s * s, 2 * c * s]
  const [c3, s3] = [c2 * c - s2 * s, s2 * c + c2 * s]
  const [c4, s4] = [c2 * c2 - s2 * s2, 2 * c2 * s2]
  const q = (a * a) / r2
  const kappa = (3 - nu) / (1 + nu)
  const scale = (stress * a * 2 * (1 + nu)) / (8 * E)
  const near = a / r
  return {
    u: scale * (((kappa + 1) * c) / near + 2 * near * ((1 + kappa) * c + c3) - 2 * near * q * c3),
    v: scale * (((kappa - 3) * s) / near + 2 * near * ((1 - kappa) * s + s3) - 2 * near * q * s3),
    xx: stress * (1 - q * (1.5 * c2 + c4) + 1.5 * q * q * c4),
    yy: stress * (-q * (0.5 * c2 - c4) - 1.5 * q * q * c4),
    xy: stress * (-q * (0.5 * s2 + s4) + 1.5 * q * q * s4),
  }
}

/** Hoop stress at the hole's edge at an angle whose doubled cosine is given. */
export const hoopStress = (stress: number, cosTwice: number): number => stress * (1 - 2 * cosTwice)
