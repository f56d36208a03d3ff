import { remembered } from './remembered.ts'

/** What was tried of late, and is not tried again before so many ticks have passed; what is longer ago is forgotten. */
export const createPauses = (ticks: number) => {
  const tried = remembered(ticks, Number.POSITIVE_INFINITY)
  return {
    /** How many are remembered: no more than were tried within the pause. */
    get size() {
      return tried.size
    },
    /** Whether something was tried of late; if it was not, it is now. */
    isSoon: (what: string, meshTick: number): boolean => {
      tried.forget(meshTick)
      if (tried.has(what)) return true
      tried.add(what, meshTick)
      return false
    },
  }
}
