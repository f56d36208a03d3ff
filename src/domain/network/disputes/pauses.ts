/** What was tried of late, and is not tried again before so many ticks have passed; what is longer ago is forgotten. */
export const createPauses = (ticks: number) => {
  /** When each was tried last, in mesh ticks; the one that was tried first stands first. */
  const tried = new Map<string, number>()
  return {
    /** How many are remembered: no more than were tried within the pause. */
    get size() {
      return tried.size
    },
    /** Whether something was tried of late; if it was not, it is now. */
    isSoon: (what: string, meshTick: number): boolean => {
      for (const [other, at] of tried) {
        if (meshTick - at < ticks) break
        tried.delete(other)
      }
      if (tried.has(what)) return true
      tried.set(what, meshTick)
      return false
    },
  }
}
