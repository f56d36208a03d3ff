import { checkExpression } from '#numerics/contracts/language/check.ts'
import { compileExpression, NoValue, type ReadValues, type Value } from '#numerics/contracts/language/evaluate.ts'
import { type ContractExpression, parseExpression } from '#numerics/contracts/language/grammar.ts'
import { isNullable, type NameScope, shownType, type Type, unequal } from '#numerics/contracts/language/types.ts'
import { heard, type Sheet } from './faults.ts'

/** An expression of a definition, and where it stands. */
export interface Written {
  readonly text: string
  readonly path: string
}

const WHY: Readonly<Record<NoValue['reason'], string>> = {
  absent: 'a member is not there',
  null: 'null stands where a value is wanted',
  type: 'a value is of another type than is wanted',
  'not-finite': 'the result is no finite number',
  index: 'the list has no such place',
}

/** A refusal as a person reads it. */
export const shownRefusal = ({ reason }: NoValue): string => WHY[reason]

/** Whether an expression reads anything at all. */
const isConstant = (it: ContractExpression): boolean => {
  switch (it.kind) {
    case 'name':
    case 'member':
    case 'has':
      return false
    case 'number':
    case 'literal':
      return true
    case 'list':
      return it.items.every(isConstant)
    case 'call':
      return it.args.every(isConstant)
    case 'index':
      return isConstant(it.of) && isConstant(it.index)
    case 'choose':
      return isConstant(it.test) && isConstant(it.yes) && isConstant(it.no)
    case 'binary':
      return isConstant(it.left) && isConstant(it.right)
    default:
      return isConstant(it.of)
  }
}

/** An expression that was read and typed without a complaint. */
export interface Sound {
  readonly type: Type
  /** What it always gives, where it reads nothing. */
  readonly always: Value | undefined
  /** What it gives of some values. */
  run(values: ReadValues): Value | NoValue
}

/** Reads and types an expression, and works out what reads nothing; undefined after complaints. */
export const soundExpression = (sheet: Sheet, { text, path }: Written, scope: NameScope): Sound | undefined => {
  const it = heard(sheet, path, () => parseExpression(text))
  if (it === undefined) return undefined
  const { type, complaints } = checkExpression(it, scope)
  for (const { reason, position } of complaints) sheet.add(path, reason, position)
  if (complaints.length > 0) return undefined
  const run = compileExpression(it)
  if (!isConstant(it)) return { type, always: undefined, run }
  const always = run({})
  if (!(always instanceof NoValue)) return { type, always, run }
  sheet.add(path, `this can have no value: ${shownRefusal(always)}`, always.position)
  return undefined
}

/** A guard or a claim: an expression that is true or false. */
export const inspectCondition = (sheet: Sheet, it: Written, scope: NameScope): Sound | undefined => {
  const sound = soundExpression(sheet, it, scope)
  if (sound === undefined) return undefined
  const { type } = sound
  if (type.kind === 'boolean' || type.kind === 'broken') return sound
  sheet.add(it.path, `a boolean is wanted, not ${shownType(type)}`, 0)
  return undefined
}

/** Why what an expression gives can never stand in a member, or undefined. */
export const unassignable = (type: Type, member: Type): string | undefined => {
  if (type.kind === 'null') return isNullable(member) ? undefined : 'null is written, and the member is not nullable'
  return unequal(type, member)
}
