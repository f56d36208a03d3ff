import type { Guide } from '#numerics/runtime/guide.ts'
import type { ZetaInput, ZetaOutput } from './schema.ts'

/** Zeros low and high to begin with, and what is read off first. */
export const zetaGuide: Guide<ZetaInput, ZetaOutput> = {
  presets: [
    {
      name: 'The first zero',
      about:
        'At 14.134725…, found by Gram in 1903: all primes are heard in it, cos(14.13·ln x) being the longest ' +
        'wave in their distribution.',
      input: { n: 1 },
    },
    {
      name: 'The first hundred',
      about: 'Up to 236.5, each to all digits of a double, and counted: none is missing, on the line or beside it.',
      input: {},
    },
    {
      name: 'Lehmer’s pair',
      about:
        'Two zeros near 7005.08 that nearly touch: 0.04 of the mean distance. Had they met, Riemann would have ' +
        'been wrong. Lehmer (1956).',
      input: { mode: 'range', T1: 6990, T2: 7020 },
    },
    {
      name: 'The first thousand',
      about:
        'Up to 1419.4: how often a zero falls outside the Gram interval of its number, and how near neighbours ' +
        'come.',
      input: { n: 1000 },
    },
    {
      name: 'Near a million',
      about:
        'About zero number 1,747,146: the local mean distance is 0.52, and the sum has 399 terms in place of ' +
        'infinitely many.',
      input: { mode: 'range', T1: 999990, T2: 999998 },
    },
  ],
  headline: [
    { member: 'last', label: 'Ordinate of the last zero' },
    { member: 'count', label: 'Zeros found' },
    { member: 'first', label: 'Number of the first of them' },
    { member: 'smallestGap', label: 'Smallest gap, of the mean' },
    { member: 'gramFailures', label: 'Failures of Gram’s law' },
  ],
  advanced: [],
}
