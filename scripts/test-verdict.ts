/** How one test file ended. */
export interface Ending {
  /** Path below `test/`. */
  readonly file: string
  readonly output: string
  readonly code: number | null
  readonly signal: string | null
  /** Files that had run in the same process before. */
  readonly before: readonly string[]
  /** How long it took, and of the processor with what it started; the latter is unknown when its process was ended. */
  readonly seconds: number
  readonly cpuSeconds: number | undefined
}

export interface Verdict {
  readonly passed: number
  readonly failed: number
  /** The tests that say they cannot run here, each with its reason. */
  readonly skipped: readonly string[]
  /** Why the file failed, beside what its own output says. */
  readonly reasons: readonly string[]
}

const figure = (name: string, output: string): number | undefined => {
  const found = [...output.matchAll(new RegExp(`^\\s*${name}:\\s+(\\d+)\\s*$`, 'gm'))].at(-1)
  return found === undefined ? undefined : Number(found[1])
}

/**
 * Judges a file by its output and by how its process ended. uvu itself exits with 0 when `run()` was forgotten, and
 * says nothing when the process ends early, so only a total that adds up counts.
 * @param ci whether a skipped test is a failure
 */
export const verdict = ({ output, code, signal, before }: Ending, ci: boolean): Verdict => {
  const skipped = [...output.matchAll(/^SKIP (.+ \(.+\))$/gm)].map(([, text = '']) => text)
  const total = figure('Total', output)
  const passed = figure('Passed', output)
  const left = figure('Skipped', output)
  const others = before.length === 0 ? '' : `; before it in the same process: ${before.join(', ')}`
  if (total === undefined || passed === undefined || left === undefined) {
    const how = signal === null ? `exit code ${code}` : signal
    return { passed: 0, failed: 1, skipped, reasons: [`ended without a verdict (${how})${others}`] }
  }
  const reasons: string[] = []
  if (signal !== null) reasons.push(`ended by ${signal} after its tests: something was left open${others}`)
  else if (code !== 0 && passed === total) reasons.push(`exit code ${code}`)
  if (total + left === 0) reasons.push('no test ran: run() is missing')
  if (left > skipped.length) reasons.push(`${left - skipped.length} tests left out without a name and a reason`)
  if (ci && skipped.length > 0) reasons.push(`${skipped.length} skipped, and in CI nothing may be`)
  const counted = total - passed + (ci ? skipped.length : 0)
  return { passed, failed: Math.max(counted, reasons.length > 0 ? 1 : 0), skipped, reasons }
}

/** The last line of a run, which other programs read. */
export const closingLine = (passed: number, failed: number, skipped: number): string =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
