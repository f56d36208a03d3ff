import { inspect } from 'node:util'
import { suite as uvuSuite } from 'uvu'

/** A test gets a signal that fires when its time is up. */
export type Body = (signal: AbortSignal) => unknown

const MS_MAX = 10_000

/** A limit is there to end a hang, not to judge a speed: beside other work a test may take some times as long. */
const PATIENCE = 3

/**
 * What uvu can print of any thrown value. It reads `details` as text and compares `actual` with `expected` in a way
 * that throws on a bigint, either of which would end the run without a verdict, so it is given a plain error.
 */
const printable = (thrown: unknown): Error => {
  if (!(thrown instanceof Error)) return new Error(`thrown: ${inspect(thrown)}`)
  const { code, details } = thrown as { code?: unknown; details?: unknown }
  const parts = [
    `${thrown.name}${code === undefined ? '' : ` [${code}]`}: ${thrown.message}`,
    details === undefined ? '' : `    details: ${inspect(details, { depth: 4 })}`,
    thrown.cause === undefined ? '' : `    cause: ${inspect(thrown.cause)}`,
  ]
  const error = new Error(parts.filter((it) => it !== '').join('\n'))
  const ours = (line: string): boolean => /^\s+at /.test(line) && !/node_modules\/uvu\/|test\/kit\/suite\.ts/.test(line)
  const frames = (thrown.stack ?? '').split('\n').filter(ours)
  error.stack = `\n${frames.join('\n')}`
  return error
}

/**
 * A named group of tests. `test(title, body, msMax)` adds one, which fails as hung when it takes far longer than the
 * `msMax` milliseconds that it takes at most alone; `test.skip(title, why)` names one that cannot run here;
 * `test.run()` ends the group and is required.
 */
export const suite = (name: string) => {
  const inner = uvuSuite(name)
  const test = (title: string, body: Body, msMax = MS_MAX): void =>
    inner(title, async () => {
      const late = Promise.withResolvers<never>()
      const stop = new AbortController()
      const limit = msMax * PATIENCE
      const timer = setTimeout(() => {
        const reason = new Error(`${title}: over ${limit} ms`)
        stop.abort(reason)
        late.reject(reason)
      }, limit)
      try {
        await Promise.race([Promise.resolve(stop.signal).then(body), late.promise])
      } catch (thrown) {
        throw printable(thrown)
      } finally {
        clearTimeout(timer)
      }
    })
  const skip = (title: string, why: string): void => {
    console.log(`SKIP ${name}: ${title} (${why})`)
    inner.skip(title)
  }
  return Object.assign(test, { run: inner.run, skip })
}
