/**
 * The seed that random values of the tests follow from, unless another is asked for: what lands must not hang on luck.
 * Other seeds are hunted apart (`npm run hunt`), and what they find becomes a fixed case.
 */
const COMMITTED_SEED = '20261122'

/** A seed that was never tried. */
export const freshSeed = (): string => String(crypto.getRandomValues(new Uint32Array(1))[0])

/** The seed asked for: `random`, a 32-bit unsigned integer, or nothing. @throws Error for anything else. */
export const seedOf = (asked: string | undefined): string => {
  const seed = asked ?? process.env['TICKMESH_TEST_SEED'] ?? COMMITTED_SEED
  if (seed === 'random') return freshSeed()
  if (/^\d{1,10}$/.test(seed) && Number(seed) < 2 ** 32) return seed
  throw new Error(`a seed is random or an integer below 2^32, not ${seed}`)
}
