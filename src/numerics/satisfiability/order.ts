/** Variables by how often they took part in late conflicts, highest first; equal ones by number. */
export interface Order {
  /** The most active variable that is in the heap, taken out; 0 when it is empty. */
  take(): number
  /** Puts a variable back. */
  add(variable: number): void
  bump(variable: number): void
  /** Makes later bumps weigh more than earlier ones. */
  decay(): void
}

const DECAY = 0.95
/** Activities above this are all scaled down. */
const RESCALE = 1e100

/** A binary heap over variables 1 to n, all in it. */
export const orderOf = (n: number): Order => {
  const activity = new Float64Array(n + 1)
  const heap = Int32Array.from({ length: n }, (_, i) => i + 1)
  const place = new Int32Array(n + 1).fill(-1)
  heap.forEach((variable, i) => {
    place[variable] = i
  })
  let size = n
  let by = 1
  const before = (a: number, b: number): boolean => activity[a] > activity[b] || (activity[a] === activity[b] && a < b)
  const put = (variable: number, at: number): void => {
    heap[at] = variable
    place[variable] = at
  }
  const rise = (from: number): void => {
    const variable = heap[from] as number
    let at = from
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!before(variable, heap[above] as number)) break
      put(heap[above] as number, at)
      at = above
    }
    put(variable, at)
  }
  const sink = (from: number): void => {
    const variable = heap[from] as number
    let at = from
    for (;;) {
      let below = 2 * at + 1
      if (below >= size) break
      if (below + 1 < size && before(heap[below + 1] as number, heap[below] as number)) below++
      if (!before(heap[below] as number, variable)) break
      put(heap[below] as number, at)
      at = below
    }
    put(variable, at)
  }
  return {
    take: () => {
      if (size === 0) return 0
      const top = heap[0] as number
      size--
      place[top] = -1
      if (size > 0) {
        put(heap[size] as number, 0)
        sink(0)
      }
      return top
    },
    add: (variable) => {
      if (place[variable] >= 0) return
      put(variable, size)
      size++
      rise(size - 1)
    },
    bump: (variable) => {
      activity[variable] += by
      if (activity[variable] > RESCALE) {
        for (let v = 1; v <= n; v++) activity[v] /= RESCALE
        by /= RESCALE
      }
      if (place[variable] >= 0) rise(place[variable])
    },
    decay: () => {
      by /= DECAY
    },
  }
}
