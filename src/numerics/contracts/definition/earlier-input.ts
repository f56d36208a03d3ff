import type { ContractExpression, ContractSign } from '#numerics/contracts/language/grammar.ts'

/** What `input` and bare names of an earlier condition read, and what they are called now. */

type Kind = 'number' | 'boolean' | 'text'

const ROOTS: ReadonlySet<string> = new Set([
  'context',
  'event',
  'window',
  'oracle',
  'state',
  'fire',
  'state_ticks',
  'input',
])

/** The name of an input: `input.mass_kg`, or a bare `amount`. */
const inputName = (it: ContractExpression): string | undefined => {
  if (it.kind === 'name') return ROOTS.has(it.name) ? undefined : it.name
  return it.kind === 'member' && it.of.kind === 'name' && it.of.name === 'input' ? it.name : undefined
}

/** What the other side of a comparison makes of this one. */
const besides = (it: ContractExpression): Kind => {
  if (it.kind === 'list') return it.items[0] === undefined ? 'number' : besides(it.items[0])
  if (it.kind === 'not' || it.kind === 'has') return 'boolean'
  if (it.kind !== 'literal') return 'number'
  return typeof it.value === 'string' ? 'text' : typeof it.value === 'boolean' ? 'boolean' : 'number'
}

const wantedBy = (sign: ContractSign, other: ContractExpression): Kind => {
  if (sign === '&&' || sign === '||') return 'boolean'
  return sign === '==' || sign === '!=' || sign === 'in' ? besides(other) : 'number'
}

/** The inputs that a condition reads, with the type that it makes of each where it reads it first. */
export const inputReads = (condition: ContractExpression): ReadonlyMap<string, Kind> => {
  const found = new Map<string, Kind>()
  const visit = (it: ContractExpression, wanted: Kind): void => {
    const name = inputName(it)
    if (name !== undefined) found.set(name, found.get(name) ?? wanted)
    else if (it.kind === 'list') for (const item of it.items) visit(item, wanted)
    else if (it.kind === 'call') for (const arg of it.args) visit(arg, 'number')
    else if (it.kind === 'choose') {
      visit(it.test, 'boolean')
      visit(it.yes, wanted)
      visit(it.no, wanted)
    } else if (it.kind === 'binary') {
      visit(it.left, wantedBy(it.sign, it.right))
      visit(it.right, wantedBy(it.sign, it.left))
    } else if (it.kind === 'index') {
      visit(it.of, wanted)
      visit(it.index, 'number')
    } else if (it.kind === 'not') visit(it.of, 'boolean')
    else if (it.kind === 'size') visit(it.of, 'text')
    else if (it.kind === 'negate' || it.kind === 'has') visit(it.of, 'number')
  }
  visit(condition, 'boolean')
  return found
}

/** The same condition over `event.data`. */
export const overEventData = (it: ContractExpression): ContractExpression => {
  const name = inputName(it)
  const { at } = it
  if (name !== undefined) {
    const event: ContractExpression = { kind: 'name', name: 'event', at }
    return { kind: 'member', of: { kind: 'member', of: event, name: 'data', at }, name, at }
  }
  switch (it.kind) {
    case 'list':
      return { ...it, items: it.items.map(overEventData) }
    case 'call':
      return { ...it, args: it.args.map(overEventData) }
    case 'choose':
      return { ...it, test: overEventData(it.test), yes: overEventData(it.yes), no: overEventData(it.no) }
    case 'binary':
      return { ...it, left: overEventData(it.left), right: overEventData(it.right) }
    case 'index':
      return { ...it, of: overEventData(it.of), index: overEventData(it.index) }
    case 'number':
    case 'literal':
    case 'name':
      return it
    default:
      return { ...it, of: overEventData(it.of) }
  }
}
