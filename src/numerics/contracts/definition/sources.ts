import { didYouMean, slipsOf } from '#core/near-names.ts'
import { BROKEN, type NameScope, NUMBER, scopeOf, type Type } from '#numerics/contracts/language/types.ts'
import type { Sheet } from './faults.ts'
import { type Declared, inspectInitial, inspectMemberName, typeOfMember } from './members.ts'
import { entriesOf, type JsonPart, own, piece, variant } from './pieces.ts'
import {
  type ContextMember,
  contextMembers,
  type DataMember,
  dataMembers,
  event,
  MEMBER_NAME,
  MEMBERS_MAX,
  type Oracle,
  oracle,
  readings,
  SOURCES_MAX,
  type WindowRule,
  WORD_NAME,
  window,
} from './schema.ts'

/** Something declared: as it reads with its defaults, and what expressions see of it. */
export interface Declaration<T> {
  readonly it: Partial<T>
  readonly type: Type
}

type Sources<T> = ReadonlyMap<string, Declaration<T>>

/** Everything a definition declares beside states and transitions, as far as it could be read. */
export interface Declarations {
  readonly context: Sources<ContextMember>
  readonly events: ReadonlyMap<string, Sources<DataMember>>
  readonly windows: Sources<WindowRule>
  readonly oracles: Sources<Oracle>
}

const contextOf = (sheet: Sheet, top: JsonPart): Declarations['context'] => {
  const found = new Map<string, Declaration<ContextMember>>()
  for (const at of entriesOf(own(top, 'context'), { form: MEMBER_NAME, most: MEMBERS_MAX, path: '/context' })) {
    inspectMemberName(sheet, at.name, at.path)
    const it = variant(sheet, { forms: contextMembers, by: 'type' }, at)
    if (it !== undefined) inspectInitial(sheet, it as Declared, at)
    found.set(at.name, { it: it ?? {}, type: typeOfMember(sheet, it as Declared | undefined, at.path) })
  }
  return found
}

const eventsOf = (sheet: Sheet, top: JsonPart): Declarations['events'] => {
  const found = new Map<string, Sources<DataMember>>()
  for (const at of entriesOf(own(top, 'events'), { form: WORD_NAME, most: SOURCES_MAX, path: '/events' })) {
    piece(sheet, event, at)
    const data = new Map<string, Declaration<DataMember>>()
    const path = `${at.path}/data`
    for (const part of entriesOf(own(at.value, 'data'), { form: MEMBER_NAME, most: MEMBERS_MAX, path })) {
      inspectMemberName(sheet, part.name, part.path)
      const it = variant(sheet, { forms: dataMembers, by: 'type' }, part)
      data.set(part.name, { it: it ?? {}, type: typeOfMember(sheet, it as Declared | undefined, part.path) })
    }
    found.set(at.name, data)
  }
  return found
}

/** Complains of a name that is not among those declared. @returns whether it is */
export const inspectName = (
  sheet: Sheet,
  { name, path, what }: { readonly name: string; readonly path: string; readonly what: string },
  known: Iterable<string>,
): boolean => {
  const names = [...known]
  if (names.includes(name)) return true
  sheet.add(path, `there is no ${what} ${name}.${didYouMean(slipsOf(name, names))}`)
  return false
}

/** What a window gives of a field, or why it gives nothing. */
const typeOfWindow = (fn: WindowRule['fn'], field: Type | undefined): Type | string => {
  if (fn === 'count') return field === undefined ? NUMBER : 'a count counts events, and has no field'
  if (field === undefined) return `${fn} is of a field`
  if (field.kind === 'broken') return BROKEN
  if (fn === 'last') return field.kind === 'list' || field.kind === 'null' ? BROKEN : { ...field, nullable: true }
  if (field.kind !== 'number') return `${fn} is of a number`
  return { kind: 'number', unit: field.unit, nullable: fn !== 'sum' }
}

const windowsOf = (sheet: Sheet, top: JsonPart, events: Declarations['events']): Declarations['windows'] => {
  const found = new Map<string, Declaration<WindowRule>>()
  for (const at of entriesOf(own(top, 'windows'), { form: MEMBER_NAME, most: SOURCES_MAX, path: '/windows' })) {
    inspectMemberName(sheet, at.name, at.path)
    const it = piece(sheet, window, at)
    found.set(at.name, { it, type: BROKEN })
    const { event: name, field, fn } = it
    if (name === undefined || fn === undefined) continue
    if (!inspectName(sheet, { name, path: `${at.path}/event`, what: 'event' }, events.keys())) continue
    const data = events.get(name) ?? new Map<string, Declaration<DataMember>>()
    if (field !== undefined && fn !== 'count') {
      const there = inspectName(
        sheet,
        { name: field, path: `${at.path}/field`, what: `member of ${name}` },
        data.keys(),
      )
      if (!there) continue
    }
    const type = typeOfWindow(fn, field === undefined ? undefined : (data.get(field)?.type ?? BROKEN))
    if (typeof type === 'string') sheet.add(`${at.path}/field`, type)
    else found.set(at.name, { it, type })
  }
  return found
}

const oraclesOf = (sheet: Sheet, top: JsonPart): Declarations['oracles'] => {
  const found = new Map<string, Declaration<Oracle>>()
  for (const at of entriesOf(own(top, 'oracles'), { form: MEMBER_NAME, most: SOURCES_MAX, path: '/oracles' })) {
    inspectMemberName(sheet, at.name, at.path)
    const { from, ...it } = piece(sheet, oracle, at)
    const path = `${at.path}/from`
    const reading =
      from === undefined ? undefined : variant(sheet, { forms: readings, by: 'kind' }, { value: from, path })
    const type = typeOfMember(sheet, it, at.path)
    found.set(at.name, { it: { ...it, ...(reading === undefined ? {} : { from: reading as Oracle['from'] }) }, type })
  }
  return found
}

/** Reads what a definition declares. */
export const declarationsOf = (sheet: Sheet, top: JsonPart): Declarations => {
  const context = contextOf(sheet, top)
  const events = eventsOf(sheet, top)
  return { context, events, windows: windowsOf(sheet, top, events), oracles: oraclesOf(sheet, top) }
}

const typesOf = (sources: ReadonlyMap<string, { readonly type: Type }>): NameScope =>
  scopeOf([...sources].map(([name, { type }]) => [name, type] as const))

/** What an event's data looks like to an expression; undefined for an event that nobody declared. */
export const dataScope = (events: Declarations['events'], name: string): NameScope | undefined => {
  const data = events.get(name)
  return data === undefined ? undefined : scopeOf([['data', typesOf(data)]])
}

/** What every expression may name: the context and what is kept beside it. */
export const standingScope = ({ context, windows }: Declarations, states: readonly string[]): NameScope =>
  scopeOf([
    ['context', typesOf(context)],
    ['window', typesOf(windows)],
    ['state', { kind: 'text', of: states }],
    ['state_ticks', NUMBER],
  ])

/** What an expression of a fire may name beside that. @param event the data of the event that triggers it, if any */
export const fireScope = (
  standing: NameScope,
  { oracles }: Declarations,
  event: NameScope | Type | undefined,
): NameScope => {
  const fire = scopeOf([
    ['tick', NUMBER],
    ['due', { kind: 'number', nullable: true }],
    ['attempt', NUMBER],
  ])
  const more: [string, NameScope | Type][] = [
    ['oracle', typesOf(oracles)],
    ['fire', fire],
    ...(event === undefined ? [] : [['event', event] as [string, NameScope | Type]]),
  ]
  return scopeOf([...standing.names, ...more])
}
