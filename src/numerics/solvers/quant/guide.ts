import type { Guide } from '#numerics/runtime/guide.ts'
import type { QuantInput, QuantOutput } from './schema.ts'

/** Options to begin with, and what is read off first. */
export const quantGuide: Guide<QuantInput, QuantOutput> = {
  presets: [
    {
      name: 'One-month at-the-money call on a 20 % stock',
      about: 'The rule of thumb 0.4·S·σ·√T gives 2.3; interest of 4 % brings it to 2.5. Delta a little over one half.',
      input: { S: 100, K: 100, r: 0.04, sigma: 0.2, T: 0.0833333333 },
    },
    {
      name: 'Hull’s index option',
      about:
        'S&P 500 at 930, strike 900, two months, 8 % interest, 3 % dividends, 20 %: 51.83 in Hull, Options, ' +
        'Futures and Other Derivatives, ch. 17.',
      input: { S: 930, K: 900, r: 0.08, q: 0.03, sigma: 0.2, T: 0.1666666667 },
    },
    {
      name: 'Crash insurance: a put 20 % below',
      about:
        'A year’s protection of a portfolio at 25 % volatility: about 1.8 % of its worth, with a delta near ' +
        '−0.13.',
      input: { right: 'put', S: 100, K: 80, r: 0.03, sigma: 0.25, T: 1 },
    },
    {
      name: 'Average price of oil',
      about:
        'A refiner buys on twelve month ends: an average moves less than a price, so its option costs little ' +
        'more than half. Geometric mean, 35 %.',
      input: { product: 'asian', S: 80, K: 80, r: 0.04, q: 0.02, sigma: 0.35, T: 1, asian: { dates: 12 } },
    },
    {
      name: 'Knock-out call',
      about:
        'It dies if the price ever touches 90: cheaper than the plain call by the paths that do. Reiner and ' +
        'Rubinstein (1991).',
      input: { product: 'barrier', S: 100, K: 100, r: 0.05, sigma: 0.2, T: 1, barrier: { kind: 'down-out', H: 90 } },
    },
  ],
  headline: [
    { member: 'price', label: 'Price' },
    { member: 'delta', label: 'Delta' },
    { member: 'gamma', label: 'Gamma' },
    { member: 'vega', label: 'Vega (for 1.00 of volatility)' },
    { member: 'theta', label: 'Theta (a year)' },
  ],
  advanced: ['paths', 'seed', 'barrier.steps'],
}
