import { Fault } from '#core/fault.ts'
import { type ContractExpression, parseExpression, printExpression } from '#numerics/contracts/language/grammar.ts'
import { inputReads, overEventData } from './earlier-input.ts'
import { isPart, type JsonPart, own } from './pieces.ts'

/**
 * The earlier shape of a definition, as what it means now. Members that say nothing any more are left out; those that
 * have no counterpart are kept as they stand, so that the linter names them.
 */

/** What a transition of hand is asked with, where the earlier shape named no trigger. */
const BY_HAND = 'request'
/** The operator that stood for none. */
const NO_OPERATOR = 'KO42'
const FORMER_TOP = ['version', 'observers', 'audit_clock']
const FORMER = ['operator', 'condition', 'proof_required', 'auto', 'pre_actions', 'post_actions']

/** What transitions declare as they are read. */
interface Found {
  readonly events: Map<string, Map<string, string>>
  readonly windows: Map<string, JsonPart>
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const textOf = (value: unknown, other: string): string => (typeof value === 'string' ? value : other)
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

const eventOf = ({ events }: Found, name: string): Map<string, string> => {
  const data = events.get(name) ?? new Map<string, string>()
  events.set(name, data)
  return data
}

/** The triggers of a transition: several events are several transitions. */
const triggersOf = (it: JsonPart, found: Found): readonly { readonly trigger: unknown; readonly guard?: string }[] => {
  const given = own(it, 'trigger')
  const kind = own(given, 'kind')
  const named = (event: unknown) => ({ kind: 'event', event })
  if (isEmpty(given)) return [{ trigger: own(it, 'auto') === true ? { kind: 'always' } : named(BY_HAND) }]
  if (kind === 'on_event') return [{ trigger: named(own(given, 'event')) }]
  if (kind === 'on_events') return listOf(own(given, 'events')).map((event) => ({ trigger: named(event) }))
  if (kind !== 'on_aggregate') return [{ trigger: given }]
  const [event, aggregate] = [own(given, 'event'), own(given, 'aggregate')]
  const field = own(aggregate, 'field')
  const name = `w${found.windows.size + 1}`
  const window = { event, fn: own(aggregate, 'fn'), ticks: own(given, 'within') }
  found.windows.set(name, { ...window, ...(isEmpty(field) ? {} : { field }) })
  if (typeof event === 'string' && typeof field === 'string') eventOf(found, event).set(field, 'number')
  const guard = `window.${name} ${textOf(own(given, 'op'), '>=')} ${String(own(given, 'threshold'))}`
  return [{ trigger: named(event), guard }]
}

/** A condition, read; undefined where there is none or where it cannot be read, of which the linter tells. */
const conditionOf = (text: unknown): ContractExpression | undefined => {
  if (typeof text !== 'string') return undefined
  try {
    return parseExpression(text)
  } catch (thrown) {
    if (thrown instanceof Fault) return undefined
    throw thrown
  }
}

const guardOf = (it: JsonPart, condition: ContractExpression | undefined, aggregate: string | undefined): unknown => {
  const text = condition === undefined ? own(it, 'condition') : printExpression(overEventData(condition))
  if (aggregate === undefined || isEmpty(text)) return aggregate ?? text
  return typeof text === 'string' ? `${aggregate} && (${text})` : text
}

const actionOf = (action: unknown, found: Found): unknown => {
  if (!isPart(action)) return action
  const { type, ...rest } = action
  if (type !== 'emit') return { kind: type, ...rest }
  if (typeof rest['event'] === 'string') eventOf(found, rest['event'])
  return { kind: 'emit', ...rest }
}

/** One transition as those it means. */
const transitionsOf = (it: unknown, i: number, found: Found): readonly unknown[] => {
  if (!isPart(it)) return [it]
  const kept = Object.entries(it).filter(
    ([name, value]) => !FORMER.includes(name) || (name === 'pre_actions' && !isEmpty(value)),
  )
  const condition = conditionOf(it['condition'])
  const reads = condition === undefined ? new Map<string, string>() : inputReads(condition)
  const operator = own(it, 'operator')
  const inputs = Object.fromEntries(
    [...reads].flatMap(([k, type]) => (type === 'number' ? [[k, { $: `event.data.${k}` }]] : [])),
  )
  const computed =
    isEmpty(operator) || operator === NO_OPERATOR ? [] : [{ kind: 'compute', operators: [operator], inputs }]
  const actions = [...computed, ...listOf(own(it, 'post_actions')).map((action) => actionOf(action, found))]
  const triggers = triggersOf(it, found)
  return triggers.map(({ trigger, guard: aggregate }, n) => {
    const event = own(trigger, 'event')
    if (typeof event === 'string') {
      const data = eventOf(found, event)
      for (const [k, type] of reads) if (!data.has(k)) data.set(k, type)
    }
    const guard = guardOf(it, condition, aggregate)
    const id = `${textOf(own(it, 'id'), `t${i + 1}`)}${triggers.length > 1 ? `_${n + 1}` : ''}`
    const said = isEmpty(guard) ? {} : { guard }
    return { ...Object.fromEntries(kept), id, trigger, ...said, actions }
  })
}

const isFormer = (value: JsonPart): boolean =>
  own(value, 'v') === undefined &&
  (FORMER_TOP.some((name) => own(value, name) !== undefined) ||
    listOf(own(value, 'transitions')).some((it) => FORMER.some((name) => own(it, name) !== undefined)))

/** What a definition of the earlier shape means; undefined for any other. */
export const earlierShape = (value: JsonPart): JsonPart | undefined => {
  if (!isFormer(value)) return undefined
  const found: Found = { events: new Map(), windows: new Map() }
  const transitions = listOf(own(value, 'transitions')).flatMap((it, i) => transitionsOf(it, i, found))
  const kept = Object.entries(value).filter(
    ([name, member]) =>
      !['version', 'audit_clock'].includes(name) &&
      !(name === 'observers' && isEmpty(member)) &&
      !(name.endsWith('tick_rate') || name === 'tick_rate_field'),
  )
  const events = [...found.events].map(([name, data]) => {
    const members = [...data].map(([k, type]) => [k, { type, optional: true }])
    return [name, { data: Object.fromEntries(members) }]
  })
  return {
    ...{ v: 1, ...Object.fromEntries(kept), transitions },
    ...(events.length === 0 ? {} : { events: Object.fromEntries(events) }),
    ...(found.windows.size === 0 ? {} : { windows: Object.fromEntries(found.windows) }),
  }
}
