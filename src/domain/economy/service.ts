import type { Signer } from '#core/keys.ts'
import { nodeIdOf } from '#core/keys.ts'
import { type Meter, noMeter } from '#core/telemetry.ts'
import type { Store } from '#store/store.ts'
import { createAbroad } from './abroad/service.ts'
import { createBudget, type KeylessLimits } from './budget.ts'
import { consensusOf } from './consensus.ts'
import type { BundlePath, Economy } from './economy.ts'
import { createEnvelopes, createShow } from './envelopes.ts'
import { createGrant } from './grant.ts'
import { createHolds } from './holds.ts'
import { createIdempotency } from './idempotency.ts'
import { createIssue } from './issue.ts'
import { createMoves, type MovesOptions, successionsOf } from './moves.ts'
import { createHome } from './moving/home.ts'
import { createPublishing } from './publishing.ts'
import { createRecord } from './record.ts'
import { createSettle } from './settle.ts'
import { createSharing } from './sharing.ts'
import { createSweep } from './sweep.ts'
import { createTransparency } from './transparency.ts'
import { creditsOf, usageOf } from './usage.ts'

/** Credits a month that the usage meter counts as the bundle. */
export const BUNDLE_CREDITS = 1_287

export interface EconomyOptions {
  readonly store: Store
  /** The identity key: ledger leaves are signed by it. */
  readonly signer: Signer
  readonly keyless: KeylessLimits
  readonly bundlePath: BundlePath
  /** The keys that the node keeps for accounts: their ops are signed with them. */
  readonly custody: MovesOptions['custody']
  readonly meter?: Meter
  /** Credits of the monthly bundle that the meter reports; nothing is refused for it. */
  readonly bundleCredits?: number
}

/** The economy of one node. */
export const createEconomy = (options: EconomyOptions): Economy => {
  const { store, signer, keyless, bundlePath, bundleCredits, custody, meter = noMeter } = options
  const holds = createHolds(store)
  const issue = createIssue({ store, signer, node: nodeIdOf(signer.publicKey), meter })
  const idempotent = createIdempotency(store)
  const home = createHome({ store, signer, known: successionsOf(store) })
  const show = createShow(bundlePath, () => store.now().meshTick)
  const { abroad, relay, shelf } = createAbroad({ store, home, signer, custody, bundlePath })
  const envelopes = createEnvelopes(store, show, { home, shelf })
  const moving = { store, home, idempotent, custody }
  const bundle = bundleCredits ?? BUNDLE_CREDITS

  return {
    hold: holds.hold,
    settle: createSettle(store, holds),
    keyless: createBudget(keyless, () => store.now().instant),
    idempotent,
    issue,
    ...envelopes,
    moves: createMoves({ ...moving, ...envelopes, relay, shelf }),
    abroad,
    share: createSharing(store, idempotent),
    ...createPublishing(store),
    record: createRecord(store),
    transparency: createTransparency(store),
    consensus: () => consensusOf(store),
    credits: async (caller) => creditsOf(store, holds, caller),
    usage: async (caller) => usageOf(store, bundle, caller),
    grant: createGrant(store, issue, idempotent),
    sweep: createSweep(store),
  }
}
