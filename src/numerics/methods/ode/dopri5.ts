import { rowOf, type Tableau } from './tableau.ts'

/**
 * DOPRI5: order 5, six stages, an interpolant of order 4 for nothing. Dormand, Prince, J. Comput. Appl. Math. 6 (1980)
 * 19; the interpolant as in Hairer, Nørsett, Wanner, Solving ODEs I, 2nd ed., II.6.
 */
export const dopri5: Tableau = {
  nodes: [0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1],
  stages: [
    rowOf([0], [1 / 5]),
    rowOf([0, 1], [3 / 40, 9 / 40]),
    rowOf([0, 1, 2], [44 / 45, -56 / 15, 32 / 9]),
    rowOf([0, 1, 2, 3], [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729]),
    rowOf([0, 1, 2, 3, 4], [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656]),
  ],
  end: rowOf([0, 2, 3, 4, 5], [35 / 384, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]),
  extraNodes: [],
  extra: [],
  errors: [rowOf([0, 2, 3, 4, 5, 6], [71 / 57600, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])],
  dense: [
    rowOf(
      [0, 2, 3, 4, 5, 6],
      [
        -12715105075 / 11282082432,
        87487479700 / 32700410799,
        -10690763975 / 1880347072,
        701980252875 / 199316789632,
        -1453857185 / 822651844,
        69997945 / 29380423,
      ],
    ),
  ],
  exponent: 1 / 5,
}
