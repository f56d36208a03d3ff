import { asin, atan, PI, sin, sqrt, tan } from '#numerics/math.ts'

/** Means that any k < 1 takes to agree to the last bit. */
const MEANS_MAX = 40

/** Arithmetic–geometric means from 1 and k′: the means a, and the differences c (c_0 = k). */
const means = (k: number, complement: number): { readonly a: readonly number[]; readonly c: readonly number[] } => {
  const a = [1]
  const c = [k]
  let b = complement
  let last = 1
  for (let n = 0; n < MEANS_MAX && Math.abs(c[n] as number) > 1e-17 * last; n++) {
    c.push((last - b) / 2)
    const next = (last + b) / 2
    b = sqrt(last * b)
    last = next
    a.push(last)
  }
  return { a, c }
}

/** A modulus k < 1 with its complement √(1 − k²), given apart so that neither loses digits near 1. */
export interface Modulus {
  readonly k: number
  readonly complement: number
}

/** Complete integral of the first kind (Abramowitz, Stegun 17.6). */
export const completeIntegral = ({ k, complement }: Modulus): number => {
  const { a } = means(k, complement)
  return PI / (2 * (a[a.length - 1] as number))
}

/** Incomplete integral F(φ, k) for any φ, by the ascending transformation tan(φ′ − φ) = (b/a)·tan φ (17.6.8). */
export const incompleteIntegral = (phi: number, { complement }: Modulus): number => {
  let [a, b, angle, power] = [1, complement, phi, 1]
  for (let n = 0; n < MEANS_MAX && Math.abs(a - b) > 1e-17 * a; n++) {
    const turns = PI * Math.floor(angle / PI + 0.5)
    angle += atan((b / a) * tan(angle - turns)) + turns
    const next = (a + b) / 2
    b = sqrt(a * b)
    a = next
    power *= 2
  }
  return angle / (power * a)
}

/** Jacobi's amplitude am(u, k): the φ with F(φ, k) = u (16.4). */
export const amplitudeOf = (u: number, { k, complement }: Modulus): number => {
  const { a, c } = means(k, complement)
  const last = a.length - 1
  let power = 1
  for (let n = 0; n < last; n++) power *= 2
  let phi = power * (a[last] as number) * u
  for (let n = last; n > 0; n--) phi = (phi + asin(((c[n] as number) / (a[n] as number)) * sin(phi))) / 2
  return phi
}
