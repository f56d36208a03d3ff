import type { ContractStanding } from '#core/contract/standing.ts'
import { meshTickAt, TICK_NS } from '#core/tick.ts'
import { NS_PER_SECOND } from '#core/time.ts'
import { duesAfter, lastDue, nextDue as nextCron } from '#numerics/contracts/cron/cron.ts'
import type { ReadyContract, ReadyTrigger } from './ready.ts'

/** Hex digits of a fire's name that its jitter comes of. */
const JITTER_DIGITS = 8
/** Missed instants of one trigger that are counted; more are not told apart from so many. */
const COUNT_MAX = 1_000_000

/** An instant at which a trigger is due. */
export interface Due {
  readonly trigger: string
  readonly kind: ReadyTrigger['trigger']['kind']
  /** As its cause names it: Unix seconds of a civil instant, else mesh ticks. */
  readonly due: number
  /** The mesh tick in which it is decided, without jitter. */
  readonly tick: number
}

/** What came due of one trigger up to a tick. */
export interface DuesOf {
  readonly trigger: string
  /** To be decided, oldest first. */
  readonly dues: readonly Due[]
  /** What is not: the first, the last and how many, as its row says. */
  readonly missed: { readonly from: number; readonly to: number; readonly count: number } | undefined
}

const isCivil = ({ trigger }: ReadyTrigger): boolean =>
  trigger.kind === 'cron' || (trigger.kind === 'one_shot' && trigger.at_unix !== undefined)

/** The mesh tick in which an instant is decided: of a civil one, the tick after the one that holds its second. */
export const decidedTick = (it: ReadyTrigger, due: number): number =>
  isCivil(it) ? meshTickAt(BigInt(due) * NS_PER_SECOND) + 1 : due

/** The last second, or tick, that is decided in a mesh tick or before it. */
const lastInstantBy = (it: ReadyTrigger, tick: number): number =>
  isCivil(it) ? Number((BigInt(tick) * TICK_NS - 1n) / NS_PER_SECOND) : tick

/** The first second that no decision of a mesh tick, or of one before it, is about. */
export const undecidedFrom = (tick: number): number => Number((BigInt(tick) * TICK_NS - 1n) / NS_PER_SECOND) + 1

/**
 * What instants have to lie after: the last one decided, or that the trigger began after, and the start or resumption.
 * The time in a state that `after` counts runs on while a contract is paused.
 */
const floorOf = (it: ReadyTrigger, { marks }: ContractStanding, armedTick: number): number => {
  const since = lastInstantBy(it, it.trigger.kind === 'after' ? 0 : armedTick)
  return Math.max(since, Object.hasOwn(marks, it.id) ? (marks[it.id] ?? since) : since)
}

const triggersOf = (ready: ReadyContract, state: string): readonly ReadyTrigger[] =>
  ready.states.get(state)?.triggers ?? []

/** Marks from a tick on: triggers that ran before run on, so that none of their instants is lost; others begin then. */
const marksBegun = (
  ready: ReadyContract,
  standing: ContractStanding,
  { before, tick }: { readonly before: readonly ReadyTrigger[]; readonly tick: number },
): ContractStanding['marks'] => {
  const begun = triggersOf(ready, standing.state).filter(
    (it) => it.trigger.kind !== 'after' && !before.some(({ id }) => id === it.id),
  )
  if (begun.length === 0) return standing.marks
  const marks = begun.map((it): [string, number] => [it.id, floorOf(it, standing, tick)])
  return { ...standing.marks, ...Object.fromEntries(marks) }
}

/** Where a contract stands once a fire entered a state: triggers that the state before had run on after a late fire. */
export const entering = (
  ready: ReadyContract,
  standing: ContractStanding,
  to: { readonly state: string; readonly fire: string; readonly tick: number },
): ContractStanding => {
  const { state, fire, tick } = to
  const entered = { ...standing, state, entered: { fire, tick } }
  return { ...entered, marks: marksBegun(ready, entered, { before: triggersOf(ready, standing.state), tick }) }
}

/**
 * Where a contract stands once another version took over: what is due by its triggers alone is due from then on.
 *
 * @param of `before`, the version that it took over from, whose triggers of the state run on; none where undefined.
 */
export const takenOver = (
  ready: ReadyContract,
  standing: ContractStanding,
  of: { readonly before: ReadyContract | undefined; readonly state: string; readonly tick: number },
): ContractStanding => {
  const before = of.before === undefined ? [] : triggersOf(of.before, of.state)
  return { ...standing, marks: marksBegun(ready, standing, { before, tick: of.tick }) }
}

/** The first instant of a trigger after one; undefined where none comes. */
const instantAfter = ({ trigger, clock }: ReadyTrigger, entered: number, after: number): number | undefined => {
  const once = (at: number): number | undefined => (at > after ? at : undefined)
  switch (trigger.kind) {
    case 'one_shot':
      return once(trigger.at_unix ?? trigger.at_tick ?? 0)
    case 'after':
      return once(entered + trigger.ticks)
    case 'recurring': {
      const { every_ticks: every, phase } = trigger
      return (Math.floor((after - phase) / every) + 1) * every + phase
    }
    default:
      return clock === undefined ? undefined : nextCron(clock.cron, clock.zone, after)
  }
}

/** The next instant of a trigger. */
export const dueOf = (it: ReadyTrigger, standing: ContractStanding, armedTick: number): Due | undefined => {
  const due = instantAfter(it, standing.entered.tick, floorOf(it, standing, armedTick))
  return due === undefined ? undefined : { trigger: it.id, kind: it.trigger.kind, due, tick: decidedTick(it, due) }
}

/** Whether one instant is decided before another: by tick, then civil ones, then by the name of the trigger. */
export const isBefore = (ready: ReadyContract, a: Due, b: Due): boolean => {
  if (a.tick !== b.tick) return a.tick < b.tick
  const [x, y] = [a, b].map(({ trigger }) => {
    const it = ready.triggers.get(trigger)
    return it !== undefined && isCivil(it)
  })
  return x === y ? a.trigger < b.trigger : x === true
}

/** The next instant at which the clock moves a contract; undefined where none will. */
export const nextDue = (ready: ReadyContract, standing: ContractStanding, armedTick: number): Due | undefined => {
  let next: Due | undefined
  for (const it of ready.states.get(standing.state)?.triggers ?? []) {
    const due = dueOf(it, standing, armedTick)
    if (due !== undefined && (next === undefined || isBefore(ready, due, next))) next = due
  }
  return next
}

/** Every instant from now on, of all triggers of the present state, in the order in which they are decided. */
export const nextDues = (
  ready: ReadyContract,
  standing: ContractStanding,
  of: { readonly armedTick: number; readonly countMax: number },
): readonly Due[] => {
  const found: Due[] = []
  let at = standing
  while (found.length < of.countMax) {
    const due = nextDue(ready, at, of.armedTick)
    if (due === undefined) return found
    found.push(due)
    at = { ...at, marks: { ...at.marks, [due.trigger]: due.due } }
  }
  return found
}

/** Ticks by which a fire is decided later than its instant. */
export const jitterOf = ({ trigger }: ReadyTrigger, fire: string): number =>
  'jitter' in trigger && trigger.jitter > 0
    ? Number.parseInt(fire.slice(0, JITTER_DIGITS), 16) % (trigger.jitter + 1)
    : 0

/** The instants of a trigger after one and up to another, oldest first, of which the newest are given. */
const newestWithin = (
  it: ReadyTrigger,
  of: { readonly after: number; readonly until: number; readonly entered: number; readonly countMax: number },
): readonly number[] => {
  const { trigger, clock } = it
  const { after, until, entered, countMax } = of
  const found: number[] = []
  if (trigger.kind === 'cron') {
    if (clock === undefined) return []
    let at = lastDue(clock.cron, clock.zone, until + 1)
    while (at !== undefined && at > after && found.length < countMax) {
      found.push(at)
      at = lastDue(clock.cron, clock.zone, at)
    }
    return found.reverse()
  }
  if (trigger.kind === 'recurring') {
    const { every_ticks: every, phase } = trigger
    let at = Math.floor((until - phase) / every) * every + phase
    for (; at > after && found.length < countMax; at -= every) found.push(at)
    return found.reverse()
  }
  const once = instantAfter(it, entered, after)
  return once === undefined || once > until ? [] : [once]
}

/** How many instants of a trigger lie after one and up to another. */
const countWithin = (it: ReadyTrigger, of: { readonly after: number; readonly until: number }): number => {
  const { trigger, clock } = it
  const { after, until } = of
  if (until <= after) return 0
  if (trigger.kind === 'recurring') {
    const { every_ticks: every, phase } = trigger
    return Math.floor((until - phase) / every) - Math.floor((after - phase) / every)
  }
  if (trigger.kind !== 'cron') return 1
  return clock === undefined ? 0 : duesAfter(clock.cron, clock.zone, { after, until, countMax: COUNT_MAX }).length
}

/** What catching up does with a trigger: the most instants that are decided, and from which tick on. */
const catching = ({ trigger }: ReadyTrigger, until: number): { readonly countMax: number; readonly from: number } => {
  if (trigger.kind === 'after') return { countMax: 1, from: 0 }
  const { mode, window, max } = trigger.catchUp
  if (mode === 'none') return { countMax: 1, from: until }
  return { countMax: mode === 'one' ? 1 : max, from: until - window }
}

/** The first, the last and the number of instants after one and up to another; undefined where there is none. */
const missedWithin = (
  it: ReadyTrigger,
  standing: ContractStanding,
  of: { readonly after: number; readonly until: number },
) => {
  const entered = standing.entered.tick
  const from = instantAfter(it, entered, of.after)
  const [to] = newestWithin(it, { ...of, entered, countMax: 1 })
  return from === undefined || to === undefined ? undefined : { from, to, count: countWithin(it, of) }
}

/**
 * What came due up to a mesh tick and is not decided yet, of each trigger of the state, as its `catchUp` has it:
 * an instant of that very tick is on time. What was missed is not to be decided again: its row moves the mark.
 */
export const duesBetween = (
  ready: ReadyContract,
  standing: ContractStanding,
  of: { readonly armedTick: number; readonly until: number },
): readonly DuesOf[] =>
  (ready.states.get(standing.state)?.triggers ?? []).flatMap((it): DuesOf[] => {
    const after = floorOf(it, standing, of.armedTick)
    const until = lastInstantBy(it, of.until)
    const { countMax, from } = catching(it, of.until)
    const dues = newestWithin(it, { after, until, entered: standing.entered.tick, countMax })
      .map((due): Due => ({ trigger: it.id, kind: it.trigger.kind, due, tick: decidedTick(it, due) }))
      .filter(({ tick }) => tick >= from)
    const end = dues[0] === undefined ? until : dues[0].due - 1
    const missed = missedWithin(it, standing, { after, until: end })
    return dues.length === 0 && missed === undefined ? [] : [{ trigger: it.id, dues, missed }]
  })

/**
 * What came due while a contract was paused by hand, up to the mesh tick of its resumption: none of it is decided.
 * `after` is not among it, which is due at once where its time in the state is over.
 */
export const duesPaused = (
  ready: ReadyContract,
  standing: ContractStanding,
  of: { readonly armedTick: number; readonly until: number },
): readonly (NonNullable<DuesOf['missed']> & { readonly trigger: string })[] =>
  (ready.states.get(standing.state)?.triggers ?? []).flatMap((it) => {
    if (it.trigger.kind === 'after') return []
    const range = { after: floorOf(it, standing, of.armedTick), until: lastInstantBy(it, of.until) }
    const missed = missedWithin(it, standing, range)
    return missed === undefined ? [] : [{ trigger: it.id, ...missed }]
  })

/** How many instants of a trigger lie from one to another, both of which have to be instants of it; else undefined. */
export const countBetween = (
  it: ReadyTrigger,
  standing: ContractStanding,
  of: { readonly from: number; readonly to: number },
): number | undefined => {
  const found = missedWithin(it, standing, { after: of.from - 1, until: of.to })
  return found?.from === of.from && found.to === of.to ? found.count : undefined
}
