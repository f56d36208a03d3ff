import type { Endpoint } from '#api/endpoint.ts'
import type { Caller } from '#core/caller.ts'
import { type FaultCode, faults } from '#core/fault.ts'
import { createRepeats, type RepeatBounds } from '#core/repeats.ts'
import type { Log, Meter } from '#core/telemetry.ts'

/** Refusals of one kind to one address that are told one by one in a minute; the rest is counted. */
const REFUSALS: RepeatBounds = { timesMax: 3, windowMs: 60_000, keysMax: 1_024 }
const UNAUTHORIZED = 401
const FORBIDDEN = 403

/** Which call a line is about. */
export interface AuditedCall {
  /** The request's id. */
  readonly id: string
  /** Address bucket of the client. */
  readonly bucket: string
}

/** The audit: who was let in, who gained or lost a right, and what was refused. */
export interface Audit {
  /** After an endpoint has done its work: a line, if its literal states one. */
  done(endpoint: Endpoint, call: AuditedCall & { caller: Caller; input: unknown; result: unknown }): void
  /** A refusal for the sake of who calls (401 and 403): counted, and told a few times a minute for each address. */
  refused(code: FaultCode, call: AuditedCall & { readonly endpoint: string }): void
}

const members = (value: unknown, names: readonly string[] = []): Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return {}
  const all = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(names.filter((it) => Object.hasOwn(all, it)).map((it) => [it, all[it]]))
}

/** Who it was, by ids: of a credential the first digits of its hash. */
const who = (caller: Caller): object =>
  caller.kind === 'anonymous' ? { by: caller.kind } : { by: caller.kind, zid: caller.zid, credential: caller.keyId }

/** The audit over a node's log and meter. @param nowMs a clock in milliseconds that never falls. */
export const createAudit = (log: Log, meter: Meter, nowMs = (): number => performance.now()): Audit => {
  const repeats = createRepeats(REFUSALS)
  return {
    done: ({ audit: row }, { id, bucket, caller, input, result }) => {
      if (row === undefined) return
      const of = { ...members(input, row.input), ...members(result, row.result) }
      log.audit({ request: id, bucket, caller: who(caller), of }, row.event)
    },
    refused: (code, { id, bucket, endpoint }) => {
      const { status } = faults[code]
      if (status !== UNAUTHORIZED && status !== FORBIDDEN) return
      meter.count('credentials_refused_total', { code })
      const now = nowMs()
      for (const [of, times] of repeats.over(now)) log.audit({ of, times }, 'refusals_counted')
      if (repeats.admit(`${code} ${bucket}`, now)) log.audit({ request: id, bucket, endpoint, code }, 'refused')
    },
  }
}
