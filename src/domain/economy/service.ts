import type { Signer } from '#core/keys.ts'
import { nodeIdOf } from '#core/keys.ts'
import { type Meter, noMeter } from '#core/telemetry.ts'
import { createProofOfWork } from '#domain/identity/proof-of-work.ts'
import { supersessionsOf } from '#store/eras.ts'
import type { Store } from '#store/store.ts'
import { createAbroad } from './abroad/service.ts'
import { createBudget, type KeylessLimits } from './budget.ts'
import { createClaims } from './claim.ts'
import { consensusOf } from './consensus.ts'
import type { BundlePath, Economy } from './economy.ts'
import { createEnvelopes } from './envelopes.ts'
import { createCover, createGrant } from './grant.ts'
import { createHolds } from './holds.ts'
import { createIdempotency } from './idempotency.ts'
import { createIssue } from './issue.ts'
import { createShow } from './items.ts'
import { createMoves, type MovesOptions } from './moves.ts'
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
  /** Makes and checks challenges of the daily claim; those of sign-ups are made with it too. */
  readonly workSecret: Uint8Array
  readonly keyless: KeylessLimits
  readonly bundlePath: BundlePath
  /** The keys that the node keeps for accounts: their ops are signed with them. */
  readonly custody: MovesOptions['custody']
  readonly meter?: Meter
  /** Credits of the monthly bundle that the meter reports; nothing is refused for it. */
  readonly bundleCredits?: number
  /** Whether the node serves its own machine alone: then its owner lacks no credits, {@link Economy.cover}. */
  readonly trustsOwner?: boolean
}

/** The economy of one node. */
export const createEconomy = (options: EconomyOptions): Economy => {
  const { store, signer, keyless, bundlePath, bundleCredits, custody, meter = noMeter, trustsOwner = false } = options
  const holds = createHolds(store, trustsOwner)
  const issue = createIssue({ store, signer, node: nodeIdOf(signer.publicKey), meter })
  const idempotent = createIdempotency(store)
  const claims = createClaims({ store, work: createProofOfWork(options.workSecret), issue, idempotent })
  const home = createHome({ store, signer, known: () => supersessionsOf(store) })
  const show = createShow(bundlePath, () => store.now().meshTick)
  const { abroad, relay, shelf } = createAbroad({ store, home, signer, custody, bundlePath })
  const envelopes = createEnvelopes(store, show, { home, shelf })
  const moving = { store, home, idempotent, custody }
  const bundle = bundleCredits ?? BUNDLE_CREDITS

  return {
    hold: holds.hold,
    cover: createCover(store, issue, holds),
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
    credits: async (caller, machine) => {
      const claim = await claims.status(caller, machine)
      return { ...creditsOf(store, holds, caller), claim }
    },
    claim: claims.claim,
    usage: async (caller) => usageOf(store, bundle, caller),
    grant: createGrant(store, issue, idempotent),
    sweep: createSweep(store),
  }
}
