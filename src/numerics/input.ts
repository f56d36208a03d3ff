import type { Static, TObject } from 'typebox'
import Value from 'typebox/value'
import { DEPTH_MAX } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'

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
  const name = Array.isArray(names) ? String(names[0]) : undefined
  return name === undefined ? instancePath || '/' : `${instancePath}/${name}`
}

/** The errors of a closed object name the unknown member twice; the row with the name is the one that helps. */
const foremost = (misfits: readonly Misfit[]): Misfit | undefined =>
  misfits.find((it) => it.keyword === 'additionalProperties') ?? misfits.find((it) => it.keyword !== 'boolean')

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
  const misfit = foremost(Value.Errors(solver.input, full) as unknown as readonly Misfit[])
  if (misfit === undefined) throw new Fault('INVALID_INPUT', 'The input does not fit the schema.', { path: '/' })
  const path = pathOf(misfit)
  const limit = misfit.params['limit']
  const allowed = misfit.params['allowedValues']
  const message = Array.isArray(allowed) ? `must be one of ${allowed.join(', ')}` : misfit.message
  throw new Fault('INVALID_INPUT', `${path}: ${message}.`, {
    path,
    ...(limit === undefined ? {} : { limit }),
    ...(Array.isArray(allowed) ? { allowed } : {}),
  })
}
