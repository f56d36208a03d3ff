/** Characters compared; longer names are cut, so that the work is bounded. */
const COMPARED_MAX = 40
/** Edits beyond which two names are not alike, as a share of the longer one. */
const UNLIKE_SHARE = 0.6

const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}

/** At most `countMax` of `names` that are spelled like `name`, nearest first, case left aside. */
export const nearestNames = (name: string, names: readonly string[], countMax: number): readonly string[] => {
  const wanted = name.slice(0, COMPARED_MAX).toLowerCase()
  return names
    .map((it) => ({ it, distance: editDistance(wanted, it.slice(0, COMPARED_MAX).toLowerCase()) }))
    .filter(({ it, distance }) => distance <= UNLIKE_SHARE * Math.max(wanted.length, it.length))
    .sort((a, b) => a.distance - b.distance || (a.it < b.it ? -1 : 1))
    .slice(0, countMax)
    .map(({ it }) => it)
}
