import { contractDigest } from '#core/contract/cause.ts'
import type { ContractStanding } from '#core/contract/standing.ts'
import { price } from '#core/price.ts'
import { meshTickAt, meshTickStart } from '#core/tick.ts'
import { NS_PER_SECOND } from '#core/time.ts'
import { ownZone, spanAround, zoneTable } from '#node/zones.ts'
import { checkContract } from '#numerics/contracts/checker/check.ts'
import { type CostPerDay, costPerDay } from '#numerics/contracts/checker/cost.ts'
import type { ContractFinding } from '#numerics/contracts/checker/finding.ts'
import { offsetAt, onClock, zoneOf } from '#numerics/contracts/cron/cron.ts'
import type { Action, Definition } from '#numerics/contracts/definition/schema.ts'
import { beginning } from '#numerics/contracts/fire/beginning.ts'
import { type Due, nextDues } from '#numerics/contracts/fire/dues.ts'
import { type ReadyContract, readyContract } from '#numerics/contracts/fire/ready.ts'
import { simulateWith } from '#numerics/contracts/fire/simulate.ts'
import type { ContractHappening, Simulation } from '#numerics/contracts/fire/simulation.ts'
import { civilText, clockText } from './civil.ts'
import { zonesOf } from './judge.ts'
import { triggerWords } from './model.ts'

/** Due instants that are shown. */
const NEXT_MAX = 10
/** Operators that a price counts. */
const COUNTED_MAX = 3
/** Outcomes that a timeline on the page lists. */
export const TIMELINE_MAX = 2_000
/** Decisions of a simulation on the page. */
const DECISIONS_MAX = 300_000

/** What is planned: a version, and the moment that it is planned in. */
export interface Planning {
  readonly definition: Definition
  readonly version: string
  /** Unix seconds. */
  readonly now: number
}

/** A due instant as two clocks show it. */
export interface ShownDue {
  readonly due: number
  readonly tick: number
  readonly words: string
  readonly zone: string
  readonly zoned: string
  readonly local: string
  /** What the clock of the zone does about it. */
  readonly note: string
}

/** What is known before it is deployed. */
export interface Looked {
  readonly findings: readonly ContractFinding[]
  readonly cost: CostPerDay
  readonly local: string
  /** The next due instants in each state that the clock moves. */
  readonly next: readonly { readonly state: string; readonly dues: readonly ShownDue[] }[]
}

/** What is simulated: for how long, and what happens meanwhile, in ticks from its beginning. */
export interface Simulated extends Planning {
  readonly ticks: number
  readonly happenings: readonly ContractHappening[]
}

export type PlanQuestion = ({ readonly kind: 'look' } & Planning) | ({ readonly kind: 'simulate' } & Simulated)

/** Credits of a computation, as the node charges it. */
const priceOf = ({ operators = [] }: { readonly operators?: readonly string[] }): number =>
  price(Math.min(COUNTED_MAX, Math.max(1, operators.filter((it) => it !== 'KO42').length)))

/** Credits of an action, as the node charges it. */
const weigh = (action: Action): number =>
  action.kind === 'compute' ? priceOf(action as { readonly operators?: readonly string[] }) : 0

const tickAt = (now: number): number => meshTickAt(BigInt(now) * NS_PER_SECOND)
const secondsOf = (tick: number): number => Number(meshTickStart(tick) / NS_PER_SECOND)

/** A contract that nobody deployed has no name: this one stands for it. */
const NAMELESS = contractDigest('0'.repeat(64), 'draft')

/** What the clock of the zone does about a due instant, in words. */
const noteOf = ({ mark, wanted }: ReturnType<typeof onClock>): string => {
  if (mark === 'gap') return `gap: the clock leaps over ${civilText(wanted ?? 0)}`
  if (mark === undefined) return ''
  return mark === 'first' ? 'comes twice: the first time' : 'comes twice: again'
}

/** A due instant as the clock of its zone and that of this browser show it. */
export const shownDue = (ready: ReadyContract, { trigger, due, tick }: Due, now: number): ShownDue => {
  const it = ready.triggers.get(trigger)
  const clock = it?.clock
  const own = zoneTable(ownZone(), spanAround(now))
  const civil = clock !== undefined || (it?.trigger.kind === 'one_shot' && it.trigger.at_unix !== undefined)
  const at = civil ? due : secondsOf(tick)
  const local = clockText(at, own === undefined ? 0 : offsetAt(zoneOf(own), at))
  const words = triggerWords(it?.trigger)
  if (clock === undefined) {
    const { timezone } = ready.definition
    const table = zoneTable(timezone, spanAround(now))
    const zoned = clockText(at, table === undefined ? 0 : offsetAt(zoneOf(table), at))
    return { due, tick, words, zone: timezone, zoned, local, note: '' }
  }
  const on = onClock(clock.cron, clock.zone, due)
  const zone = it?.trigger.kind === 'cron' ? (it.trigger.timezone ?? ready.definition.timezone) : 'UTC'
  return { due, tick, words, zone, zoned: clockText(due, on.offset), local, note: noteOf(on) }
}

/** A version made ready with the zones of this browser. */
export const readyHere = ({ definition, version, now }: Planning): ReadyContract =>
  readyContract({ definition, version, zones: zonesOf(definition, now) })

/** The next due instants as they are shown, of a contract that stands somewhere. */
export const duesHere = (
  ready: ReadyContract,
  standing: ContractStanding,
  of: { now: number; armedTick: number },
): readonly ShownDue[] =>
  nextDues(ready, standing, { armedTick: of.armedTick, countMax: NEXT_MAX }).map((it) => shownDue(ready, it, of.now))

/** What can go wrong, what a day costs, and when the clock moves it. */
export const lookAhead = (planning: Planning): Looked => {
  const { definition, now } = planning
  const zones = zonesOf(definition, now)
  const ready = readyHere(planning)
  const tick = tickAt(now)
  const { findings } = checkContract(definition, { from: now, zones, priceOf: weigh })
  const standing = beginning(ready, NAMELESS, tick)
  const next = [...ready.states.values()].flatMap(({ name }) => {
    const dues = duesHere(ready, { ...standing, state: name }, { now, armedTick: tick })
    return dues.length === 0 ? [] : [{ state: name, dues }]
  })
  return { findings, cost: costPerDay(definition, { priceOf: weigh, from: now, zones }), local: ownZone(), next }
}

/** What comes of a contract in some time; its computations stand for none, and the context stays as it is. */
export const simulateHere = (it: Simulated): Simulation & { readonly from: number } => {
  const ready = readyHere(it)
  const from = tickAt(it.now)
  const happenings = it.happenings.map((one) => ({ ...one, tick: from + one.tick })).toSorted((a, b) => a.tick - b.tick)
  const plan = {
    ...{
      ready,
      contract: NAMELESS,
      id: 'draft',
      standing: beginning(ready, NAMELESS, from),
      from,
      happenings,
      priceOf,
    },
    ...{ until: from + it.ticks, decisionsMax: DECISIONS_MAX, timelineMax: TIMELINE_MAX },
  }
  return { ...simulateWith(plan, () => ({ stubbed: true })), from }
}
