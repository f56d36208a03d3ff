import { nodeIdOf, publicKeyOfSeed, zidOf } from '#core/keys.ts'
import type { Chance } from './chance.ts'

/** What a node does in a simulated world. All but `honest` work together, and rule for each other. */
export const strategies = [
  'honest',
  'always',
  'seldom',
  'segment',
  'skip',
  'ruler',
  'false',
  'withhold',
  'shield',
] as const
export type Strategy = (typeof strategies)[number]

/** How often a worker that is wrong seldom is wrong. */
const SELDOM = 0.01
/** Segments that a worker who skips leaves out at least: five in six. */
const SKIPPED = 5 / 6

/** A node of a simulated world. */
export interface Party {
  readonly index: number
  readonly seed: Uint8Array
  readonly publicKey: Uint8Array
  readonly node: string
  readonly zid: string
  readonly strategy: Strategy
  /** Ticks that its clock is off. */
  readonly skew: number
}

/** A node of a world. */
export const partyOf = (index: number, strategy: Strategy, skew: number, chance: Chance): Party => {
  const seed = chance.bytes(32)
  const publicKey = publicKeyOfSeed(seed)
  return { index, seed, publicKey, node: nodeIdOf(publicKey), zid: zidOf(publicKey), strategy, skew }
}

/** Whether a node keeps to the rules. */
export const isHonest = ({ strategy }: Party): boolean => strategy === 'honest'

/** What a worker does to the segments of its next run: as its strategy says. */
export const bentBy = (
  { strategy }: Party,
  k: number,
  chance: Chance,
): ((segment: string | number) => 'right' | 'wrong' | 'skip') => {
  const right = () => 'right' as const
  const one = k === 0 ? 'all' : chance.integer(0, k - 1)
  switch (strategy) {
    case 'always':
    case 'withhold':
    case 'shield':
      return () => 'wrong'
    case 'seldom':
      return chance.happens(SELDOM) ? () => 'wrong' : right
    case 'segment':
      return (segment) => (segment === one ? 'wrong' : 'right')
    case 'skip': {
      const done = new Set<string | number>(
        chance.some(
          Array.from({ length: k }, (_, i) => i),
          Math.floor(k * (1 - SKIPPED)),
        ),
      )
      return (segment) => (k === 0 ? 'skip' : typeof segment !== 'number' || done.has(segment) ? 'right' : 'skip')
    }
    default:
      return right
  }
}
