import type { Caller } from '#core/caller.ts'
import { BOND_TOKENS } from '#core/work/bond.ts'
import { createCustody } from '#domain/identity/custody.ts'
import { createContribution } from '#domain/network/contribution/service.ts'
import type { Contribution, HeardMode } from '#domain/network/contribution/types.ts'
import { createRecorder, type EventRecorder } from '#domain/network/recorder.ts'
import { type FixedClock, fixedClock } from '../../../kit/clock.ts'
import { type House, openHouse, ownerCaller, type Rooms, sealOne } from '../../house.ts'

/** A house whose owner contributes. */
export interface Bonded extends House {
  readonly contribution: Contribution
  readonly recorder: EventRecorder
  readonly owner: Extract<Caller, { readonly kind: 'demo' | 'account' | 'owner' }>
}

/** Kernels that every node of a test has, unless it says otherwise. */
export const KERNELS = 'a'.repeat(64)

/** Contributing, as a node has it, in the rooms of a test. */
export const contributionIn = (rooms: Rooms, recorder: EventRecorder, heard: readonly HeardMode[] = []): Contribution =>
  createContribution({
    ...{ store: rooms.store, moves: rooms.economy.moves, recorder, nodeId: rooms.keys.nodeId },
    ...{ custody: createCustody(rooms.keys), policy: 'open', kernels: KERNELS, heard: () => heard },
    onStuck: (cause) => {
      throw cause
    },
  })

/** Opens a directory with contributing in it. */
export const openBonded = async (
  directory: string,
  { clock = fixedClock(), heard = [] }: { clock?: FixedClock; heard?: readonly HeardMode[] } = {},
): Promise<Bonded> => {
  const house = await openHouse(directory, clock)
  await (await house.economy.moves.resume()).rows
  const recorder = createRecorder(house.store, house.keys.signer)
  const contribution = contributionIn(house, recorder, heard)
  const owner = ownerCaller(house)
  if (owner.kind !== 'owner') throw new Error('the link is the owner')
  return { ...house, recorder, contribution, owner }
}

const SEALED_AT_ONCE = 250
/** Face of the envelopes that are made here. */
export const FACE = 3

/** Seals envelopes for an account, by free or paid credits that are given first. @returns their ids */
export const sealMany = async (
  house: Rooms,
  caller: Extract<Caller, { readonly zid: string }>,
  { count, funding }: { readonly count: number; readonly funding: 'free' | 'paid' },
): Promise<string[]> => {
  if (count === 0) return []
  if (funding === 'paid') await house.economy.grant(ownerCaller(house), { zid: caller.zid, credits: FACE * count })
  else {
    await house.store.commit((tx) => {
      const given = { kind: 'grant', asset: 'free', to: caller.zid, amount: FACE * count } as const
      house.economy.issue(tx, { ...given, ref: `test-${tx.tick}-${count}-${tx.balance('free', caller.zid)}` })
    })
  }
  const tokens: string[] = []
  while (tokens.length < count) {
    const some = Array.from({ length: Math.min(SEALED_AT_ONCE, count - tokens.length) })
    const rows = await Promise.all(some.map(() => sealOne(house, { caller, credits: FACE })))
    tokens.push(...rows.map((it) => it.token_id))
  }
  return tokens
}

/** Spends what free credits an account has, so that paid ones pay what comes. */
export const spendFree = async (house: Rooms, caller: Extract<Caller, { readonly zid: string }>): Promise<void> => {
  const free = house.store.balance('free', caller.zid)
  if (free > 0) await sealOne(house, { caller, credits: free })
}

/** The owner with what a bond takes, some of it soulbound. @returns token ids, soulbound ones first */
export const rich = async (house: Bonded, { soulbound = 400, movable = BOND_TOKENS - 400 } = {}) => {
  const bound = await sealMany(house, house.owner, { count: soulbound, funding: 'free' })
  await spendFree(house, house.owner)
  return { bound, movable: await sealMany(house, house.owner, { count: movable, funding: 'paid' }) }
}
