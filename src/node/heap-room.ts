import { performance } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { meanwhile } from '#core/wait.ts'

/** Between two looks at how busy the node's thread is. */
const LOOK_MS = 777
/** Part of the time that a thread works, above which it is under load. */
const BUSY = 0.4
/** Looks in a row that found load before the heap may grow: a start or one long answer is none. */
const BUSY_LOOKS = 2
/** Looks in a row without load after which the heap is kept small again: about ten seconds. */
const QUIET_LOOKS = 13

/** What the room is decided by, and how it is given. */
export interface HeapPorts {
  /** Part of the time since the last look in which this thread worked, 0 to 1. */
  readonly utilization: () => number
  readonly setFlag: (flag: string) => void
}

/** V8 reads this flag whenever it decides how far a heap may grow before it collects. */
const LEAN = '--optimize-for-size'
const ROOMY = '--no-optimize-for-size'

const ownPorts = (): HeapPorts => {
  let last = performance.eventLoopUtilization()
  return {
    setFlag: setFlagsFromString,
    utilization: () => {
      const now = performance.eventLoopUtilization()
      const { utilization } = performance.eventLoopUtilization(now, last)
      last = now
      return utilization
    },
  }
}

/** Decides, look by look. The heap is lean from the first moment. */
export const createHeapRoom = ({ utilization, setFlag }: HeapPorts = ownPorts()) => {
  let isLean = true
  let [busy, quiet] = [0, 0]
  const become = (lean: boolean): void => {
    isLean = lean
    setFlag(lean ? LEAN : ROOMY)
  }
  become(true)
  return {
    look: (): void => {
      const isBusy = utilization() > BUSY
      busy = isBusy ? busy + 1 : 0
      quiet = isBusy ? 0 : quiet + 1
      if (isLean && busy >= BUSY_LOOKS) become(false)
      else if (!isLean && quiet >= QUIET_LOOKS) become(true)
    },
  }
}

/**
 * Keeps the heaps of this process small at rest, collecting often, and lets them grow under load, where that would cost
 * a call as much again as all its work; `npm run bench -- memory` and `-- sealed` show both. As long as the process
 * lives, which it does not hold up.
 */
export const followHeapRoom = (): void => {
  // Set by hand it stays.
  if (process.execArgv.some((it) => it.replaceAll('_', '-').includes('optimize-for-size'))) return
  meanwhile(LOOK_MS, createHeapRoom().look)
}
