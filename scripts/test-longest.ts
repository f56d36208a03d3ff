/**
 * The files that take longest, the longest first: they begin first, so that the two workers end together. Their order
 * is that of a full run alone on two cores; a file that is not named comes after these, by its path.
 */
export const longest: readonly string[] = [
  'hostile/credentials.test.ts',
  'hostile/broken.test.ts',
  'numerics/solvers/modes.test.ts',
  'numerics/solvers/modes-fields.test.ts',
  'hostile/bundle-decoder.test.ts',
  'hostile/json-decoders.test.ts',
  'hostile/machine-credentials.test.ts',
  'hostile/note-decoders.test.ts',
  'hostile/archive-decoders.test.ts',
  'domain/compute/solvers.test.ts',
  'cli/jobs.test.ts',
  'cli/verify.test.ts',
  'cli/life.test.ts',
  'cli/backup.test.ts',
  'hostile/chain-decoder.test.ts',
  'routing/routing.test.ts',
  'cli/service.test.ts',
  'domain/compute/reactor-life.test.ts',
]

/** The files in the order in which they begin. */
export const inOrder = (files: readonly string[]): string[] => {
  const place = (file: string): number => {
    const at = longest.indexOf(file.replaceAll('\\', '/'))
    return at === -1 ? longest.length : at
  }
  return [...files].sort((a, b) => place(a) - place(b) || (a < b ? -1 : 1))
}
