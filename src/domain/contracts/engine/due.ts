import type { Cause } from '#core/contract/cause.ts'
import { fireId } from '#core/contract/cause.ts'
import {
  type Due,
  type DuesOf,
  decidedTick,
  dueOf,
  duesBetween,
  isBefore,
  jitterOf,
} from '#numerics/contracts/fire/dues.ts'
import type { ReadyContract, ReadyTrigger } from '#numerics/contracts/fire/ready.ts'
import type { ContractRow, WaitingFire } from '#store/rows/contract.ts'

type Standing = Pick<ContractRow, 'standing' | 'armed_tick' | 'contract'>

/** What identifies the fire of a due instant: the instant, or for `after` the entry into the state. */
export const causeOf = ({ standing }: Pick<ContractRow, 'standing'>, { kind, trigger, due }: Due): Cause =>
  kind === 'after' ? { entered: standing.entered.fire, trigger } : { due, trigger }

/** The mesh tick in which an instant is decided, jitter and all. */
const ripeAt = (it: ReadyTrigger, row: Standing, due: Due): number => {
  const jitter = 'jitter' in it.trigger && it.trigger.jitter > 0
  return jitter ? due.tick + jitterOf(it, fireId(row.contract, causeOf(row, due))) : due.tick
}

const triggersOf = ({ states }: ReadyContract, { standing }: Standing): readonly ReadyTrigger[] =>
  states.get(standing.state)?.triggers ?? []

/** The next mesh tick in which the clock moves a contract; null where none will. */
const clockTick = (ready: ReadyContract, row: Standing): number | null => {
  let next: number | null = null
  for (const it of triggersOf(ready, row)) {
    const due = dueOf(it, row.standing, row.armed_tick)
    if (due === undefined) continue
    const at = ripeAt(it, row, due)
    if (next === null || at < next) next = at
  }
  return next
}

/** The contract with the mesh tick in which it is looked at next, and whether it is over. */
export const timed = (ready: ReadyContract, row: ContractRow): ContractRow => {
  const done = ready.states.get(row.standing.state)?.terminal === true
  if (done || row.status !== 'live') return { ...row, done, next: null }
  const waiting = row.firing === null ? row.waiting.map((it) => it.not_before) : []
  const clock = clockTick(ready, row)
  const next = Math.min(...waiting, clock ?? Number.POSITIVE_INFINITY)
  return { ...row, done, next: Number.isFinite(next) ? next : null }
}

/** What the clock asks of a contract: the instants that are decided next, and what was missed before them. */
export interface ClockWork {
  /** Instants of one trigger, oldest first: more than one where it catches up. */
  readonly dues: readonly Due[]
  readonly missed: readonly (NonNullable<DuesOf['missed']> & { readonly trigger: string; readonly tick: number })[]
}

/**
 * What came due up to a mesh tick. An instant with jitter is not looked at before its own is over, and those that it
 * could still be followed by within the jitter are left for later.
 */
export const clockWork = (ready: ReadyContract, row: Standing, now: number): ClockWork => {
  const missed: ClockWork['missed'][number][] = []
  let dues: readonly Due[] = []
  for (const it of triggersOf(ready, row)) {
    const first = dueOf(it, row.standing, row.armed_tick)
    if (first === undefined || ripeAt(it, row, first) > now) continue
    const most = 'jitter' in it.trigger ? it.trigger.jitter : 0
    const until = most === 0 ? now : Math.max(first.tick, now - most)
    if (first.tick === until) {
      // The first that is undecided is on time: nothing was missed.
      if (dues[0] === undefined || isBefore(ready, first, dues[0])) dues = [first]
      continue
    }
    const found = duesBetween(ready, row.standing, { armedTick: row.armed_tick, until }).find(
      (of) => of.trigger === it.id,
    )
    if (found?.missed !== undefined) {
      missed.push({ ...found.missed, trigger: it.id, tick: decidedTick(it, found.missed.to) })
    }
    const [due] = found?.dues ?? []
    const [next] = dues
    if (due !== undefined && (next === undefined || isBefore(ready, due, next))) dues = found?.dues ?? []
  }
  return { dues, missed }
}

/** The first of the fires that wait and may be tried. */
export const ripe = (
  { waiting, firing }: Pick<ContractRow, 'waiting' | 'firing'>,
  now: number,
): WaitingFire | undefined => (firing === null ? waiting.find(({ not_before }) => not_before <= now) : undefined)
