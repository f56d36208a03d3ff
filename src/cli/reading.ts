import type { ResultOf } from '#api/result-of.ts'
import { confirm } from './confirm.ts'
import { type Io, table } from './io.ts'

/** What a node read of a question in words, and what confirms that. */
type Read = Pick<ResultOf<'compute.auto'>, 'reading' | 'reading_digest'>

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A reading in lines: where it goes, which value went where, what stays at its default. */
export const describeReading = (it: Read['reading']): string => {
  const bound = it.bound.map(({ input, given, value, unit }) => [
    `  ${input}`,
    `${text(value)}${unit === '' || unit === '1' ? '' : ` ${unit}`} (from ${text(given)})`,
  ])
  const settings = it.settings.map((setting) => [
    `  ${setting.input}`,
    `${text(setting.value)} (because of “${setting.because}”)`,
  ])
  const slips = it.corrections.map(({ from, to }) => `“${from}” for “${to}”`)
  const defaults = Object.entries(it.defaults).map(([name, value]) => `${name}=${text(value)}`)
  return table([
    ['I read:', `${it.route}: ${it.title}`],
    ['operators', it.operators.join(', ')],
    ['because of', it.because.join(', ')],
    ...bound,
    ...settings,
    ...(slips.length > 0 ? [['taking', slips.join(', ')]] : []),
    ...(it.unread.length > 0 ? [['not read', it.unread.join(', ')]] : []),
    ...(defaults.length > 0 ? [['defaults', defaults.join(' ')]] : []),
    ...(it.alternatives.length > 0 ? [['or else', it.alternatives.map(({ name }) => name).join(', ')]] : []),
  ])
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
  say(describeReading(read.reading))
  if (io.ask === undefined && !io.yes) {
    io.say('not confirmed: the answer is sealed as one to this reading, not to the question; --yes confirms it')
    return undefined
  }
  await confirm(io, 'Seal this?', signal)
  return read.reading_digest
}
