/** Orders that compositions are offered in. */
export type CompositionOrder = 4 | 6 | 8

// The first half and the middle of the weights. Order 4: three stages of Yoshida, Physics Letters A 150, 262 (1990),
// the outer 1/(2 − 2^(1/3)). Orders 6 and 8: nine and seventeen stages of Kahan and Li, Math. Comp. 66, 1089 (1997), as
// in Hairer, Lubich, Wanner, Geometric Numerical Integration, 2nd ed., V.3.2.
const HALVES: Readonly<Record<CompositionOrder, readonly number[]>> = {
  4: [1.3512071919596575, -1.7024143839193153],
  6: [0.3921614440073141, 0.33259913678935943, -0.7062461725576393, 0.0822135962935508, 0.79854399093483],
  8: [
    0.13020248308889007, 0.5611629817751084, -0.38947496264484727, 0.1588419065551556, -0.39590389413323757,
    0.1845396409783157, 0.25837438768632204, 0.2950117236093103, -0.6055085338300346,
  ],
}

/**
 * Weights of a symmetric composition: each stage is the symmetric step of order 2 over that share of the whole. They
 * add up to 1 and read the same from either end.
 */
export const compositionOf = (order: CompositionOrder): Float64Array => {
  const half = HALVES[order]
  return Float64Array.from([...half, ...half.slice(0, -1).reverse()])
}
