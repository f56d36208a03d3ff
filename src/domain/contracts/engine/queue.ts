/** What is under way for a contract. */
export interface Running {
  readonly id: string
  readonly owner: string
  readonly controller: AbortController
  readonly over: Promise<void>
}

/** Runs what takes time, so many at once, and no owner's before another's turn. */
export interface RunQueue {
  /** Takes a contract up, unless it waits already; once more, where it is under way. */
  add(id: string, owner: string): void
  /** Ends what is under way for a contract. */
  abort(id: string, reason: unknown): void
  /** Resolves when a contract is neither under way nor waits. */
  over(id: string): Promise<void>
  readonly size: number
  /** Ends everything, and waits until it is over. */
  stop(reason: unknown): Promise<void>
}

/** An empty queue. @param work never throws. */
export const createRunQueue = (
  bounds: { readonly most: number; readonly perOwner: number },
  work: (id: string, signal: AbortSignal) => Promise<void>,
): RunQueue => {
  const waiting = new Map<string, string[]>()
  const running = new Map<string, Running>()
  const waits = new Map<string, PromiseWithResolvers<void>>()
  const again = new Set<string>()
  let stopped = false

  const countOf = (owner: string): number => [...running.values()].filter((it) => it.owner === owner).length

  const start = (id: string, owner: string): void => {
    const controller = new AbortController()
    const over = work(id, controller.signal).then(() => {
      running.delete(id)
      if (again.delete(id) && !stopped) enqueue(id, owner)
      else {
        waits.get(id)?.resolve()
        waits.delete(id)
      }
      pump()
    })
    running.set(id, { id, owner, controller, over })
  }

  const enqueue = (id: string, owner: string): void => {
    const ids = waiting.get(owner) ?? []
    ids.push(id)
    waiting.set(owner, ids)
  }

  /** The owner whose turn it is: who waits longest without one, and has not all that one owner may have. */
  const next = (): readonly [string, string[]] | undefined => {
    for (const it of waiting) if (countOf(it[0]) < bounds.perOwner) return it
    return undefined
  }

  const pump = (): void => {
    while (!stopped && running.size < bounds.most) {
      const found = next()
      if (found === undefined) return
      const [owner, ids] = found
      const id = ids.shift()
      waiting.delete(owner)
      // Behind all others, for its next turn.
      if (ids.length > 0) waiting.set(owner, ids)
      if (id !== undefined) start(id, owner)
    }
  }

  return {
    get size() {
      return waits.size
    },
    add: (id, owner) => {
      if (stopped) return
      if (running.has(id)) again.add(id)
      if (waits.has(id)) return
      waits.set(id, Promise.withResolvers())
      enqueue(id, owner)
      pump()
    },
    abort: (id, reason) => running.get(id)?.controller.abort(reason),
    over: async (id) => waits.get(id)?.promise,
    stop: async (reason) => {
      stopped = true
      const all = [...running.values()]
      for (const { controller } of all) controller.abort(reason)
      await Promise.all(all.map(({ over }) => over))
      for (const it of waits.values()) it.resolve()
      waits.clear()
    },
  }
}
