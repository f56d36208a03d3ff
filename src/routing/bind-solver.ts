import type { TObject } from 'typebox'
import Value from 'typebox/value'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { nearestNames } from '#core/near-names.ts'
import { commensurable, fromSi, parseUnit, toSi } from '#core/units.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { type Amount, amountsOf, notRepeated } from './amounts.ts'
import { isContested, type PlaceNames, placeBeside } from './beside.ts'
import { type BoundInput, heardAs } from './bound-input.ts'
import { derivedOf, derivedValue, refuseDerivedConstant } from './derived.ts'
import { expressionIn } from './expressions.ts'
import { type InputLeaf, leavesOf, spoken, unreadBy } from './leaves.ts'
import { boundFrom, materialsIn, propertyOf } from './materials.ts'
import type { ReadSetting } from './reading.ts'
import type { Derived, SolverWords, Vocabulary } from './vocabulary.ts'
import { unitOrNone, withCarets } from './word-units.ts'
import { folded, holds } from './words.ts'

/** What a call binds of a solver's input. */
export interface SolverBinding {
  readonly input: Json
  readonly bound: readonly BoundInput[]
  readonly settings: readonly ReadSetting[]
  readonly defaults: Readonly<Record<string, Json>>
  /** Materials of the query that gave nothing. */
  readonly unread: readonly string[]
  /** The query without a function that was bound, counts in words that have no place, and words that did something. */
  readonly beside: string
  readonly loose: readonly string[]
  readonly used: readonly string[]
}

/** Letters of an enumerated value that may choose itself, and values that are everyday words. */
const VALUE_LETTERS_MIN = 4
const EVERYDAY = new Set([
  ...'auto none free open left right mode plain wall call full line vacuum'.split(' '),
  ...'earth model random fixed single values points field heat wave water gravity uniform'.split(' '),
])
const SUGGESTIONS_MAX = 3
/** A time step is named or left alone: a time without a name is the time of the run. */
const STEP = 'dt'

type Named = PlaceNames<InputLeaf>

/** Every alias of every numeric leaf, folded, the longest first. */
const namesOf = (leaves: readonly InputLeaf[], words: SolverWords | undefined): Named => {
  const own = leaves.flatMap((leaf) => {
    const aliases = words?.inputs?.[leaf.path] ?? []
    return [spoken(leaf.key), ...aliases].map((alias): readonly [string, InputLeaf] => [folded(alias), leaf])
  })
  return own.filter(([alias]) => alias.length > 3).sort(([a], [b]) => b.length - a.length)
}

const PURE = parseUnit('1')

/** A pure number, a rate, or the root of one: what is said in percent. Lengths, times, money are not. */
const isShare = ({ unitText }: InputLeaf): boolean => /^1?$|^1\/|\^-/u.test(unitText)

/** Whether a value in this unit (none, for a bare number; a share in percent is one too) can be the leaf's. */
const fits = (leaf: InputLeaf, given: string | undefined): boolean => {
  const { number, unit } = leaf
  if (!number || given === undefined) return number
  const read = unitOrNone(given)
  if (read === undefined) return false
  return (commensurable(PURE, read) && isShare(leaf)) || (unit !== undefined && commensurable(unit, read))
}

const valueIn = (leaf: InputLeaf, number: string | number, given: string | undefined): number => {
  if (given === undefined) return Number(number)
  const unit = parseUnit(withCarets(given))
  const si = toSi(number, unit)
  const value = leaf.unit === undefined || !commensurable(leaf.unit, unit) ? si : fromSi(si, leaf.unit)
  return leaf.integer ? Number(value.toPrecision(15)) : value
}

/** What amounts are looked for in. */
interface Sought {
  readonly leaves: readonly InputLeaf[]
  readonly names: Named
  readonly words: SolverWords | undefined
}

/** The leaf of an amount by a name beside it. */
const byName = (
  amounts: readonly Amount[],
  i: number,
  { leaves, names, words }: Sought,
  taken: ReadonlySet<string>,
) => {
  const { name, unit, loose: counted } = amounts[i] ?? {}
  // `three balls` are a count, not three kilograms.
  const open = (leaf: InputLeaf, given: string | undefined): boolean =>
    !taken.has(leaf.path) && fits(leaf, given) && !(counted === true && leaf.unit !== undefined)
  if (name !== undefined) {
    const exact = leaves.filter((it) => it.key === name || it.path === name)
    const anyCase = leaves.filter((it) => it.key.toLowerCase() === name.toLowerCase())
    const called = leaves.filter(({ path }) => words?.inputs[path]?.includes(name))
    const own = [...(exact.length > 0 ? exact : anyCase), ...called].find((leaf) => open(leaf, unit))
    if (own !== undefined) return own
  }
  return placeBeside(amounts, i, names, { open, fits })
}

/** The leaf of an amount by its unit: the first that the vocabulary lists of that quantity, or the only one. */
const byUnit = (amount: Amount, { leaves, words }: Sought, taken: ReadonlySet<string>): InputLeaf | undefined => {
  if (amount.unit === undefined) return undefined
  const pure = commensurable(PURE, unitOrNone(amount.unit) ?? parseUnit('m'))
  const open = leaves.filter((leaf) => leaf.key !== STEP && !taken.has(leaf.path) && fits(leaf, amount.unit))
  if (pure) return undefined
  const listed = Object.keys(words?.inputs ?? {}).flatMap((path) => open.filter((it) => it.path === path))
  return listed[0] ?? (open.length === 1 ? open[0] : undefined)
}

const set = (target: Record<string, unknown>, path: string, value: unknown): void => {
  const [head = '', ...rest] = path.split('.')
  if (rest.length === 0) {
    target[head] = value
    return
  }
  const inner = (target[head] ?? {}) as Record<string, unknown>
  target[head] = inner
  set(inner, rest.join('.'), value)
}

/** Values of the enumerated leaves that words of the query choose. */
const settingsOf = (
  query: string,
  leaves: readonly InputLeaf[],
  words: SolverWords | undefined,
): readonly ReadSetting[] => {
  const text = folded(query)
  const phrased = (words?.settings ?? []).flatMap(([phrase, path, value]): readonly ReadSetting[] => {
    const leaf = leaves.find((it) => it.path === path)
    const chosen = leaf !== undefined && holds(text, folded(phrase)) && Value.Check(leaf.schema as TObject, value)
    return chosen ? [{ input: path, value, because: phrase }] : []
  })
  const values = leaves.flatMap((leaf) =>
    leaf.values.flatMap((value) => (typeof value === 'string' ? [{ leaf, value, phrase: folded(value) }] : [])),
  )
  const own = values.flatMap(({ leaf, value, phrase }): readonly ReadSetting[] => {
    const plain = phrase.trim()
    const alone = values.filter((it) => it.phrase === phrase).length === 1
    const said = plain.length >= VALUE_LETTERS_MIN && !EVERYDAY.has(plain) && holds(text, phrase)
    return alone && said && value !== leaf.initial ? [{ input: leaf.path, value, because: plain }] : []
  })
  const first = new Map<string, ReadSetting>()
  for (const setting of [...phrased, ...own]) if (!first.has(setting.input)) first.set(setting.input, setting)
  return [...first.values()]
}

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null)) as Json

/** A leaf of a constant's name: its path, its key, or what it is called. */
const leafNamed = (name: string, leaves: readonly InputLeaf[], names: Named): InputLeaf | undefined => {
  const exact = leaves.find((it) => it.path === name) ?? leaves.find((it) => it.key === name)
  if (exact !== undefined) return exact
  const lower = leaves.filter((it) => it.key.toLowerCase() === name.toLowerCase())
  return lower.length === 1 ? lower[0] : names.find(([alias]) => alias === folded(spoken(name)))?.[1]
}

const TEXT = /^\s*([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d{1,3})?)\s*(\S.*)?$/iu

/** A constant as a number in the leaf's own unit: a number as it is, a text or {value, unit} converted. */
const constantValue = (name: string, given: unknown, leaf: InputLeaf): unknown => {
  if (!leaf.number || typeof given === 'number') return given
  const pair = typeof given === 'object' && given !== null ? (given as { value?: unknown; unit?: unknown }) : undefined
  const [, number, unit] = typeof given === 'string' ? (TEXT.exec(given) ?? []) : [undefined, pair?.value, pair?.unit]
  const givenUnit = typeof unit === 'string' && unit.trim() !== '' ? unit.trim() : undefined
  if ((typeof number === 'string' || typeof number === 'number') && Number.isFinite(Number(number))) {
    if (fits(leaf, givenUnit)) return valueIn(leaf, number, givenUnit)
    throw new Fault(
      'DIMENSION_MISMATCH',
      `/constants/${name}: ${givenUnit} does not fit ${leaf.path}, in ${leaf.unitText || '1'}.`,
      {
        input: name,
        given: givenUnit,
        wanted: leaf.unitText,
      },
    )
  }
  throw new Fault('INVALID_INPUT', `/constants/${name}: is not a number with a unit, such as “5 km”.`, {
    path: `/constants/${name}`,
  })
}

const refuseUnknown = (solver: Solver, name: string, leaves: readonly InputLeaf[]): never => {
  const suggestions = nearestNames(
    name,
    leaves.map((it) => it.path),
    SUGGESTIONS_MAX,
  )
  throw new Fault('AMBIGUOUS_INPUT', `${solver.name} has no input ${name}. Which one is meant?`, {
    input: name,
    suggestions,
    inputs: leaves.map((it) => it.path),
  })
}

const refuseAmounts = (solver: Solver, amounts: readonly Amount[], leaves: readonly InputLeaf[]): never => {
  const list = amounts.map(({ text }) => text).join(', ')
  throw new Fault('AMBIGUOUS_INPUT', `Read as ${solver.name}, but what is ${list}? Name it, as in “mass = 5 kg”.`, {
    unread: amounts.map(({ text }) => text),
    inputs: leaves.filter(({ number }) => number).map((it) => it.path),
  })
}

/** How many names of the constants a solver has an input for, and how many it has none for. */
export const constantsFitting = (
  solver: Solver,
  words: SolverWords | undefined,
  constants: Readonly<Record<string, unknown>>,
) => {
  const leaves = leavesOf(solver.input)
  const names = namesOf(leaves, words)
  const all = Object.keys(constants)
  const known = all.filter(
    (name) => leafNamed(name, leaves, names) !== undefined || Object.hasOwn(solver.input.properties, name),
  )
  return { known: known.length, unknown: all.length - known.length }
}

/** Puts a value where a reading says that it goes. */
interface Binder {
  readonly input: Record<string, unknown>
  readonly bound: BoundInput[]
  readonly taken: Set<string>
}

const place = ({ input, bound, taken }: Binder, leaf: InputLeaf, value: Json, given: string): void => {
  set(input, leaf.path, value)
  taken.add(leaf.path)
  bound.push({ input: leaf.path, from: 'query', given, value, unit: leaf.unitText })
}

/** Binds a function that stands in the query; returns the query without it. */
const bindExpression = (
  query: string,
  open: readonly InputLeaf[],
  words: SolverWords | undefined,
  to: Binder,
): string => {
  const found = words?.expression === undefined ? undefined : expressionIn(query)
  if (found === undefined || words?.expression === undefined) return query
  const { path, choose, dimension } = words.expression
  const values = new Map<string, Json>([[path, found.text], choose, [dimension, found.dimension]])
  if ([...values.keys()].some((it) => to.taken.has(it))) return query
  for (const [at, value] of values) {
    const leaf = open.find((it) => it.path === at)
    if (leaf !== undefined) place(to, leaf, value, found.written)
  }
  return found.rest
}

/** Binds what materials of the query give; returns the words of those that gave nothing. */
const bindMaterials = (
  query: string,
  open: readonly InputLeaf[],
  {
    words,
    settings,
    materials,
    to,
  }: {
    readonly words: SolverWords | undefined
    readonly settings: readonly ReadSetting[]
    readonly materials: Vocabulary['materials']
    readonly to: Binder
  },
): readonly string[] => {
  const named = materialsIn(query, materials)
  const chosen = settings.flatMap(({ because }) => materialsIn(because, materials))
  const giving = new Set(chosen.map(({ material }) => material))
  for (const [path, property] of Object.entries(words?.materials ?? {})) {
    const leaf = open.find((it) => it.path === path)
    const found = leaf === undefined || to.taken.has(path) ? undefined : propertyOf(named, [property])
    if (leaf === undefined || found === undefined) continue
    const value = valueIn(leaf, found.property[0], found.property[1])
    set(to.input, path, value)
    to.taken.add(path)
    giving.add(found.of.material)
    to.bound.push(boundFrom({ input: path, from: 'material', unit: leaf.unitText }, found, value))
  }
  return named.filter(({ material }) => !giving.has(material)).map(({ word }) => word)
}

/** Binds the amounts of a query to what is sought: by names, then by units; returns those that have no place. */
const bindAmounts = (
  amounts: readonly Amount[],
  sought: Sought,
  { to, chosen }: { readonly to: Binder; readonly chosen: (path: string) => unknown },
) => {
  const { leaves } = sought
  const unread: Amount[] = []
  const loose: string[] = []
  const unnamed: Amount[] = []
  const derived: (readonly [Amount, Derived])[] = []
  for (const [i, amount] of amounts.entries()) {
    const from = derivedOf(amount, sought.words)
    if (from !== undefined && !to.taken.has(from.to)) {
      derived.push([amount, from])
      continue
    }
    const leaf = byName(amounts, i, sought, to.taken)
    if (leaf !== undefined) place(to, leaf, valueIn(leaf, amount.number, amount.unit), amount.text)
    else if (amount.loose) loose.push(amount.text)
    else if (isContested(amounts, i, sought.names, fits)) unread.push(amount)
    else unnamed.push(amount)
  }
  // By units last: what a name takes is not open to them.
  for (const amount of unnamed) {
    const leaf = byUnit(amount, sought, to.taken)
    if (leaf === undefined) unread.push(amount)
    else place(to, leaf, valueIn(leaf, amount.number, amount.unit), amount.text)
  }
  // An inverse first: a ratio is multiplied by what it gave.
  for (const [amount, from] of derived.sort(
    ([, a], [, b]) => Number(b.inverse ?? false) - Number(a.inverse ?? false),
  )) {
    const leaf = leaves.find(({ path }) => path === from.to)
    const value = leaf === undefined ? undefined : derivedValue(amount, from, leaf, chosen(from.times ?? ''))
    if (leaf === undefined || value === undefined || to.taken.has(leaf.path)) unread.push(amount)
    else place(to, leaf, value, `${from.inverse ? '1/' : ''}${from.names[0]}: ${amount.text}`)
  }
  return { unread, loose }
}

/**
 * Binds constants and the amounts of a query to a solver's input. Nothing is dropped: what has no place is asked about.
 *
 * @throws Fault AMBIGUOUS_INPUT for an amount or a name without a place; DIMENSION_MISMATCH, INVALID_INPUT.
 */
export const bindSolver = (
  solver: Solver,
  words: SolverWords | undefined,
  { query, constants }: { readonly query: string; readonly constants: Readonly<Record<string, unknown>> },
  vocabulary: Pick<Vocabulary, 'materials'>,
): SolverBinding => {
  const leaves = leavesOf(solver.input)
  const names = namesOf(leaves, words)
  const input: Record<string, unknown> = {}
  const bound: BoundInput[] = []
  const taken = new Set<string>()
  for (const [name, given] of Object.entries(constants)) {
    refuseDerivedConstant(name, given, words)
    const leaf = leafNamed(name, leaves, names)
    if (leaf === undefined && !Object.hasOwn(solver.input.properties, name)) refuseUnknown(solver, name, leaves)
    const path = leaf?.path ?? name
    if (taken.has(path)) throw new Fault('AMBIGUOUS_INPUT', `${path} is given twice.`, { input: name })
    const value = leaf === undefined ? given : constantValue(name, given, leaf)
    set(input, path, value)
    taken.add(path)
    bound.push({
      input: path,
      from: 'constants',
      given: asJson(given),
      value: asJson(value),
      unit: leaf?.unitText ?? '',
    })
  }
  const settings = settingsOf(query, leaves, words).filter((it) => !taken.has(it.input))
  for (const { input: path, value } of settings) {
    set(input, path, value)
    taken.add(path)
  }
  const chosen = (path: string): unknown =>
    settings.find((it) => it.input === path)?.value ??
    bound.find((it) => it.input === path)?.value ??
    leaves.find((it) => it.path === path)?.initial
  const closed = new Set([
    ...(words?.without ?? []).flatMap(([path, value, paths]) => (chosen(path) === value ? paths : [])),
    ...unreadBy(leaves, chosen),
  ])
  const open = leaves.filter(({ path }) => !closed.has(path))
  const sought = { leaves: open, names: names.filter(([, { path }]) => !closed.has(path)), words }
  const to: Binder = { input, bound, taken }
  const asked = bindExpression(query, leaves, words, to)
  const amounts = notRepeated(amountsOf(asked), constants)
  const { unread, loose } = bindAmounts(amounts, sought, { to, chosen })
  if (unread.length > 0) refuseAmounts(solver, unread, leaves)
  const left = bindMaterials(query, open, { words, settings, materials: vocabulary.materials, to })
  const { name, title } = solver
  heardAs({ kind: 'solver', name, title, bound }, () => resolveInput(solver as Solver<TObject>, input))
  const untouched = open.filter(({ path, initial }) => !taken.has(path) && initial !== undefined && initial !== null)
  const defaults = Object.fromEntries(untouched.map(({ path, initial }) => [path, asJson(initial)]))
  const used = [
    ...[...amounts.map(({ name }) => name ?? ''), ...Object.keys(constants).map(spoken)],
    ...settings.map(({ because }) => because),
    ...materialsIn(query, vocabulary.materials).flatMap(({ word }) => (left.includes(word) ? [] : [word])),
  ]
  return { input: asJson(input), bound, settings, defaults, unread: left, beside: asked, loose, used }
}
