import { FUNCTIONS } from './functions.ts'
import type { ContractExpression, Of } from './grammar.ts'

/** What an expression gives. */
export type Value = number | string | boolean | null | readonly Value[]

/** What an expression reads, by name: plain data, of which own members alone are seen. */
export type ReadValues = Readonly<Record<string, unknown>>

/**
 * Why an expression has no value. `absent`: a member is not there; `null`: null stands where a value is wanted; `type`:
 * a value is of another type than is wanted; `not-finite`: a number beyond the doubles, or one that the arithmetic does
 * not define; `index`: a list has no such place.
 */
export type NoValueReason = 'absent' | 'null' | 'type' | 'not-finite' | 'index'

/** The outcome of an expression without a value: never false, never a number. */
export class NoValue {
  readonly reason: NoValueReason
  /** Characters before what refused. */
  readonly position: number

  constructor(reason: NoValueReason, position: number) {
    this.reason = reason
    this.position = position
  }
}

/** An expression made ready: each node runs at most once, and a list of at most 64 is the only thing walked. */
export type Program = (values: ReadValues) => Value | NoValue

type Run<V> = (values: ReadValues) => V

const refuse = (reason: NoValueReason, at: number): never => {
  throw new NoValue(reason, at)
}

/** The number, with one zero. */
const finite = (value: number, at: number): number => (value - value === 0 ? value + 0 : refuse('not-finite', at))

const numberIn = (value: unknown, at: number): number =>
  typeof value === 'number' ? finite(value, at) : refuse(value === null ? 'null' : 'type', at)

const booleanIn = (value: unknown, at: number): boolean =>
  typeof value === 'boolean' ? value : refuse(value === null ? 'null' : 'type', at)

const scalarIn = (value: unknown, at: number): Value => {
  if (typeof value === 'number') return finite(value, at)
  return typeof value === 'string' || typeof value === 'boolean' || value === null ? value : refuse('type', at)
}

/** Whether a value has members: a list has places alone. */
const hasMembers = (of: unknown): of is ReadValues => typeof of === 'object' && of !== null && !Array.isArray(of)

const memberOf = (of: unknown, name: string, at: number): unknown => {
  if (!hasMembers(of)) return refuse('type', at)
  return Object.hasOwn(of, name) ? of[name] : refuse('absent', at)
}

/** What stands under a name, of any form. */
const reading = (it: ContractExpression): Run<unknown> => {
  const { at } = it
  if (it.kind === 'name') {
    const { name } = it
    return (values) => memberOf(values, name, at)
  }
  if (it.kind !== 'member') return any(it)
  const { name } = it
  const of = reading(it.of)
  return (values) => memberOf(of(values), name, at)
}

const arithmetic = ({ sign, left, right, at }: Of<'binary'>): Run<number> => {
  const [a, b] = [number(left), number(right)]
  switch (sign) {
    case '+':
      return (values) => finite(a(values) + b(values), at)
    case '-':
      return (values) => finite(a(values) - b(values), at)
    case '*':
      return (values) => finite(a(values) * b(values), at)
    case '/':
      return (values) => finite(a(values) / b(values), at)
    default:
      return (values) => finite(a(values) % b(values), at)
  }
}

const call = ({ name, args, at }: Of<'call'>): Run<number> => {
  const { run, least, most } = FUNCTIONS[name]
  const [x, y, z] = args.map(number)
  if (x === undefined) return () => refuse('type', at)
  if (y === undefined) return (values) => finite(run(x(values), 0, 0), at)
  if (least === 2 && most > 2) {
    const others = args.slice(1).map(number)
    return (values) =>
      finite(
        others.reduce((so, it) => run(so, it(values), 0), x(values)),
        at,
      )
  }
  if (z === undefined) return (values) => finite(run(x(values), y(values), 0), at)
  return (values) => finite(run(x(values), y(values), z(values)), at)
}

/** Code points of a text, or items of a list. */
const size = (it: Of<'has' | 'size'>): Run<number> => {
  const of = any(it.of)
  return (values) => {
    const value = of(values)
    if (typeof value === 'string') return [...value].length
    return Array.isArray(value) ? value.length : refuse(value === null ? 'null' : 'type', it.at)
  }
}

/** An expression where a number is wanted. */
const number = (it: ContractExpression): Run<number> => {
  const { at } = it
  switch (it.kind) {
    case 'number': {
      const { value } = it
      return () => value
    }
    case 'negate': {
      const of = number(it.of)
      return (values) => 0 - of(values)
    }
    case 'call':
      return call(it)
    case 'size':
      return size(it)
    case 'choose': {
      const [test, yes, no] = [boolean(it.test), number(it.yes), number(it.no)]
      return (values) => (test(values) ? yes(values) : no(values))
    }
    case 'binary':
      if (isArithmetic(it)) return arithmetic(it)
      return () => refuse('type', at)
    case 'name':
    case 'member': {
      const read = reading(it)
      return (values) => numberIn(read(values), at)
    }
    default: {
      const value = any(it)
      return (values) => numberIn(value(values), at)
    }
  }
}

const isArithmetic = ({ sign }: Of<'binary'>): boolean => ['+', '-', '*', '/', '%'].includes(sign)

const isNull = (it: ContractExpression): boolean => it.kind === 'literal' && it.value === null

/** Whether a node gives a number whatever it reads. */
const isNumeric = (it: ContractExpression): boolean =>
  ['number', 'negate', 'call', 'size'].includes(it.kind) || (it.kind === 'binary' && isArithmetic(it))

const same = (a: Value, b: Value, at: number): boolean => {
  if (typeof a !== typeof b || (a === null) !== (b === null))
    return refuse(a === null || b === null ? 'null' : 'type', at)
  return typeof a === 'object' && a !== null ? refuse('type', at) : a === b
}

/** Whether two values of one type are equal; null is compared with where it is written. */
const equal = ({ left, right, at }: Of<'binary'>): Run<boolean> => {
  if (isNull(left) || isNull(right)) {
    const [a, b] = [any(left), any(right)]
    return (values) => a(values) === b(values)
  }
  if (isNumeric(left) || isNumeric(right)) {
    const [a, b] = [number(left), number(right)]
    return (values) => a(values) === b(values)
  }
  const [a, b] = [any(left), any(right)]
  return (values) => same(a(values), b(values), at)
}

const contained = ({ left, right, at }: Of<'binary'>): Run<boolean> => {
  const [item, list] = [any(left), any(right)]
  return (values) => {
    const value = item(values)
    const items = list(values)
    if (!Array.isArray(items)) return refuse('type', at)
    let found = false
    for (const it of items as readonly Value[]) found = same(value, it, at) || found
    return found
  }
}

const compared = (it: Of<'binary'>): Run<boolean> => {
  const { sign, left, right, at } = it
  if (sign === 'in') return contained(it)
  if (sign === '==') return equal(it)
  if (sign === '!=') {
    const same = equal(it)
    return (values) => !same(values)
  }
  if (isArithmetic(it)) return () => refuse('type', at)
  if (sign === '&&' || sign === '||') {
    const [a, b] = [boolean(left), boolean(right)]
    return sign === '&&' ? (values) => a(values) && b(values) : (values) => a(values) || b(values)
  }
  const [a, b] = [number(left), number(right)]
  switch (sign) {
    case '<':
      return (values) => a(values) < b(values)
    case '<=':
      return (values) => a(values) <= b(values)
    case '>':
      return (values) => a(values) > b(values)
    default:
      return (values) => a(values) >= b(values)
  }
}

const has = (it: Of<'has' | 'size'>): Run<boolean> => {
  const { of, at } = it
  if (of.kind !== 'member') return () => refuse('type', at)
  const read = reading(of.of)
  const { name } = of
  return (values) => {
    const whole = read(values)
    return hasMembers(whole) ? Object.hasOwn(whole, name) : refuse('type', at)
  }
}

/** An expression where a boolean is wanted. */
const boolean = (it: ContractExpression): Run<boolean> => {
  const { at } = it
  switch (it.kind) {
    case 'not': {
      const of = boolean(it.of)
      return (values) => !of(values)
    }
    case 'has':
      return has(it)
    case 'binary':
      return compared(it)
    case 'choose': {
      const [test, yes, no] = [boolean(it.test), boolean(it.yes), boolean(it.no)]
      return (values) => (test(values) ? yes(values) : no(values))
    }
    case 'name':
    case 'member': {
      const read = reading(it)
      return (values) => booleanIn(read(values), at)
    }
    default: {
      const value = any(it)
      return (values) => booleanIn(value(values), at)
    }
  }
}

const indexed = (it: Of<'index'>): Run<Value> => {
  const [list, index] = [any(it.of), number(it.index)]
  return (values) => {
    const items = list(values)
    const at = index(values)
    if (!Array.isArray(items)) return refuse('type', it.at)
    const item = (items as readonly Value[])[at]
    return item === undefined || !Number.isInteger(at) ? refuse('index', it.at) : item
  }
}

/** An expression of any type. */
const any = (it: ContractExpression): Run<Value> => {
  const { at } = it
  switch (it.kind) {
    case 'literal': {
      const { value } = it
      return () => value
    }
    case 'list': {
      const items = it.items.map(any)
      return (values) => items.map((item) => item(values))
    }
    case 'name':
    case 'member': {
      const read = reading(it)
      return (values) => scalarIn(read(values), at)
    }
    case 'index':
      return indexed(it)
    case 'choose': {
      const [test, yes, no] = [boolean(it.test), any(it.yes), any(it.no)]
      return (values) => (test(values) ? yes(values) : no(values))
    }
    case 'not':
    case 'has':
      return boolean(it)
    case 'binary':
      return isArithmetic(it) ? number(it) : compared(it)
    default:
      return number(it)
  }
}

/**
 * Makes an expression ready to be asked again and again. It is total: every node runs at most once, and what has no
 * value is a {@link NoValue}. `&&`, `||` and `?:` leave out what they do not need, from left to right.
 */
export const compileExpression = (it: ContractExpression): Program => {
  const run = any(it)
  return (values) => {
    try {
      return run(values)
    } catch (thrown) {
      if (thrown instanceof NoValue) return thrown
      throw thrown
    }
  }
}
