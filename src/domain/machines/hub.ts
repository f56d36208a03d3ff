/** Tells waiting readers that a chain, or the feed over all of them, moved on. */
export interface Hub {
  wake(slug: string): void
  /** Resolves at the next entry of a machine; without a slug, of any. */
  moved(slug?: string): Promise<void>
  /** Tells this of every entry from now on, at once and by its slug. */
  listen(work: (slug: string) => void): void
}

const ANY = ''

/** A hub without readers. It remembers no more names than readers wait for. */
export const createHub = (): Hub => {
  const waiting = new Map<string, PromiseWithResolvers<void>>()
  const listeners: ((slug: string) => void)[] = []
  const release = (name: string): void => {
    waiting.get(name)?.resolve()
    waiting.delete(name)
  }
  return {
    wake: (slug) => {
      release(slug)
      release(ANY)
      for (const work of listeners) work(slug)
    },
    moved: (slug = ANY) => {
      const it = waiting.get(slug) ?? Promise.withResolvers<void>()
      waiting.set(slug, it)
      return it.promise
    },
    listen: (work) => void listeners.push(work),
  }
}
