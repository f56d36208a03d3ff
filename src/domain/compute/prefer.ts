import { Fault } from '#core/fault.ts'

/** The longest wait that a call may ask for, in seconds. */
export const WAIT_SECONDS_MAX = 600

export interface Preference {
  /** The caller wants a job at once. */
  readonly async: boolean
  /** How long it waits before it becomes a job; undefined leaves that to the node. */
  readonly waitMs: number | undefined
  /** Another node is to compute it; `consent` says that its pool and whoever disputes it may read the inputs. */
  readonly mesh: { readonly consent: boolean } | undefined
}

/** What a job says of its preference in `Preference-Applied`. @param away whether another node computes it */
export const appliedOf = ({ async, waitMs }: Preference, away = false): string | undefined => {
  const how = async ? 'respond-async' : waitMs === undefined ? undefined : `wait=${waitMs / 1_000}`
  return [how, ...(away ? ['where=mesh'] : [])].filter((it) => it !== undefined).join(', ') || undefined
}

const waitOf = (text: string): number => {
  if (!/^\d{1,6}$/.test(text)) throw new Fault('INVALID_INPUT', 'Prefer: wait takes whole seconds.')
  return Math.min(Number(text), WAIT_SECONDS_MAX) * 1_000
}

/** A value without the quotes that it may stand in. */
const plain = (value: string): string => value.replace(/^"(.*)"$/, '$1')

const isConsent = (parameter: string): boolean => /^consent(?:=(?:true|"true"|1))?$/i.test(parameter)

/**
 * What a `Prefer` header asks for (RFC 7240): `respond-async`, `wait`, and `where=mesh` with the parameter `consent`;
 * unknown preferences are ignored, as the RFC says, and of a repeated one the first counts.
 *
 * @throws Fault INVALID_INPUT for a wait that is no number.
 */
export const preferenceOf = (header: string | undefined): Preference => {
  let async = false
  let wait: number | undefined
  let mesh: Preference['mesh']
  for (const part of (header ?? '').split(',')) {
    const [first = '', ...parameters] = part.split(';').map((it) => it.trim())
    const [name = '', value = ''] = first.split('=').map((it) => it.trim())
    if (name.toLowerCase() === 'respond-async') async = true
    if (name.toLowerCase() === 'where' && plain(value) === 'mesh') mesh ??= { consent: parameters.some(isConsent) }
    if (name.toLowerCase() === 'wait') wait ??= waitOf(plain(value))
  }
  return { async, waitMs: wait, mesh }
}
