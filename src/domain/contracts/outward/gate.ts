/** Who calls whom: what calls outward are shared out by. */
export interface Passage {
  /** Who pays: the owner of a machine. */
  readonly owner: string
  /** Host and port that is called. */
  readonly host: string
}

export interface GateBounds {
  /** Calls under way at once. */
  readonly callsMax: number
  readonly perOwnerMax: number
  readonly perHostMax: number
}

interface Waiting {
  readonly host: string
  readonly enter: () => void
}

/**
 * Lets calls outward pass, so many at once, so many of one owner and to one host. Owners take turns: however much one
 * has waiting, another's call is next as soon as there is room.
 */
export const createGate = ({ callsMax, perOwnerMax, perHostMax }: GateBounds) => {
  const waiting = new Map<string, Waiting[]>()
  const owners = new Map<string, number>()
  const hosts = new Map<string, number>()
  let calls = 0

  const shift = (counts: Map<string, number>, name: string, by: 1 | -1): void => {
    const now = (counts.get(name) ?? 0) + by
    if (now === 0) counts.delete(name)
    else counts.set(name, now)
  }
  const move = ({ owner, host }: Passage, by: 1 | -1): void => {
    calls += by
    shift(owners, owner, by)
    shift(hosts, host, by)
  }
  const next = (): Passage | undefined => {
    for (const [owner, line] of waiting) {
      if ((owners.get(owner) ?? 0) >= perOwnerMax) continue
      const at = line.findIndex(({ host }) => (hosts.get(host) ?? 0) < perHostMax)
      const found = line[at]
      if (found === undefined) continue
      line.splice(at, 1)
      // Whoever had a turn goes behind the others.
      waiting.delete(owner)
      if (line.length > 0) waiting.set(owner, line)
      move({ owner, host: found.host }, 1)
      found.enter()
      return { owner, host: found.host }
    }
    return undefined
  }
  const pump = (): void => {
    while (calls < callsMax && next() !== undefined);
  }
  const forget = (owner: string, it: Waiting): void => {
    const left = (waiting.get(owner) ?? []).filter((other) => other !== it)
    if (left.length === 0) waiting.delete(owner)
    else waiting.set(owner, left)
  }

  /** Waits for a place. @returns what gives it back. @throws the signal's reason when it aborts before. */
  const enter = async ({ owner, host }: Passage, signal: AbortSignal): Promise<Disposable> => {
    signal.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const it: Waiting = { host, enter: resolve }
    const leave = (): void => {
      forget(owner, it)
      reject(signal.reason)
    }
    signal.addEventListener('abort', leave, { once: true })
    waiting.set(owner, [...(waiting.get(owner) ?? []), it])
    pump()
    try {
      await promise
    } finally {
      signal.removeEventListener('abort', leave)
    }
    return {
      [Symbol.dispose]: () => {
        move({ owner, host }, -1)
        pump()
      },
    }
  }
  return { enter }
}

export type Gate = ReturnType<typeof createGate>
