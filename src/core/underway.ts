/** Work that was begun and not awaited, so that whoever stops can wait for its end. */
export const underway = () => {
  const running = new Set<Promise<void>>()
  return {
    add: (work: Promise<void>): void => {
      running.add(work)
      void work.finally(() => running.delete(work))
    },
    ended: async (): Promise<void> => void (await Promise.allSettled(running)),
  }
}
