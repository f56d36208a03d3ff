import { type Cause, fireId } from '#core/contract/cause.ts'
import type { FireRow } from '#core/contract/fire-row.ts'
import type { ContractStanding } from '#core/contract/standing.ts'
import { countBetween, decidedTick, jitterOf } from './dues.ts'
import type { ReadyContract } from './ready.ts'
import type { ReplayIndex } from './replay-entries.ts'
import { agree, differs, type ReplayPlace, versionOf } from './replay-place.ts'

/** What is looked at of the clock in a replay. */
interface DueWalk {
  readonly index: ReplayIndex
  readonly place: ReplayPlace
}

const markOf = (standing: ContractStanding, trigger: string): number | undefined =>
  Object.hasOwn(standing.marks, trigger) ? standing.marks[trigger] : undefined

const move = (place: ReplayPlace, trigger: string, to: number): void => {
  const { standing } = place
  place.standing = {
    ...standing,
    marks: { ...standing.marks, [trigger]: Math.max(to, markOf(standing, trigger) ?? to) },
  }
}

/** Whether a cause is one of a trigger: a real instant of it, which was not decided before, and not too early. */
export const agreeDue = (
  { place }: DueWalk,
  ready: ReadyContract,
  row: { no: number; mesh_tick: number; fire: string; cause: Cause; due: number | null },
): void => {
  const { no, cause, due, fire, mesh_tick } = row
  if (!('trigger' in cause)) return agree(no, 'due', due, null)
  const it = ready.triggers.get(cause.trigger)
  if (it === undefined || due === null) return differs(no, 'cause.trigger', { recorded: cause.trigger, found: null })
  if ('due' in cause) agree(no, 'due', due, cause.due)
  else {
    agree(no, 'cause.entered', cause.entered, place.standing.entered.fire)
  }
  if (countBetween(it, place.standing, { from: due, to: due }) !== 1)
    differs(no, 'due', { recorded: due, found: 'no instant of its trigger' })
  const tick = decidedTick(it, due) + jitterOf(it, fire)
  if (mesh_tick < tick) differs(no, 'mesh_tick', { recorded: mesh_tick, found: `not before ${tick}` })
}

/** A row `missed` counts the real instants of its trigger between two, none of which was decided. */
export const agreeMissed = ({ index, place }: DueWalk, row: Extract<FireRow, { outcome: 'missed' }>): void => {
  const { no, trigger, from, to, count } = row
  const ready = versionOf(index.file, place, { no, version_no: place.version_no })
  const it = ready.triggers.get(trigger)
  if (it === undefined) return differs(no, 'trigger', { recorded: trigger, found: null })
  agree(no, 'count', count, countBetween(it, place.standing, { from, to }))
  const mark = markOf(place.standing, trigger)
  if (mark !== undefined && mark >= from) differs(no, 'from', { recorded: from, found: `decided up to ${mark}` })
  move(place, trigger, to)
}

/** A row `skipped` or `replaced` is of a fire that was due, and decided by nobody. */
export const agreePassed = (walk: DueWalk, row: Extract<FireRow, { outcome: 'skipped' | 'replaced' }>): void => {
  const { index, place } = walk
  const { no, cause, fire, due } = row
  agree(no, 'fire', fire, fireId(index.contract, cause))
  if (!('trigger' in cause)) return
  const ready = versionOf(index.file, place, { no, version_no: place.version_no })
  if (!ready.triggers.has(cause.trigger)) return
  if ('due' in cause && row.outcome === 'skipped') agreeDue(walk, ready, { ...row, due: cause.due })
  if (due !== null) move(place, cause.trigger, due)
}
