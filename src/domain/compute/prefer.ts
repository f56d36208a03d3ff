import { Fault } from '#core/fault.ts'

/** The longest wait that a call may ask for, in seconds. */
export const WAIT_SECONDS_MAX = 600

export interface Preference {
  /** The caller wants a job at once. */
  readonly async: boolean
  /** How long it waits before it becomes a job; undefined leaves that to the node. */
  readonly waitMs: number | undefined
}

/** What a job that a preference made says of it in `Preference-Applied`. */
export const appliedOf = ({ async, waitMs }: Preference): string | undefined => {
  if (async) return 'respond-async'
  return waitMs === undefined ? undefined : `wait=${waitMs / 1_000}`
}

const waitOf = (text: string): number => {
  if (!/^\d{1,6}$/.test(text)) throw new Fault('INVALID_INPUT', 'Prefer: wait takes whole seconds.')
  return Math.min(Number(text), WAIT_SECONDS_MAX) * 1_000
}

/**
 * What a `Prefer` header asks for (RFC 7240): `respond-async` and `wait`; unknown preferences are ignored, as the RFC
 * says, and of a repeated one the first counts.
 *
 * @throws Fault INVALID_INPUT for a wait that is no number.
 */
export const preferenceOf = (header: string | undefined): Preference => {
  let async = false
  let wait: number | undefined
  for (const part of (header ?? '').split(',')) {
    const [first = ''] = part.split(';')
    const [name = '', value = ''] = first.split('=').map((it) => it.trim())
    if (name.toLowerCase() === 'respond-async') async = true
    if (name.toLowerCase() === 'wait') wait ??= waitOf(value.replace(/^"(.*)"$/, '$1'))
  }
  return { async, waitMs: wait }
}
