import { fromHex } from '#core/bytes.ts'
import { Fault, faults } from '#core/fault.ts'
import { sleep } from '#core/wait.ts'
import { KeyFileRefused, readSecretFile } from '#domain/identity/node-keys.ts'
import {
  beginNewLog,
  type NewLog,
  type RotationView,
  rotateIdentity,
  viewRotation,
} from '#domain/identity/succession.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { DirectoryInUse } from '#store/lock.ts'
import { StoreRefused } from '#store/open.ts'
import { nodeClock } from './clock.ts'

export type { RotationView }

/**
 * Why a rotation was refused, for the exit code: a node runs or the clock is behind (`later`), or something is wrong.
 */
export const rotationRefusal = (error: unknown): 'later' | 'refused' | undefined => {
  if (error instanceof DirectoryInUse) return 'later'
  if (error instanceof Fault) return faults[error.code].retryable ? 'later' : 'refused'
  return [KeyFileRefused, StoreRefused, CorruptRow].some((it) => error instanceof it) ? 'refused' : undefined
}

/** The seed in a file of 64 hex digits that nobody else can read. @throws KeyFileRefused */
export const seedIn = (path: string): Uint8Array => {
  const text = readSecretFile(path)
  if (text === undefined) throw new KeyFileRefused(`${path} is missing`)
  if (!/^[0-9a-f]{64}$/.test(text)) throw new KeyFileRefused(`${path} does not hold a key of 64 hex digits`)
  return fromHex(text)
}

/** What a rotation on a data directory would end. */
export const viewHere = (directory: string, seed: Uint8Array | undefined): Promise<RotationView> =>
  viewRotation({ directory, clock: nodeClock(), seed })

/** Rotates the identity key of a stopped node, with the machine's clock and timers. */
export const rotateHere = (
  directory: string,
  order: { readonly reason: string; readonly seed: Uint8Array | undefined; readonly signal: AbortSignal },
) => rotateIdentity({ directory, clock: nodeClock(), sleep, ...order })

/** Begins new logs beside one that was rolled back, or one that its owner names and gives up unconfirmed. */
export const newLogHere = (directory: string, unconfirmed: string | undefined): Promise<NewLog> =>
  beginNewLog({ directory, clock: nodeClock(), unconfirmed })
