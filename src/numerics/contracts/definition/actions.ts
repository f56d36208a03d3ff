import { type NameScope, NUMBER, type Type } from '#numerics/contracts/language/types.ts'
import { soundExpression, unassignable } from './expressions.ts'
import type { Sheet } from './faults.ts'
import { type Declared, unfit } from './members.ts'
import { isPart, itemsOf, type JsonPart, own, piece, variant } from './pieces.ts'
import { ACTIONS_MAX, type Action, actions as forms } from './schema.ts'
import { type Declaration, type Declarations, inspectName } from './sources.ts'

/** Levels of a value within which expressions are looked for; a definition has no more. */
const DEPTH_MAX = 32

/** What the actions of one place may name. */
export interface Surroundings {
  readonly scope: NameScope
  readonly declarations: Declarations
}

interface At {
  readonly value: unknown
  readonly path: string
}

/** What a value has to be: the type of an expression for it, and why a plain value is none. */
interface Wanted {
  readonly type: Type
  readonly unfit: (value: unknown) => string | undefined
}

const isExpression = (value: unknown): value is { readonly $: unknown } =>
  isPart(value) && Object.hasOwn(value, '$') && Object.keys(value).length === 1

/** A value, or `{$: expression}` for one. */
const inspectValue = (sheet: Sheet, { value, path }: At, scope: NameScope, wanted?: Wanted): void => {
  if (!isExpression(value)) {
    const why = wanted?.unfit(value)
    if (why !== undefined) sheet.add(path, why)
    return
  }
  const at = `${path}/$`
  if (typeof value.$ !== 'string') return sheet.add(at, 'an expression is a text')
  const sound = soundExpression(sheet, { text: value.$, path: at }, scope)
  if (sound === undefined || wanted === undefined) return
  const why =
    unassignable(sound.type, wanted.type) ?? (sound.always === undefined ? undefined : wanted.unfit(sound.always))
  if (why !== undefined) sheet.add(at, why, 0)
}

/** Every expression in a value of any form. */
const inspectWithin = (sheet: Sheet, { value, path }: At, scope: NameScope, depth = 0): void => {
  if (typeof value !== 'object' || value === null || depth > DEPTH_MAX) return
  if (isExpression(value)) return inspectValue(sheet, { value, path }, scope)
  for (const [name, part] of Object.entries(value)) {
    inspectWithin(
      sheet,
      { value: part, path: `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` },
      scope,
      depth + 1,
    )
  }
}

const wantedOf = ({ it, type }: Declaration<unknown>): Wanted => ({
  type,
  unfit: (value) => unfit(it as Declared, value),
})

/** ReadValues for declared members. */
const inspectMembers = (
  sheet: Sheet,
  { value, path, what, scope }: At & { readonly what: string; readonly scope: NameScope },
  declared: ReadonlyMap<string, Declaration<unknown>>,
): void => {
  for (const [name, part] of Object.entries(isPart(value) ? value : {})) {
    const at = `${path}/${name}`
    const source = declared.get(name)
    if (source === undefined) inspectName(sheet, { name, path: at, what }, declared.keys())
    else inspectValue(sheet, { value: part, path: at }, scope, wantedOf(source))
  }
}

const set = (sheet: Sheet, { value, path }: At, { scope, declarations }: Surroundings): void => {
  const { kind: _, ...members } = value as JsonPart
  if (Object.keys(members).length === 0) sheet.add(path, 'sets nothing')
  inspectMembers(sheet, { value: members, path, what: 'member of the context', scope }, declarations.context)
}

const emit = (sheet: Sheet, { value, path }: At, { scope, declarations }: Surroundings): void => {
  const { event } = piece(sheet, forms.emit, { value, path })
  if (event === undefined) return
  if (!inspectName(sheet, { name: event, path: `${path}/event`, what: 'event' }, declarations.events.keys())) return
  const declared = declarations.events.get(event) ?? new Map<string, Declaration<{ readonly optional?: boolean }>>()
  const data = own(value, 'data') ?? {}
  const at = `${path}/data`
  inspectMembers(sheet, { value: data, path: at, what: `member of ${event}`, scope }, declared)
  for (const [name, { it }] of declared) {
    if (own(data, name) === undefined && it.optional !== true) sheet.add(`${at}/${name}`, 'is required')
  }
}

const compute = (sheet: Sheet, at: At, { scope, declarations }: Surroundings): void => {
  const { value, path } = at
  const { bind } = piece(sheet, forms.compute, at)
  const named = ['solver', 'operators'].filter((name) => own(value, name) !== undefined)
  if (named.length !== 1) sheet.add(path, 'is of one solver, or of operators')
  inspectWithin(sheet, { value: own(value, 'inputs'), path: `${path}/inputs` }, scope)
  for (const name of Object.keys(bind ?? {})) {
    const there = { name, path: `${path}/bind/${name}`, what: 'member of the context' }
    inspectName(sheet, there, declarations.context.keys())
  }
}

/** Tokens are whole. */
const AMOUNT: Wanted = {
  type: NUMBER,
  unfit: (value) => (Number.isSafeInteger(value) && (value as number) > 0 ? undefined : 'is no whole number from 1'),
}

const transfer = (sheet: Sheet, at: At, { scope }: Surroundings): void => {
  piece(sheet, forms.transfer, at)
  const amount = own(at.value, 'amount')
  if (amount !== undefined) inspectValue(sheet, { value: amount, path: `${at.path}/amount` }, scope, AMOUNT)
}

/** An action whose values may be anything. */
const open = (sheet: Sheet, at: At, { scope }: Surroundings, member: 'body' | 'data'): void => {
  variant(sheet, { forms, by: 'kind' }, at)
  inspectWithin(sheet, { value: own(at.value, member), path: `${at.path}/${member}` }, scope)
}

const inspect = (sheet: Sheet, at: At, around: Surroundings): void => {
  switch (own(at.value, 'kind')) {
    case 'set':
      return set(sheet, at, around)
    case 'compute':
      return compute(sheet, at, around)
    case 'emit':
      return emit(sheet, at, around)
    case 'transfer':
      return transfer(sheet, at, around)
    case 'notify':
      return open(sheet, at, around, 'body')
    case 'call':
      return open(sheet, at, around, 'data')
    default:
      variant(sheet, { forms: { ...forms, set: forms.emit }, by: 'kind' }, at)
  }
}

/** Looks at a list of actions. @returns their normal form, as far as they could be read */
export const inspectActions = (sheet: Sheet, { value, path }: At, around: Surroundings): readonly Action[] =>
  itemsOf(value, { most: ACTIONS_MAX, path }).flatMap((at): readonly Action[] => {
    inspect(sheet, at, around)
    const kind = own(at.value, 'kind')
    if (kind === 'set') return [at.value as Action]
    return [{ ...variant({ add: () => undefined, faults: [] }, { forms, by: 'kind' }, at) } as Action]
  })

/** How many of some actions compute. */
export const computations = (all: readonly Action[]): number => all.filter(({ kind }) => kind === 'compute').length
