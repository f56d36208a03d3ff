import { createHub, type Hub } from '#domain/machines/hub.ts'

/** Tells waiting readers that a contract moved, and counts the streams that are open over each. */
export interface ContractHub extends Hub {
  /** A stream over a contract begins; it ends when this is disposed. */
  reading(id: string): Disposable
  /** Streams that are open over a contract now. */
  readers(id: string): number
}

/** A hub without readers. */
export const createContractHub = (): ContractHub => {
  const open = new Map<string, number>()
  return {
    ...createHub(),
    reading: (id) => {
      open.set(id, (open.get(id) ?? 0) + 1)
      let ended = false
      return {
        [Symbol.dispose]: () => {
          if (ended) return
          ended = true
          const left = (open.get(id) ?? 1) - 1
          if (left === 0) open.delete(id)
          else open.set(id, left)
        },
      }
    },
    readers: (id) => open.get(id) ?? 0,
  }
}
