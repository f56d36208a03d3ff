import { accountCaller, type Caller } from '#core/caller.ts'
import { countOf, placeAt } from '#core/token/list.ts'
import { opDigest } from '#core/token/op.ts'
import { BOND_TOKENS } from '#core/work/bond.ts'
import { BOND_WORKS_MAX } from '#core/work/exposure.ts'
import { DAY_CREDITS, ENVELOPE_CREDITS } from '#core/work/mode.ts'
import type { BondView, ContributionStatus } from '#domain/network/views/contribution.ts'
import { type BondRow, endOf, type OwnBondRow } from '#store/bonds.ts'
import { listOfOp } from './locks.ts'
import { heldBy } from './tokens.ts'
import type { ContributionPorts } from './types.ts'

const OWN = 'own'
const NOTHING = { done: 0, audited: 0, right: 0, wrong: 0, unavailable: 0 } as const

const stateOf = ({ state }: OwnBondRow, row: BondRow | undefined): BondView['state'] => {
  if (row !== undefined && row.fallen !== null) return 'withheld'
  return state === 'held' && row?.released != null ? 'releasing' : state
}

/** Days until an account has the envelopes of a bond by free credits alone. */
export const daysRemaining = (held: number): number =>
  Math.ceil(((BOND_TOKENS - held) * ENVELOPE_CREDITS) / DAY_CREDITS)

type Page = Parameters<typeof attestationOf>[2]

/** A page of the envelopes that a bond locks, home by home, each list ascending. */
const attestationOf = async (
  { store }: Pick<ContributionPorts, 'store'>,
  own: OwnBondRow | undefined,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<ContributionStatus['attestation']> => {
  const tokens: ContributionStatus['attestation']['tokens'][number][] = []
  let before = 0
  for (const lock of own?.state === 'held' ? own.locks : []) {
    const list = await listOfOp(store, lock)
    const [from, to] = [Math.max(0, offset - before), Math.min(countOf(list), offset + limit - before)]
    for (let at = from; at < to; at += 1) {
      const { token_id, spend_seq } = placeAt(list, at)
      tokens.push({ token_id, spend_seq: spend_seq + 1, home: lock.op.home })
    }
    before += countOf(list)
  }
  return { total: before, offset, tokens }
}

/** Shows the node's part. @param heartbeat mesh tick of the last one */
export const createStatus = (ports: ContributionPorts, heartbeat: () => number | null) => {
  const { store, worksOpen = () => 0 } = ports

  /** A bond of this node, as it stands. */
  const showBond = async (name: string, own: OwnBondRow): Promise<BondView> => {
    const { meshTick } = store.now()
    const row = store.peek('bond', name)
    const state = stateOf(own, row)
    const end = row === undefined ? null : endOf(row, store.peek('bondLoad', name), row.released?.at ?? meshTick)
    const moves = await Promise.all(own.locks.map(({ op }) => store.get('moveByDigest', opDigest(op))))
    const weights = await Promise.all(
      moves.map(async (place) => (place === undefined ? 0 : ((await store.get('move', place))?.weight ?? 0))),
    )
    return {
      bond: name,
      state,
      count: own.locks.reduce((sum, { op }) => sum + op.count, 0),
      since: row?.at ?? null,
      homes: own.locks.map(({ op: { home, count, tokens_root } }) => ({ home, count, tokens_root })),
      lock: { kind: 'bond', ref: name, until: null },
      released: row?.released?.at ?? null,
      unlocks_at: end,
      at_risk: weights.reduce((sum, weight) => sum + weight, 0),
    }
  }

  return {
    showBond,
    status: async (caller: Caller, page: Page): Promise<ContributionStatus> => {
      const { zid } = accountCaller(caller)
      await ports.moves.settled(zid)
      const here = store.peek('contribution', OWN)
      const name = here?.bond ?? null
      const own = name === null ? undefined : store.peek('ownBond', name)
      const load = name === null ? undefined : store.peek('bondLoad', name)
      const held = await heldBy(store, zid)
      const bonded = own !== undefined && caller.kind === 'owner'
      const { meshTick } = store.now()
      return {
        mode: here?.mode ?? 'idle',
        since: here?.since ?? null,
        mesh_tick: meshTick,
        heartbeat: heartbeat(),
        bond: name === null || own === undefined ? null : await showBond(name, own),
        attestation: await attestationOf(ports, own, page),
        needed: BOND_TOKENS,
        held,
        days_remaining: bonded ? 0 : daysRemaining(held),
        works: { open: name === null ? 0 : worksOpen(name), max: BOND_WORKS_MAX },
        record: store.peek('workRecord', OWN) ?? NOTHING,
        disputes: { until: load !== undefined && load.until > meshTick ? load.until : null },
      }
    },
  }
}
