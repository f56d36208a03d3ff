/** Variables by how often they took part in late conflicts, highest first; equal ones by number. */
export interface Order {
  /** The most active variable that is in the heap, taken out; −1 when it is empty. */
  take(): number
  /** Puts a variable back. */
  add(variable: number): void
  bump(variable: number): void
  /** Makes later bumps weigh more than earlier ones. */
  decay(): void
}

const DECAY = 0.99
/** Activities above this are all scaled down. */
const RESCALE = 1e100

/** A binary heap over variables 0 to n − 1, all in it. */
export const orderOf = (n: number): Order => {
  const activity = new Float64Array(n)
  const heap = Int32Array.from({ length: n }, (_, i) => i)
  const place = Int32Array.from({ length: n }, (_, i) => i)
  let size = n
  let by = 1
  const rise = (from: number): void => {
    const variable = heap[from] as number
    const own = activity[variable] as number
    let at = from
    while (at > 0) {
      const up = (at - 1) >> 1
      const above = heap[up] as number
      const its = activity[above] as number
      if (!(own > its || (own === its && variable < above))) break
      heap[at] = above
      place[above] = at
      at = up
    }
    heap[at] = variable
    place[variable] = at
  }
  const sink = (): void => {
    const variable = heap[0] as number
    const own = activity[variable] as number
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= size) break
      let child = heap[below] as number
      let its = activity[child] as number
      if (below + 1 < size) {
        const other = heap[below + 1] as number
        const theirs = activity[other] as number
        if (theirs > its || (theirs === its && other < child)) {
          below++
          child = other
          its = theirs
        }
      }
      if (!(its > own || (its === own && child < variable))) break
      heap[at] = child
      place[child] = at
      at = below
    }
    heap[at] = variable
    place[variable] = at
  }
  return {
    take: () => {
      if (size === 0) return -1
      const top = heap[0] as number
      size--
      place[top] = -1
      if (size > 0) {
        heap[0] = heap[size] as number
        sink()
      }
      return top
    },
    add: (variable) => {
      if ((place[variable] as number) >= 0) return
      heap[size] = variable
      rise(size++)
    },
    bump: (variable) => {
      activity[variable] += by
      if ((activity[variable] as number) > RESCALE) {
        for (let v = 0; v < n; v++) activity[v] /= RESCALE
        by /= RESCALE
      }
      if ((place[variable] as number) >= 0) rise(place[variable] as number)
    },
    decay: () => {
      by /= DECAY
    },
  }
}
