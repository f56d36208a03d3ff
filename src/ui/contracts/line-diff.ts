/** One line of a comparison. */
export interface DiffLine {
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

/** Lines of either text that are compared line by line; the rest of longer ones differs as a whole. */
const LINES_MAX = 2_000

/** What changed between two texts, line by line: the longest common lines stay. */
export const lineDiff = (before: string, after: string): readonly DiffLine[] => {
  const [a, b] = [before.split('\n').slice(0, LINES_MAX), after.split('\n').slice(0, LINES_MAX)]
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const same = (text: string): DiffLine => ({ kind: 'same', text })
  return [...a.slice(0, start).map(same), ...middle(x, y), ...a.slice(a.length - end).map(same)]
}

const middle = (x: readonly string[], y: readonly string[]): readonly DiffLine[] => {
  const width = y.length + 1
  // common[i * width + j]: the longest common lines of what follows i in x and j in y.
  const common = new Uint16Array((x.length + 1) * width)
  for (let i = x.length - 1; i >= 0; i -= 1) {
    for (let j = y.length - 1; j >= 0; j -= 1) {
      const skip = Math.max(common[(i + 1) * width + j] ?? 0, common[i * width + j + 1] ?? 0)
      common[i * width + j] = x[i] === y[j] ? (common[(i + 1) * width + j + 1] ?? 0) + 1 : skip
    }
  }
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < x.length || j < y.length) {
    const down = common[(i + 1) * width + j] ?? 0
    const right = common[i * width + j + 1] ?? 0
    if (i < x.length && j < y.length && x[i] === y[j]) {
      lines.push({ kind: 'same', text: x[i] ?? '' })
      i += 1
      j += 1
    } else if (j >= y.length || (i < x.length && down >= right)) {
      lines.push({ kind: 'gone', text: x[i] ?? '' })
      i += 1
    } else {
      lines.push({ kind: 'new', text: y[j] ?? '' })
      j += 1
    }
  }
  return lines
}

/** Lines around a change that are kept. */
const AROUND = 3

/** A comparison with the long runs of unchanged lines left out: undefined stands for one. */
export const folded = (lines: readonly DiffLine[]): readonly (DiffLine | undefined)[] => {
  const near = new Set<number>()
  for (const [i, { kind }] of lines.entries()) {
    if (kind === 'same') continue
    for (let k = i - AROUND; k <= i + AROUND; k += 1) near.add(k)
  }
  return lines.flatMap((line, i) => (near.has(i) ? [line] : near.has(i - 1) ? [undefined] : []))
}
