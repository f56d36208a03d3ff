/** Files that share a process, at most: what one of them breaks, and what they keep in memory, has an end. */
const FILES_MAX = 24

/** The folders that take longest, the longest first: they begin first, so that the two workers end together. */
export const longest: readonly string[] = [
  'numerics/solvers',
  'hostile',
  'ui',
  'cli',
  'numerics/operators',
  'domain/compute',
  'api/compute',
  'mesh',
  'store',
]

/** The folder that a file is batched by: what lies together needs the same, a node, a browser or neither. */
const folderOf = (file: string): string => file.replaceAll('\\', '/').split('/').slice(0, -1).slice(0, 2).join('/')

const place = (folder: string): number => {
  const at = longest.indexOf(folder)
  return at === -1 ? longest.length : at
}

/** Parts files into those that share a process, in the order in which they begin. */
export const batchesOf = (files: readonly string[]): string[][] => {
  const folders = Map.groupBy(files.toSorted(), folderOf)
  return [...folders]
    .sort(([a], [b]) => place(a) - place(b) || (a < b ? -1 : 1))
    .flatMap(([, all]) => {
      const count = Math.ceil(all.length / FILES_MAX)
      const size = Math.ceil(all.length / count)
      return Array.from({ length: count }, (_, i) => all.slice(i * size, (i + 1) * size))
    })
}
