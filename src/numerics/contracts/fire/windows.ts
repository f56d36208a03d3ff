import type { Scalar, WindowPart } from '#core/contract/standing.ts'
import type { WindowRule } from '#numerics/contracts/definition/schema.ts'

/** Parts that a window is divided into, with the current one. */
const PARTS = 60

export type WindowParts = Readonly<Record<string, readonly WindowPart[]>>

/** Mesh ticks of one part. */
const widthOf = ({ ticks }: WindowRule): number => Math.ceil(ticks / PARTS)

/** The first mesh tick in which a part of a window does not count any more. */
export const expiryOf = (rule: WindowRule, part: number): number => (part + PARTS) * widthOf(rule)

const partAt = (rule: WindowRule, tick: number): number => Math.floor(tick / widthOf(rule))

/** A part with one value more. A sum beyond the doubles is null from then on. */
const withValue = (part: WindowPart, value: Scalar): WindowPart => {
  const { count, sum, min, max } = part
  if (typeof value !== 'number') return { ...part, count: count + 1, last: value }
  const total = sum === null ? null : sum + value
  return {
    part: part.part,
    count: count + 1,
    sum: total === null || !Number.isFinite(total) ? null : total,
    min: min === null ? value : Math.min(min, value),
    max: max === null ? value : Math.max(max, value),
    last: value,
  }
}

/** What an event says to a window; undefined where it says nothing to it. */
const valueFor = ({ fn, field }: WindowRule, data: Readonly<Record<string, Scalar>>): Scalar | undefined => {
  if (fn === 'count' || field === undefined) return null
  const value = Object.hasOwn(data, field) ? data[field] : undefined
  return value === null && fn !== 'last' ? undefined : value
}

/** The parts of a window after an event, without those that ran out before it. */
const fedParts = (rule: WindowRule, parts: readonly WindowPart[], event: { tick: number; value: Scalar }) => {
  const at = partAt(rule, event.tick)
  const newest = Math.max(at, parts.at(-1)?.part ?? at)
  if (at <= newest - PARTS) return parts
  const kept = parts.filter(({ part }) => part > newest - PARTS && part !== at)
  const found = parts.find(({ part }) => part === at)
  const part = withValue(found ?? { part: at, count: 0, sum: 0, min: null, max: null, last: null }, event.value)
  const behind = kept.findIndex((it) => it.part > at)
  return behind === -1 ? [...kept, part] : [...kept.slice(0, behind), part, ...kept.slice(behind)]
}

/** Windows after an event of the contract. @param event its `tick` is the mesh tick of its own entry */
export const fedWindows = (
  rules: Readonly<Record<string, WindowRule>>,
  windows: WindowParts,
  event: { readonly name: string; readonly tick: number; readonly data: Readonly<Record<string, Scalar>> },
): WindowParts => {
  let fed: Record<string, readonly WindowPart[]> | undefined
  for (const [name, rule] of Object.entries(rules)) {
    const value = rule.event === event.name ? valueFor(rule, event.data) : undefined
    if (value === undefined) continue
    fed ??= { ...windows }
    fed[name] = fedParts(rule, Object.hasOwn(windows, name) ? (windows[name] ?? []) : [], { tick: event.tick, value })
  }
  return fed ?? windows
}

const least = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b)
const most = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)

/** What a window gives in a mesh tick: NaN for a sum beyond the doubles, which refuses who reads it. */
const windowValue = (rule: WindowRule, parts: readonly WindowPart[], tick: number): Scalar => {
  const oldest = partAt(rule, tick) - PARTS
  let [count, sum] = [0, 0]
  let [min, max]: (number | null)[] = [null, null]
  let last: Scalar = null
  for (const it of parts) {
    if (it.part <= oldest) continue
    count += it.count
    sum += it.sum ?? Number.NaN
    min = least(min ?? null, it.min)
    max = most(max ?? null, it.max)
    last = it.last
  }
  switch (rule.fn) {
    case 'count':
      return count
    case 'sum':
      return sum
    case 'avg':
      return count === 0 ? null : sum / count
    case 'min':
      return min ?? null
    case 'max':
      return max ?? null
    default:
      return last
  }
}

/** What every window of a contract gives in a mesh tick: what `window.<w>` reads. */
export const windowValues = (
  rules: Readonly<Record<string, WindowRule>>,
  windows: WindowParts,
  tick: number,
): Readonly<Record<string, Scalar>> => {
  const values: Record<string, Scalar> = {}
  for (const [name, rule] of Object.entries(rules)) {
    values[name] = windowValue(rule, Object.hasOwn(windows, name) ? (windows[name] ?? []) : [], tick)
  }
  return values
}
