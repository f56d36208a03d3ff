/** Signals of many short works that all end with a longer one. */
export interface Brood {
  /** A controller of its own for one work; it aborts with the longer one's reason as well. */
  open(): AbortController
  /** That work is over. Forgetting it costs memory until the longer one ends. */
  close(controller: AbortController): void
}

/**
 * What `AbortSignal.any` does for each of them, at the price of a set: that one keeps weak references both ways, which
 * the collector looks through again and again while calls come by the thousand.
 */
export const broodOf = (parent: AbortSignal): Brood => {
  const live = new Set<AbortController>()
  parent.addEventListener(
    'abort',
    () => {
      for (const it of live) it.abort(parent.reason)
      live.clear()
    },
    { once: true },
  )
  return {
    open: () => {
      const controller = new AbortController()
      if (parent.aborted) controller.abort(parent.reason)
      else live.add(controller)
      return controller
    },
    close: (controller) => void live.delete(controller),
  }
}
