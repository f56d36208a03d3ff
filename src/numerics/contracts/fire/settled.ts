import type { ContractStanding } from '#core/contract/standing.ts'
import { unfit } from '#numerics/contracts/definition/members.ts'
import { contextDigest } from './decide.ts'
import { takenOver } from './dues.ts'
import type { ReadyContract } from './ready.ts'

type Marks = ContractStanding['marks']

/** Marks only ever go on. */
export const laterMarks = (a: Marks, b: Marks): Marks => {
  const marks: Record<string, number> = { ...a }
  for (const [name, mark] of Object.entries(b)) marks[name] = Math.max(mark, marks[name] ?? mark)
  return marks
}

/** A fire that has ended while its contract was moved on, by its clock, by what it heard or by a person. */
interface SettledFire {
  /** The version that it began with and has ended by. */
  readonly by: ReadyContract
  /** Where it began, and where it leads by that version. */
  readonly began: ContractStanding
  readonly after: ContractStanding
  /** The mesh tick in which the present version took over. */
  readonly since: number
  /** Whether it took over from that very version, or is that. */
  readonly isNext: boolean
}

const own = (context: ContractStanding['context'], name: string) =>
  Object.hasOwn(context, name) ? context[name] : undefined

/** What the fire changed, where nobody else has meanwhile, and it fits. */
const contextAfter = (
  { definition }: ReadyContract,
  present: ContractStanding,
  { began, after }: SettledFire,
): ContractStanding['context'] => {
  const context = { ...present.context }
  for (const [name, member] of Object.entries(definition.context)) {
    const [was, value] = [own(began.context, name), own(after.context, name)]
    if (value === undefined || value === was || own(present.context, name) !== was) continue
    if (unfit(member, value) === undefined) context[name] = value
  }
  return context
}

/**
 * Where a contract stands once a fire has ended that it was moved on beside. What the fire changed holds, as far as the
 * present version has a place for it; what a person changed meanwhile stays. Triggers that the version brought to the
 * state are due from its beginning on, as if the fire had ended just before.
 */
export const settled = (now: ReadyContract, present: ContractStanding, fire: SettledFire): ContractStanding => {
  const { by, began, after, since, isNext } = fire
  const context = contextAfter(now, present, fire)
  const known = Object.entries(after.marks).filter(([name]) => now.triggers.has(name))
  const stays = { ...present, context, marks: laterMarks(present.marks, Object.fromEntries(known)) }
  const isMoved = after.entered.fire !== began.entered.fire || after.state !== began.state
  const isLeft = present.entered.fire !== began.entered.fire || present.state !== began.state
  if (!isMoved || isLeft || !now.states.has(after.state)) return stays
  const { state, entered } = after
  const before = isNext ? by : undefined
  return takenOver(now, { ...stays, state, entered }, { before, state, tick: since })
}

/** A place where a contract stood since its last fire. */
export interface StoodPlace {
  readonly standing: ContractStanding
  readonly version_no: number
}

/** What a fire says of where it began. */
interface SaidBeginning {
  readonly version_no: number
  readonly from: string
  readonly before: string
}

/**
 * The latest of some places that a fire can have begun from, by what its row says; undefined where there is none.
 *
 * @param places oldest first.
 */
export const beganFrom = <P extends StoodPlace>(
  places: readonly P[],
  { version_no, from, before }: SaidBeginning,
): P | undefined =>
  places.findLast(
    (it) => it.version_no === version_no && it.standing.state === from && contextDigest(it.standing.context) === before,
  )
