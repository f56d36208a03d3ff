import type { Static, TObject } from 'typebox'
import Value from 'typebox/value'
import { DEPTH_MAX } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { didYouMean, membersAt, shortened, slipsOf, unknownBeside, valueAt } from '#core/near-names.ts'

/** What a validator says of one misfit, as far as the refusal repeats it. */
interface Misfit {
  readonly keyword: string
  readonly instancePath: string
  readonly params: Readonly<Record<string, unknown>>
  readonly message: string
}

/** The member at fault: for a missing or unknown one its own name, not that of the object around it. */
const pathOf = ({ instancePath, params }: Misfit): string => {
  const names = params['additionalProperties'] ?? params['requiredProperties']
  const name = Array.isArray(names) ? shortened(String(names[0])) : undefined
  return name === undefined ? instancePath || '/' : `${instancePath}/${name}`
}

interface Complaint {
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
}

/** What is said of a misfit: of an unknown member what may be meant and how many there are, never all of them. */
const complaintOf = (input: TObject, misfit: Misfit): Complaint => {
  const unknown = misfit.params['additionalProperties']
  const allowed = misfit.params['allowedValues']
  const limit = misfit.params['limit']
  if (Array.isArray(unknown)) {
    const suggestions = slipsOf(String(unknown[0]), membersAt(input, misfit.instancePath))
    const more = unknown.length > 1 ? ` (and ${unknown.length - 1} more)` : ''
    const details = {
      ...(suggestions.length > 0 ? { suggestions } : {}),
      ...(unknown.length > 1 ? { unknown: unknown.length } : {}),
    }
    return { message: `is not known here${more}.${didYouMean(suggestions)}`, details }
  }
  const limits = limit === undefined ? {} : { limit }
  if (!Array.isArray(allowed)) return { message: `${misfit.message}.`, details: limits }
  return { message: `must be one of ${allowed.join(', ')}.`, details: { ...limits, allowed } }
}

/**
 * The errors of a closed object name the unknown member twice; the row with the name is the one that helps. It comes
 * last and is cut off where many are unknown: they are counted then.
 */
const foremost = (misfits: readonly Misfit[], input: TObject, full: unknown): Misfit | undefined => {
  const named =
    misfits.find((it) => it.keyword === 'additionalProperties') ?? misfits.find((it) => it.keyword !== 'boolean')
  const [first] = misfits
  if (named !== undefined || first === undefined) return named
  const unknown = unknownBeside(input, full, first.instancePath)
  if (unknown === undefined) return undefined
  const { at, names } = unknown
  return { keyword: 'additionalProperties', instancePath: at, params: { additionalProperties: names }, message: '' }
}

/** A copy of plain data that keeps every own member, so that none escapes the schema by its name. */
const copyOf = (value: unknown, path: string, depth: number): unknown => {
  if (value === null || typeof value !== 'object') return value
  if (depth > DEPTH_MAX) throw new Fault('INVALID_INPUT', `Nesting is deeper than ${DEPTH_MAX}.`, { path: '/' })
  if (Array.isArray(value)) return value.map((part) => copyOf(part, `${path}/-`, depth + 1))
  const copy: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(value)) {
    if (Object.hasOwn(Object.prototype, name)) {
      throw new Fault('INVALID_INPUT', `${path}/${name}: must not have additional properties.`, {
        path: `${path}/${name}`,
      })
    }
    copy[name] = copyOf(part, `${path}/${name}`, depth + 1)
  }
  return copy
}

/**
 * The full input of a solver: the caller's members, the defaults of its schema for the rest. `{}` and undefined are the
 * default case. The caller's object is left as it is.
 *
 * @throws Fault INVALID_INPUT naming the path and, where there is one, the limit. Unknown members are refused.
 */
export const resolveInput = <I extends TObject>(solver: { readonly input: I }, raw: unknown): Static<I> => {
  const given = raw === undefined ? {} : raw
  if (given === null || typeof given !== 'object' || Array.isArray(given)) {
    throw new Fault('INVALID_INPUT', 'The input must be a JSON object.', { path: '/' })
  }
  const full = Value.Default(solver.input, copyOf(given, '', 0))
  if (Value.Check(solver.input, full)) return full as Static<I>
  const misfit = foremost(Value.Errors(solver.input, full) as unknown as readonly Misfit[], solver.input, full)
  if (misfit === undefined) throw new Fault('INVALID_INPUT', 'The input does not fit the schema.', { path: '/' })
  const path = pathOf(misfit)
  const { message, details }: Complaint = complaintOf(solver.input, misfit)
  const chosen = Array.isArray(details['allowed']) ? valueAt(full, misfit.instancePath) : undefined
  const meant = typeof chosen === 'string' ? slipsOf(chosen, (details['allowed'] as unknown[]).map(String)) : []
  const suggestions = meant.length === 0 ? {} : { suggestions: meant }
  throw new Fault('INVALID_INPUT', `${path}: ${message}${didYouMean(meant)}`, { path, ...details, ...suggestions })
}
