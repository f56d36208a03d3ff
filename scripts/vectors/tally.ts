import type { Json } from '#core/canonical.ts'
import { type Entry, entryHash, genesisHash } from '#core/machine.ts'
import { replayTally, tokenEntries } from '#core/token-ranges.ts'
import { user } from './sample.ts'

type Said = readonly [type: string, body: Readonly<Record<string, Json>>]

const asset = 'tally:35e7fd537bd8cb20'
const node = { asset, source: 'node' }
const owner = { asset, source: 'owner' }
const to = `zid1${'a'.repeat(32)}`

/** A token with both kinds of mint, transfers across issues, and the ceiling. */
const said: readonly Said[] = [
  ['created', { is_public: true, source: 'owner' }],
  [tokenEntries.genesis, { ...owner, name: 'Litres pumped', symbol: 'LITRE', max_supply: 40, initial: 10 }],
  [tokenEntries.transfer, { ...node, ref: 'f0.0', to, amount: 4 }],
  [tokenEntries.rate, { ...owner, amount: 3, per: 'ticks', every: 10, since: 995 }],
  [tokenEntries.mint, { ...node, amount: 9, count: 3, since: 995, until: 1_020 }],
  [tokenEntries.transfer, { ...node, ref: 'f1.0', to: user.zid, amount: 8 }],
  [tokenEntries.rate, { ...owner, amount: 10, per: 'transition', every: 2, since: 1_021 }],
  ['contract_fire', { fire: 'f2', outcome: 'fired', source: 'node' }],
  ['contract_fire', { fire: 'f3', outcome: 'refused', source: 'node' }],
  ['contract_fire', { fire: 'f4', outcome: 'fired', source: 'node' }],
  [tokenEntries.mint, { ...node, ref: 'f4', amount: 10, count: 1 }],
  ['contract_fire', { fire: 'f5', outcome: 'fired', source: 'node' }],
  ['contract_fire', { fire: 'f6', outcome: 'fired', source: 'node' }],
  [tokenEntries.mint, { ...node, ref: 'f6', amount: 10, count: 1 }],
  [tokenEntries.stopped, { ...node, reason: 'ceiling' }],
]

const chainOf = (links: readonly Said[]): readonly Entry[] => {
  let previous = genesisHash({ slug: 'pump-7', owner: user.zid, node: 'node', genesis_tick: 0, nonce: '00'.repeat(16) })
  return links.map(([type, body], seq) => {
    const entry: Entry = { seq, previous, tick: seq, type, body }
    previous = entryHash(entry)
    return entry
  })
}

const foundOf = (links: readonly Said[]) => {
  const { balances, broken, ...found } = replayTally(chainOf(links))
  return { ...found, balances: Object.fromEntries(balances), broken: broken ?? null }
}

/** One entry said otherwise. */
const otherwise = (at: number, more: Readonly<Record<string, Json>>) => {
  const links = said.map(([type, body], i): Said => (i === at ? [type, { ...body, ...more }] : [type, body]))
  return { at, body: { ...said[at]?.[1], ...more }, broken: foundOf(links).broken }
}

/** Units of a token by the chain of its machine: what they come to, and what is refused. */
export const tallyVectors = () => ({
  about: 'A chain that tells of a token, who has which units of it, and the same with one entry said otherwise.',
  chain: chainOf(said),
  found: foundOf(said),
  refused: [
    otherwise(1, { initial: 41 }),
    otherwise(2, { amount: 11 }),
    otherwise(2, { source: 'owner' }),
    otherwise(4, { count: 2, amount: 6 }),
    otherwise(4, { until: 1_021 }),
    otherwise(4, { since: 994 }),
    otherwise(10, { ref: 'f2' }),
    otherwise(13, { amount: 11 }),
  ],
})
