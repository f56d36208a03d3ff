import { assert } from '#core/assert.ts'
import { toHex } from '#core/bytes.ts'
import { keyOf, under } from '#store/layout.ts'
import type { Store } from '#store/store.ts'
import { newestIssues, ONLY_ROW } from './issue-index.ts'
import type { AssetSum, IssueLine, Transparency } from './views.ts'

/** Assets that are shown though nothing of them ever moved. */
const alwaysShown = ['free', 'paid', 'coin'] as const
/** Other assets that are shown, in the order of their names. */
const OTHERS_MAX = 1_000
/** Days of claims that are shown, the newest. */
const CLAIM_DAYS = 31

/** Assets of machines, and the first name behind them: the character after the colon. */
const TOKENS = 'tally:'
const AFTER_TOKENS = 'tally;'

const ISSUED = 'issued:'
const BURNED = 'burned:'
const WITHHELD = 'withheld'

/** Sources and sinks of an asset that ever moved. Their names are few and end with a kind. */
const namesUnder = async (store: Store, asset: string, prefix: string): Promise<readonly string[]> => {
  const from = keyOf(asset, prefix)
  const names: string[] = []
  // The character after the colon ends the prefix.
  for await (const [key] of store.range('balance', { gte: from, lt: `${from.slice(0, -1)};` })) {
    names.push(key.slice(keyOf(asset, '').length))
  }
  return names
}

/** Assets that the ledger holds, from one to the next: an asset's own accounts are not gone through. */
const otherAssets = async (store: Store): Promise<readonly string[]> => {
  const found: string[] = []
  let after = ''
  for (let seen = 0; seen < OTHERS_MAX + alwaysShown.length; seen++) {
    let next: string | undefined
    for await (const [key] of store.range('balance', { gte: after, limit: 1 })) next = key.split('/')[0] ?? ''
    if (next === undefined) break
    // Tokens of machines are shown by their machines, to whoever may see these.
    const ofMachine = next.startsWith(TOKENS)
    if (!ofMachine && !(alwaysShown as readonly string[]).includes(next)) found.push(next)
    after = ofMachine ? AFTER_TOKENS : under(next).lt
  }
  return found
}

/** The newest days on which claims were paid. */
const claimsByDay = async (store: Store): Promise<Transparency['claims']> => {
  const days: Transparency['claims'][number][] = []
  for await (const [day, { claims, credits }] of store.range('claimDay', { reverse: true, limit: CLAIM_DAYS })) {
    days.push({ day, claims, credits })
  }
  return days
}

/** @param counts of ledger leaves, by `asset/kind`. */
const sumOf = (
  store: Store,
  asset: string,
  { from, to, counts }: { from: readonly string[]; to: readonly string[]; counts: Readonly<Record<string, number>> },
): AssetSum => {
  const sources = from.map((account) => {
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
    const claims = await claimsByDay(store)
    const names = await Promise.all(
      [...alwaysShown, ...(await otherAssets(store))].map(async (asset) => ({
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
      claims,
      total: Object.values(counts).reduce((sum, n) => sum + n, 0),
      limit: page.limit,
      lines,
      next: last === undefined || lines.length < page.limit ? null : last.serial,
    }
  }
