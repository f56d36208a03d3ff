import { BROKEN, type NameScope } from '#numerics/contracts/language/types.ts'
import { computations, inspectActions } from './actions.ts'
import { inspectCondition } from './expressions.ts'
import type { Sheet } from './faults.ts'
import { entriesOf, itemsOf, type JsonPart, own, piece } from './pieces.ts'
import {
  COMPUTATIONS_MAX,
  STATES_MAX,
  type State,
  state,
  TRANSITIONS_MAX,
  type Transition,
  transition,
  WORD_NAME,
} from './schema.ts'
import { type Declarations, dataScope, fireScope, inspectName } from './sources.ts'
import { type Clockwork, inspectTrigger } from './triggers.ts'

/** What states and transitions are looked at with. */
export interface ContractFrame extends Clockwork {
  readonly declarations: Declarations
  readonly standing: NameScope
}

type States = ReadonlyMap<string, Partial<State>>

/** Reads the states and their actions, which see no event: a state may be entered by any. */
export const statesOf = (sheet: Sheet, top: JsonPart, { declarations, standing }: ContractFrame): States => {
  const found = new Map<string, Partial<State>>()
  const scope = fireScope(standing, declarations, undefined)
  for (const at of entriesOf(own(top, 'states'), { form: WORD_NAME, most: STATES_MAX, path: '/states' })) {
    const it = piece(sheet, state, at)
    const lists = (['entry', 'exit'] as const).map((name) => {
      const list = { value: own(at.value, name), path: `${at.path}/${name}` }
      return inspectActions(sheet, list, { scope, declarations })
    })
    found.set(at.name, { ...it, entry: lists[0] ?? [], exit: lists[1] ?? [] })
  }
  const initial = [...found].filter(([, it]) => it.initial === true)
  if (initial.length === 0) sheet.add('/states', 'none is initial; one has to be')
  for (const [name] of initial.slice(1))
    sheet.add(`/states/${name}/initial`, `a state before it is initial; one has to be`)
  return found
}

const inspectStates = (sheet: Sheet, it: Partial<Transition> & { readonly path: string }, states: States): void => {
  const { from = [], to, on_refused, path } = it
  for (const name of from) {
    const there = { name, path: `${path}/from`, what: 'state' }
    if (inspectName(sheet, there, states.keys()) && states.get(name)?.terminal === true)
      sheet.add(there.path, `${name} is terminal: nothing leads out of it`)
  }
  for (const [member, name] of [
    ['to', to],
    ['on_refused', on_refused],
  ] as const) {
    if (name !== undefined) inspectName(sheet, { name, path: `${path}/${member}`, what: 'state' }, states.keys())
  }
}

/** How many computations a fire of a transition could have. */
const work = ({ from = [], to = '', actions = [] }: Partial<Transition>, states: States): number => {
  const left = from.map((name) => computations(states.get(name)?.exit ?? []))
  return Math.max(0, ...left) + computations(actions) + computations(states.get(to)?.entry ?? [])
}

const inspectGuard = (
  sheet: Sheet,
  guard: { readonly text: string; readonly path: string },
  scope: NameScope,
): void => {
  const sound = inspectCondition(sheet, guard, scope)
  if (sound?.always === false) sheet.add(guard.path, 'this is never true', 0)
}

/** Reads the transitions. */
export const transitionsOf = (sheet: Sheet, top: JsonPart, frame: ContractFrame & { readonly states: States }) => {
  const { declarations, standing, states } = frame
  const seen = new Set<string>()
  return itemsOf(own(top, 'transitions'), { most: TRANSITIONS_MAX, path: '/transitions' }).map((at) => {
    const { path } = at
    const { trigger: given, from = [], actions: _, ...it } = piece(sheet, transition, at)
    const trigger =
      given === undefined ? undefined : inspectTrigger(sheet, { value: given, path: `${path}/trigger` }, frame)
    const event =
      trigger?.kind === 'event' ? (dataScope(declarations.events, trigger.event ?? '') ?? BROKEN) : undefined
    const scope = fireScope(standing, declarations, trigger === undefined ? BROKEN : event)
    const list = { value: own(at.value, 'actions'), path: `${path}/actions` }
    const actions = inspectActions(sheet, list, { scope, declarations })
    const sources = typeof from === 'string' ? [from] : from.toSorted()
    const made = { ...it, from: sources, trigger, actions }
    if (it.id !== undefined && seen.has(it.id)) sheet.add(`${path}/id`, `${it.id} is another transition already`)
    seen.add(it.id ?? '')
    inspectStates(sheet, { ...it, from: sources, path }, states)
    if (it.guard !== undefined) inspectGuard(sheet, { text: it.guard, path: `${path}/guard` }, scope)
    const count = work({ from: sources, actions, ...(it.to === undefined ? {} : { to: it.to }) }, states)
    if (count > COMPUTATIONS_MAX)
      sheet.add(path, `a fire of it has ${count} computations; ${COMPUTATIONS_MAX} are the most`)
    return made
  })
}
