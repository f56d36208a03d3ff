import { Fault } from '#core/fault.ts'

export interface GateOptions {
  /** Places in all, and of them those that one node has at once. */
  readonly max: number
  readonly perNodeMax: number
  /** Those that wait for a place, in all and of one node. */
  readonly waitingMax: number
  readonly waitingPerNodeMax: number
}

interface Waiting {
  readonly node: string
  readonly begin: () => void
}

/** Places that nodes share: whoever finds none waits for one, the longest waiting first. */
export interface Gate {
  /**
   * Waits for a place.
   *
   * @returns what gives it back
   * @throws the signal's reason; Fault NODE_BUSY when too many wait.
   */
  enter(node: string, signal: AbortSignal): Promise<() => void>
}

/** Opens a gate. */
export const createGate = ({ max, perNodeMax, waitingMax, waitingPerNodeMax }: GateOptions): Gate => {
  const inside = new Map<string, number>()
  let total = 0
  let waiting: readonly Waiting[] = []

  const isFree = (node: string): boolean => total < max && (inside.get(node) ?? 0) < perNodeMax
  const take = (node: string): (() => void) => {
    total += 1
    inside.set(node, (inside.get(node) ?? 0) + 1)
    let isIn = true
    return () => {
      if (!isIn) return
      isIn = false
      total -= 1
      const left = (inside.get(node) ?? 1) - 1
      if (left === 0) inside.delete(node)
      else inside.set(node, left)
      const next = waiting.find((it) => isFree(it.node))
      if (next !== undefined) next.begin()
    }
  }

  return {
    enter: async (node, signal) => {
      signal.throwIfAborted()
      if (isFree(node)) return take(node)
      const own = waiting.filter((it) => it.node === node).length
      if (waiting.length >= waitingMax || own >= waitingPerNodeMax) {
        throw new Fault('NODE_BUSY', 'Too many values are asked for at once.')
      }
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      const leave = (): void => {
        waiting = waiting.filter((it) => it !== mine)
        signal.removeEventListener('abort', end)
      }
      const mine: Waiting = {
        node,
        begin: () => {
          leave()
          resolve(take(node))
        },
      }
      const end = (): void => {
        leave()
        reject(signal.reason)
      }
      signal.addEventListener('abort', end, { once: true })
      waiting = [...waiting, mine]
      return promise
    },
  }
}
