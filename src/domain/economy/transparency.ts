import { assert } from '#core/assert.ts'
import { toHex } from '#core/bytes.ts'
import { keyOf } from '#store/layout.ts'
import type { SealState } from '#store/seal-log.ts'
import type { Store } from '#store/store.ts'
import { newestIssues, ONLY_ROW } from './issue-index.ts'

const assets = ['free', 'paid', 'coin'] as const
export type Asset = (typeof assets)[number]

const ISSUED = 'issued:'
const BURNED = 'burned:'
const WITHHELD = 'withheld'

export interface SourceSum {
  /** What the credits came from: `sign-up`, `grant`, `compute`, … */
  readonly source: string
  readonly amount: number
  /** Ledger leaves that state it; null where it is part of the leaves of envelopes. */
  readonly leaves: number | null
}

/** Where one asset is: issued = supply + burned + withheld. */
export interface AssetSum {
  readonly asset: Asset
  readonly issued: number
  readonly supply: number
  readonly burned: number
  readonly withheld: number
  readonly sources: readonly SourceSum[]
}

/** One ledger leaf, without its account and its cause. */
export interface IssueLine {
  /** The seal log that it stands in, and where. */
  readonly log: string
  readonly index: number
  /** Leaf hash, hex. */
  readonly hash: string
  readonly kind: string
  readonly asset: string
  readonly amount: number
  readonly tick: number
  readonly state: SealState
}

export interface Transparency {
  readonly log: string
  readonly tick: number
  readonly assets: readonly AssetSum[]
  /** Ledger leaves there are. */
  readonly total: number
  readonly lines: readonly IssueLine[]
  /** What `before` is for the next page; null on the last one. */
  readonly next: number | null
}

/** Sources and sinks of an asset that ever moved. Their names are few and end with a kind. */
const namesUnder = async (store: Store, asset: Asset, prefix: string): Promise<readonly string[]> => {
  const from = keyOf(asset, prefix)
  const names: string[] = []
  // The character after the colon ends the prefix.
  for await (const [key] of store.range('balance', { gte: from, lt: `${from.slice(0, -1)};` })) {
    names.push(key.slice(keyOf(asset, '').length))
  }
  return names
}

/** @param counts of ledger leaves, by `asset/kind`. */
const sumOf = (
  store: Store,
  asset: Asset,
  { from, to, counts }: { from: readonly string[]; to: readonly string[]; counts: Readonly<Record<string, number>> },
): AssetSum => {
  const sources = from.map((account): SourceSum => {
    const source = account.slice(ISSUED.length)
    return { source, amount: -store.balance(asset, account), leaves: counts[keyOf(asset, source)] ?? null }
  })
  const issued = sources.reduce((sum, it) => sum + it.amount, 0)
  const burned = to.reduce((sum, account) => sum + store.balance(asset, account), 0)
  const withheld = store.balance(asset, WITHHELD)
  const supply = store.supply(asset)
  return { asset, issued, supply, burned, withheld, sources }
}

/** Every credit and coin by its source, from the ledger, and the signed leaves that brought them into being. */
export const createTransparency =
  (store: Store) =>
  async (page: { readonly limit: number; readonly before?: number }): Promise<Transparency> => {
    const rows = await newestIssues(store, page)
    const lines = await Promise.all(
      rows.map(async ({ serial, kind, asset, amount, tick }): Promise<IssueLine> => {
        const { log, index } = store.leafAt(serial)
        const hash = await log.leafHash(index)
        assert(hash !== undefined, 'an issue has its leaf')
        const { state } = await log.stateOf(index)
        return { log: log.origin, index, hash: toHex(hash), kind, asset, amount, tick, state }
      }),
    )
    const names = await Promise.all(
      assets.map(async (asset) => ({
        asset,
        from: await namesUnder(store, asset, ISSUED),
        to: await namesUnder(store, asset, BURNED),
      })),
    )
    // From here on nothing waits, so that all sums are of one moment.
    const counts = store.peek('issueTotal', ONLY_ROW) ?? {}
    const last = rows.at(-1)
    return {
      log: store.log.origin,
      tick: store.now().tick,
      assets: names.map(({ asset, from, to }) => sumOf(store, asset, { from, to, counts })),
      total: Object.values(counts).reduce((sum, n) => sum + n, 0),
      lines,
      next: last === undefined || lines.length < page.limit ? null : last.serial,
    }
  }
