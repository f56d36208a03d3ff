import type { Endpoint, Once } from '#api/endpoint.ts'
import { assert } from '#core/assert.ts'

/** The way of one call through the work of an idempotent endpoint. */
export interface OnceOf {
  readonly once: Once
  /** What its answer says of a repeat. */
  headers(): Readonly<Record<string, string>>
}

/** Lets an idempotent endpoint do its work under the Idempotency-Key of the call, and remembers what came of it. */
export const createOnce = (
  { id, idempotent }: Endpoint,
  { input, key }: { readonly input: object; readonly key: string | undefined },
): OnceOf => {
  let replayed = false
  return {
    once: async (work) => {
      assert(idempotent === true, `${id} does not say that it is idempotent`)
      const found = await work({ scope: id, key, input: { ...input } })
      const { replayed: again = false, ...told } = found
      replayed = again
      return told as never
    },
    headers: () => (replayed ? { 'Idempotency-Replayed': 'true' } : {}),
  }
}
