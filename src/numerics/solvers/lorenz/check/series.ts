import type { TaylorSystem } from '#numerics/methods/ode/taylor.ts'
import type { Parameters } from '#numerics/solvers/lorenz/problem.ts'

/** The equations by their Taylor series; the coefficients of the products xz and xy are summed side by side. */
export const lorenzSeries = ({ sigma, rho, beta }: Parameters): TaylorSystem => ({
  size: 3,
  series: 3,
  coefficients: ([x, y, z], order) => {
    if (x === undefined || y === undefined || z === undefined) return
    for (let n = 0; n < order; n++) {
      let [xz, xy] = [0, 0]
      for (let j = 0; j <= n; j++) {
        xz += x[j] * z[n - j]
        xy += x[j] * y[n - j]
      }
      x[n + 1] = (sigma * y[n] - sigma * x[n]) / (n + 1)
      y[n + 1] = (rho * x[n] - xz - y[n]) / (n + 1)
      z[n + 1] = (xy - beta * z[n]) / (n + 1)
    }
  },
})

/** The same with three tangent vectors, each by the derivative of the products. */
export const tangentSeries = (parameters: Parameters): TaylorSystem => {
  const { sigma, rho, beta } = parameters
  const base = lorenzSeries(parameters)
  return {
    size: 12,
    series: 12,
    coefficients: (series, order) => {
      base.coefficients(series.slice(0, 3), order)
      const [x, y, z] = series as [Float64Array, Float64Array, Float64Array]
      for (let vector = 3; vector < 12; vector += 3) {
        const [u, v, w] = series.slice(vector, vector + 3) as [Float64Array, Float64Array, Float64Array]
        for (let n = 0; n < order; n++) {
          let [across, along] = [0, 0]
          for (let j = 0; j <= n; j++) {
            across += u[j] * z[n - j] + x[j] * w[n - j]
            along += u[j] * y[n - j] + x[j] * v[n - j]
          }
          u[n + 1] = (sigma * v[n] - sigma * u[n]) / (n + 1)
          v[n + 1] = (rho * u[n] - across - v[n]) / (n + 1)
          w[n + 1] = (along - beta * w[n]) / (n + 1)
        }
      }
    },
  }
}
