/** u(r) = 4·(r⁻¹² − r⁻⁶), made to end at the cutoff with force and energy zero: what the kernel needs of it. */
export interface Shift {
  /** −u′ at the cutoff. */
  readonly force: number
  /** u at the cutoff. */
  readonly energy: number
}

/** The plain potential at the cutoff. */
export const shiftOf = (cutoff: number): Shift => {
  const inverse2 = 1 / (cutoff * cutoff)
  const inverse6 = inverse2 * inverse2 * inverse2
  return { force: ((48 * inverse6 - 24) * inverse6) / cutoff, energy: (4 * inverse6 - 4) * inverse6 }
}
