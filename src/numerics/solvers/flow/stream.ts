/** The stream function at the corners of the cells, (n + 1)² with y fastest: zero on the walls. */
export const streamFunction = ({ n, u }: { readonly n: number; readonly u: ArrayLike<number> }): Float64Array => {
  const psi = new Float64Array((n + 1) * (n + 1))
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) psi[(i + 1) * (n + 1) + j + 1] = psi[(i + 1) * (n + 1) + j] + u[i * n + j] / n
  }
  return psi
}
