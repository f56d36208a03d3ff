/** Unknowns by degree. */
export interface DegreeLists {
  readonly enter: (i: number, degree: number) => void
  readonly leave: (i: number) => void
  /** Takes one of the least degree, of equal ones the one that entered last. */
  readonly take: () => number
}

/** Room for n unknowns of degrees below n. */
export const degreeLists = (n: number): DegreeLists => {
  const head = new Int32Array(n + 1).fill(-1)
  const [after, before] = [new Int32Array(n), new Int32Array(n)]
  const at = new Int32Array(n)
  let low = 0
  const enter = (i: number, degree: number): void => {
    at[i] = degree
    after[i] = head[degree]
    before[i] = -1
    if (head[degree] >= 0) before[head[degree]] = i
    head[degree] = i
    if (degree < low) low = degree
  }
  const leave = (i: number): void => {
    if (before[i] >= 0) after[before[i]] = after[i]
    else head[at[i]] = after[i]
    if (after[i] >= 0) before[after[i]] = before[i]
  }
  const take = (): number => {
    while (head[low] < 0) low++
    const i = head[low]
    leave(i)
    return i
  }
  return { enter, leave, take }
}
