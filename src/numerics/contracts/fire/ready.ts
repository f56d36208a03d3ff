import type { Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { readCron, type ZoneTable, zoneOf } from '#numerics/contracts/cron/cron.ts'
import type { Cron } from '#numerics/contracts/cron/pattern.ts'
import type { Zone } from '#numerics/contracts/cron/zone.ts'
import type { Action, Definition, Transition, Trigger } from '#numerics/contracts/definition/schema.ts'
import { type ReadyAction, readyAction } from './actions.ts'
import { type ReadyExpression, readyExpression } from './programs.ts'

/** Hex digits of a trigger's name. */
const TRIGGER_DIGITS = 16

/** A transition made ready. */
export interface ReadyTransition {
  readonly id: string
  readonly from: readonly string[]
  readonly to: string
  /** Name of its trigger. */
  readonly trigger: string
  readonly kind: Trigger['kind']
  /** The event of its trigger, and the slug of the machine that it comes from: null for the contract's own. */
  readonly event: { readonly name: string; readonly from: string | null } | undefined
  readonly guard: ReadyExpression | undefined
  readonly actions: readonly ReadyAction[]
  readonly onRefused: string | undefined
}

/** A trigger that the clock pulls. */
export interface ReadyTrigger {
  readonly id: string
  readonly trigger: Extract<Trigger, { kind: 'one_shot' | 'recurring' | 'cron' | 'after' }>
  /** What a cron expression says, and the clock of its zone. */
  readonly clock: { readonly cron: Cron; readonly zone: Zone } | undefined
}

export interface ReadyState {
  readonly name: string
  readonly terminal: boolean
  /** The transitions that lead out of it: the highest priority first, then in the order of the definition. */
  readonly transitions: readonly ReadyTransition[]
  readonly always: readonly ReadyTransition[]
  /** The triggers of the clock that lead out of it, by their names. */
  readonly triggers: readonly ReadyTrigger[]
  readonly entry: readonly ReadyAction[]
  readonly exit: readonly ReadyAction[]
}

/** A version of a contract made ready to decide: every expression is compiled once. */
export interface ReadyContract {
  readonly definition: Definition
  readonly version: string
  /** The state that it begins in. */
  readonly initial: string
  readonly states: ReadonlyMap<string, ReadyState>
  readonly transitions: ReadonlyMap<string, ReadyTransition>
  /** The triggers of the clock, by name. */
  readonly triggers: ReadonlyMap<string, ReadyTrigger>
  /** The entries that it wants to hear of; from null is its own machine. */
  readonly watches: readonly { readonly from: string | null; readonly event: string }[]
  readonly claims: readonly ReadyExpression[]
}

/** Name of a trigger within its contract: transitions with the same trigger share it. */
export const triggerId = (trigger: Trigger): string =>
  digest(purposes.trigger, trigger as Json).slice(0, TRIGGER_DIGITS)

const readyTransition = (
  it: Transition,
  i: number,
  { definition, name }: { readonly definition: Definition; readonly name: string },
): ReadyTransition => {
  const path = `/transitions/${i}`
  const { id, from, to, trigger, guard, actions, on_refused: onRefused } = it
  return {
    ...{ id, from, to, trigger: name, kind: trigger.kind, onRefused },
    event: trigger.kind === 'event' ? { name: trigger.event, from: trigger.from ?? null } : undefined,
    guard: guard === undefined ? undefined : readyExpression(guard, `${path}/guard`),
    actions: actions.map((action, n) => readyAction(action, `${path}/actions/${n}`, definition)),
  }
}

type Zones = Readonly<Record<string, ZoneTable>>

const clockOf = (
  trigger: Extract<Trigger, { kind: 'cron' }>,
  timezone: string,
  zones: Zones,
): ReadyTrigger['clock'] => {
  const { expression, timezone: name = timezone } = trigger
  const { cron } = readCron(expression)
  const table = Object.hasOwn(zones, name) ? zones[name] : undefined
  if (cron === undefined || table === undefined)
    throw new Fault('CONTRACT_INVALID', `A version has the tables of its zones and sound patterns; ${name} lacks.`)
  return { cron, zone: zoneOf(table) }
}

const readyTriggers = (
  { transitions, timezone }: Definition,
  names: readonly string[],
  zones: Zones,
): ReadonlyMap<string, ReadyTrigger> => {
  const found = new Map<string, ReadyTrigger>()
  for (const [i, { trigger }] of transitions.entries()) {
    const { kind } = trigger
    const id = names[i] ?? ''
    if (kind === 'event' || kind === 'always' || found.has(id)) continue
    found.set(id, { id, trigger, clock: kind === 'cron' ? clockOf(trigger, timezone, zones) : undefined })
  }
  return found
}

const watchesOf = ({ windows, transitions }: Definition): ReadyContract['watches'] => {
  const found = new Map<string, ReadyContract['watches'][number]>()
  const watch = (event: string, from: string | null): unknown => found.set(`${event} ${from ?? ''}`, { from, event })
  for (const { trigger } of transitions) if (trigger.kind === 'event') watch(trigger.event, trigger.from ?? null)
  for (const { event } of Object.values(windows))
    if (![...found.values()].some((it) => it.event === event)) watch(event, null)
  return [...found.values()]
}

/** Makes a version ready to decide. @param of a definition in its normal form, and the tables that its version pins */
export const readyContract = (of: {
  readonly definition: Definition
  readonly version: string
  readonly zones: Zones
}): ReadyContract => {
  const { definition, version, zones } = of
  const names = definition.transitions.map(({ trigger }) => triggerId(trigger))
  const made = definition.transitions.map((it, i) => ({
    it: readyTransition(it, i, { definition, name: names[i] ?? '' }),
    priority: it.priority,
  }))
  const ordered = made.toSorted((a, b) => b.priority - a.priority).map(({ it }) => it)
  const triggers = readyTriggers(definition, names, zones)
  const actionsOf = (list: readonly Action[], path: string) =>
    list.map((action, n) => readyAction(action, `${path}/${n}`, definition))
  const states = Object.entries(definition.states).map(([name, { terminal, entry, exit }]): [string, ReadyState] => {
    const transitions = ordered.filter(({ from }) => from.includes(name))
    const pulled = new Set(transitions.map(({ trigger }) => trigger))
    return [
      name,
      {
        ...{ name, terminal, transitions, always: transitions.filter(({ kind }) => kind === 'always') },
        triggers: [...triggers.values()].filter(({ id }) => pulled.has(id)),
        entry: actionsOf(entry, `/states/${name}/entry`),
        exit: actionsOf(exit, `/states/${name}/exit`),
      },
    ]
  })
  const [initial = ''] = Object.entries(definition.states).find(([, it]) => it.initial) ?? []
  return {
    ...{ definition, version, initial, triggers, states: new Map(states) },
    transitions: new Map(ordered.map((it) => [it.id, it])),
    watches: watchesOf(definition),
    claims: definition.claims.map(({ never }, i) => readyExpression(never, `/claims/${i}/never`)),
  }
}
