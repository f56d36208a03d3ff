import type { Caller } from '#core/caller.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import type { Store } from '#store/store.ts'
import { TICKS_PER_DAY } from './calendar.ts'
import type { Idempotency } from './economy.ts'

/** 1 to 255 visible ASCII characters. */
const FORM = /^[\x21-\x7e]{1,255}$/

/** Whose keys are whose: an account, or an address bucket where callers share one. */
const scopeOf = (caller: Caller): string => {
  if (caller.kind === 'anonymous') return `anonymous ${caller.bucket}`
  // A machine's key is never its owner: what the owner was answered is not for it.
  if (caller.kind === 'machine') return `machine ${caller.keyId}`
  if (caller.kind === 'channel') return `channel ${caller.keyId}`
  return caller.shared ? `${caller.account} ${caller.bucket}` : caller.account
}

/**
 * Idempotency keys: the stored answer is written in the same batch as the effect and kept for 24 hours; refusals are
 * not stored. A call that runs is known in memory only, so a crash ends it.
 */
export const createIdempotency = (store: Store) => {
  const running = new Set<string>()

  return async (caller: Caller, scope: string, key: string, inputDigest: string): Promise<Idempotency> => {
    if (!FORM.test(key)) throw new Fault('INVALID_INPUT', 'An Idempotency-Key is 1 to 255 visible ASCII characters.')
    const name = digest(purposes.idempotency, { account: scopeOf(caller), endpoint: scope, key })
    if (running.has(name)) throw new Fault('IDEMPOTENCY_IN_PROGRESS', undefined, { retry_after_seconds: 1 })
    // Read at once: between this look-up and the entry below nothing else may run.
    const row = store.peek('idempotency', name)
    if (row !== undefined && row.expires_mesh_tick > store.now().meshTick) {
      if (row.input_digest !== inputDigest) throw new Fault('IDEMPOTENCY_KEY_REUSED')
      return { kind: 'replay', answer: row.answer }
    }
    running.add(name)
    return {
      kind: 'fresh',
      keep: (tx, answer) => {
        const expires = tx.meshTick + TICKS_PER_DAY
        if (row !== undefined) tx.del('idempotencyByExpiry', keyOf(seqKey(row.expires_mesh_tick), name))
        tx.put('idempotencyByExpiry', keyOf(seqKey(expires), name), name)
        tx.late(async (put) => {
          put('idempotency', name, { input_digest: inputDigest, answer: await answer(), expires_mesh_tick: expires })
        })
      },
      release: () => void running.delete(name),
    }
  }
}
