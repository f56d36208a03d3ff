import type { Endpoint } from '#api/endpoint.ts'
import { type FaultCode, faults } from '#core/fault.ts'
import { createRepeats, type RepeatBounds } from '#core/repeats.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import type { Caller } from '#domain/identity/caller.ts'

/** What the audit says of an endpoint's success: the event, and which members it names. Never a secret's value. */
interface AuditRow {
  readonly event: string
  readonly input?: readonly string[]
  readonly result?: readonly string[]
}

/** Endpoints by which someone gains, uses up or loses a right, or by which a secret leaves the node. */
export const audited: Readonly<Record<string, AuditRow>> = {
  'identity.sign-up': { event: 'account_created', result: ['zid', 'custody', 'key_id'] },
  'identity.create-key': { event: 'key_created', result: ['id', 'expires_mesh_tick'] },
  'identity.revoke-key': { event: 'key_revoked', input: ['id'] },
  'identity.export-key': { event: 'account_key_exported', result: ['zid'] },
  'identity.close-session': { event: 'session_closed' },
  'economy.mint-demo-key': { event: 'demo_key_created', result: ['key_id'] },
  'economy.grant': { event: 'credits_granted', input: ['zid', 'credits'] },
  'machines.create': { event: 'machine_created', input: ['slug', 'is_public'], result: ['key_id'] },
  'machines.settings': { event: 'machine_settings_changed', input: ['slug', 'is_public'] },
  'identity.machine-add-admin': { event: 'role_given', input: ['slug', 'zid', 'role'] },
  'identity.machine-change-admin': { event: 'role_changed', input: ['slug', 'zid', 'role'] },
  'identity.machine-remove-admin': { event: 'role_taken', input: ['slug', 'zid'] },
  'identity.machine-make-key': { event: 'machine_key_created', input: ['slug', 'scope'], result: ['id'] },
  'identity.machine-revoke-key': { event: 'machine_key_revoked', input: ['slug', 'id'] },
  'machines.rotate-anchor-key': { event: 'anchor_key_rotated', input: ['slug'] },
  'machines.share': { event: 'share_opened', input: ['slug'] },
  'machines.unshare': { event: 'share_closed', input: ['slug'] },
  'machines.unlock': { event: 'share_used', input: ['slug'], result: ['role'] },
  'vault.audit-decrypt': { event: 'members_decrypted', input: ['slug', 'from', 'to'] },
}

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
  /** After an endpoint of {@link audited} has done its work. Others leave no line. */
  done(endpoint: Endpoint, call: AuditedCall & { caller: Caller; input: unknown; result: unknown }): void
  /** A refusal for the sake of who calls (401 and 403): counted, and told a few times a minute for each address. */
  refused(code: FaultCode, call: AuditedCall & { readonly endpoint: string }): void
  /** What happens beside the endpoints: the owner's one-time link was made or used, the whole data was copied. */
  told(event: 'owner_link_made' | 'owner_link_used' | 'snapshot_taken', call: AuditedCall): void
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
    done: ({ id: endpoint }, { id, bucket, caller, input, result }) => {
      const row = audited[endpoint]
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
    told: (event, { id, bucket }) => log.audit({ request: id, bucket }, event),
  }
}
