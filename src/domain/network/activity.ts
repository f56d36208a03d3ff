/** Ticks that count as recent. */
export const ACTIVE_TICKS = 60

/** How much came in lately, by mesh tick. */
export interface Activity {
  add(meshTick: number): void
  /** How many within the active window that ends at `meshTick`. */
  recent(meshTick: number): number
  /** Mesh tick of the newest, or undefined. */
  last(): number | undefined
}

/** An activity count with nothing in it. */
export const createActivity = (): Activity => {
  /** Mesh tick → count, the newest last; never more than the window has ticks. */
  const counts = new Map<number, number>()
  let newest: number | undefined
  const forget = (meshTick: number): void => {
    for (const tick of counts.keys()) {
      if (meshTick - tick < ACTIVE_TICKS) return
      counts.delete(tick)
    }
  }
  return {
    add: (meshTick) => {
      counts.set(meshTick, (counts.get(meshTick) ?? 0) + 1)
      newest = meshTick
      forget(meshTick)
    },
    recent: (meshTick) => {
      forget(meshTick)
      return [...counts.values()].reduce((sum, count) => sum + count, 0)
    },
    last: () => newest,
  }
}
