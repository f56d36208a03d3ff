import type { ResultOf } from '#api/result-of.ts'
import { confirm } from './confirm.ts'
import type { Io } from './io.ts'
import { namedRows } from './wrap.ts'

/** What a node read of a question in words, and what confirms that. */
type Read = Pick<ResultOf<'compute.auto'>, 'reading' | 'reading_digest'>

type Row = readonly [string, string]

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A reading in lines: where it goes, which value went where, what stays at its default. */
export const describeReading = (it: Read['reading'], columns?: number): string => {
  const bound = it.bound.map(
    ({ input, given, value, unit }): Row => [
      `  ${input}`,
      `${text(value)}${unit === '' || unit === '1' ? '' : ` ${unit}`} (from ${text(given)})`,
    ],
  )
  const settings = it.settings.map(
    (setting): Row => [`  ${setting.input}`, `${text(setting.value)} (because of “${setting.because}”)`],
  )
  const slips = it.corrections.map(({ from, to }) => `“${from}” for “${to}”`)
  const defaults = Object.entries(it.defaults).map(([name, value]) => `${name}=${text(value)}`)
  const rows: readonly Row[] = [
    ['I read:', `${it.route}: ${it.title}`],
    ['operators', it.operators.join(', ')],
    ['because of', it.because.join(', ')],
    ...bound,
    ...settings,
    ['taking', slips.join(', ')],
    ['not read', it.unread.join(', ')],
    ['defaults', defaults.join(' ')],
    ['or else', it.alternatives.map(({ name }) => name).join(', ')],
  ]
  return namedRows(
    rows.filter(([, said]) => said !== ''),
    columns,
  )
}

/**
 * Shows what was read, and asks whether that is meant. Where nobody can be asked the answer is one to the reading, and
 * that is said.
 *
 * @returns what confirms the reading; undefined where it is not confirmed.
 * @throws CliError `NOT_CONFIRMED` (usage) when the person says no.
 */
export const confirmedReading = async (io: Io, read: Read, signal: AbortSignal): Promise<string | undefined> => {
  const asks = io.ask !== undefined && !io.yes
  // What is said yes to is shown, however quiet the call is.
  const say = asks ? io.complain : io.say
  say(describeReading(read.reading, io.columns))
  if (io.ask === undefined && !io.yes) {
    io.say('not confirmed: the answer is sealed as one to this reading, not to the question; --yes confirms it')
    return undefined
  }
  await confirm(io, 'Seal this?', signal)
  return read.reading_digest
}
