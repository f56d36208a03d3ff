import { toHex, utf8 } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { type Cause, fireId } from '#core/contract/cause.ts'
import type { FireReading } from '#core/contract/fire-row.ts'
import { randomBytes, sha256 } from '#crypto'
import type { Stimulus } from '#numerics/contracts/fire/stimulus.ts'
import type { ContractRow, WaitingFire } from '#store/rows/contract.ts'

/** Bytes of the cause of a manual fire without an Idempotency-Key. */
const CAUSE_BYTES = 16

/** Who set off what the node does by itself. */
export const OF_CLOCK = 'clock'
export const OF_EVENT = 'event'

type Named = { readonly name: string; readonly data: Readonly<Record<string, Json>> }

/** A fire that has not been tried. */
export const freshFire = (
  { contract }: Pick<ContractRow, 'contract'>,
  of: Pick<WaitingFire, 'cause' | 'by'> &
    Partial<Pick<WaitingFire, 'due' | 'event' | 'transition' | 'depth' | 'at'>> & { readonly since: number },
): WaitingFire => ({
  due: of.due ?? null,
  event: of.event ?? null,
  transition: of.transition ?? null,
  depth: of.depth ?? 0,
  attempt: 0,
  at: of.at ?? null,
  not_before: of.since,
  cause: of.cause,
  by: of.by,
  since: of.since,
  fire: fireId(contract, of.cause),
})

/** The cause of what somebody asks for: one for all repeats of a call under its Idempotency-Key. */
export const manualCause = (caller: Caller, key: string | undefined): Cause => {
  if (key === undefined) return { key: toHex(randomBytes(CAUSE_BYTES)) }
  const who = caller.kind === 'anonymous' ? caller.bucket : caller.keyId
  return { key: toHex(sha256(utf8(`${who} ${key}`))) }
}

/** Who asks, as a row says it. */
export const speakerOf = (caller: Caller): string => {
  if (caller.kind === 'anonymous') return 'anonymous'
  return caller.kind === 'machine' ? `key:${caller.keyId}` : caller.zid
}

const eventOf = (name: Named, from: string | null, at: number | null): Stimulus['of'] => ({
  ...{ kind: 'event', from, at },
  ...name,
})

const askedOf = (slug: string, { cause, event, transition, at }: WaitingFire): Stimulus['of'] => {
  if ('trigger' in cause) return { kind: 'trigger', trigger: cause.trigger }
  if (transition !== null) return { kind: 'transition', id: transition, ...(event === null ? {} : { event }) }
  if (event === null) return { kind: 'now' }
  return eventOf(event, 'slug' in cause && cause.slug !== slug ? cause.slug : null, at)
}

/** Values that oracles gave, by name. */
export const valuesOf = (readings: readonly FireReading[]): Stimulus['readings'] =>
  Object.fromEntries(readings.map(({ oracle, value }) => [oracle, value]))

/** What a contract is asked. @param tick mesh tick of the decision. */
export const stimulusOf = (
  { slug }: Pick<ContractRow, 'slug'>,
  it: WaitingFire,
  { tick, readings }: { readonly tick: number; readonly readings: readonly FireReading[] },
): Stimulus => ({
  fire: it.fire,
  cause: it.cause,
  tick,
  due: it.due,
  attempt: it.attempt,
  of: askedOf(slug, it),
  readings: valuesOf(readings),
})
