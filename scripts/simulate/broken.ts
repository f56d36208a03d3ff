import { type Rules, trustRules } from '#core/dispute/rules.ts'
import { simulate } from './run.ts'
import type { Asked, World } from './world.ts'

/** Eight rules of trust.md, each broken alone: a world in which that is not found would not need the rule. */
export const brokenRules: Readonly<Record<string, Rules>> = {
  'believe the first ruling': { ...trustRules, verdict: 'first_ruling' },
  'one dispute per job': { ...trustRules, eachStandsAlone: false },
  'unlock at release': { ...trustRules, releaseWaits: false },
  'no spend_seq check': { ...trustRules, spendSeq: false },
  'votes of the pool': { ...trustRules, verdict: 'pool_majority' },
  'arrival decides': { ...trustRules, order: 'arrival' },
  'no cap of works': { ...trustRules, worksMax: Number.MAX_SAFE_INTEGER },
  'reveal c first': { ...trustRules, workerFirst: false },
}

/** Worlds that are hunted through: small, and of all shares of cheats. */
const NODES = 20
const JOBS = 50
const SHARES = [0.2, 0.5, 0.75]
export const HUNT_SEEDS_MAX = 200

/** The world of a seed of the hunt. */
export const huntedWorld = (seed: number, rules: Rules): Asked => ({
  ...{ nodes: NODES, jobs: JOBS, cheats: SHARES[seed % SHARES.length] as number, seed, segments: 12, rules },
  mode: seed % 2 === 0 ? 'liveness' : 'safety',
})

/** What a hunt found: the first seed whose world breaks, and which invariant it was. */
export interface Find {
  readonly seed: number
  readonly invariant: string
  readonly detail: string
}

/** Goes through seeds until a world breaks. @returns undefined where none does */
export const hunt = (
  rules: Rules,
  seeds: { readonly from: number; readonly to: number },
  seen: (world: World) => void = () => undefined,
): Find | undefined => {
  for (let seed = seeds.from; seed <= seeds.to; seed++) {
    const world = simulate(huntedWorld(seed, rules))
    seen(world)
    const [first] = world.violations
    if (first !== undefined) return { seed, ...first }
  }
  return undefined
}
