import type { InputOf } from '#api/result-of.ts'
import { BATCH_CALLS_MAX, VARIED_MAX } from '#core/batch/forms.ts'
import { readValue } from './input.ts'
import { usageError } from './problem.ts'

/** One input that is varied, as the node takes it. */
export type VariedInput = NonNullable<InputOf<'compute.batch'>['sweep']>['vary'][number]

const RANGE = /^([^.,:]*(?:\.\d+)?[^.,:]*)\.\.([^,:]+):(\d{1,15})(log|linear)?$/
const EXAMPLE = 'write nx=32..512:5 for five numbers, nx=16..256:5log for factors, or nx=32,64,128'

const numberOf = (name: string, text: string): number => {
  const value = readValue(name, text)
  if (typeof value === 'number') return value
  throw usageError(`--vary ${name}: "${text}" is no number; ${EXAMPLE}`)
}

const oneValue = (name: string, text: string): string | number | boolean => {
  const value = readValue(name, text)
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (text !== '') return text
  throw usageError(`--vary ${name}: a value is missing; ${EXAMPLE}`)
}

/** Whether a word says several values for one input. */
export const isVaried = (word: string): boolean => /^[^=]+=.*(?:\.\.|,)/.test(word)

/**
 * `nx=32..512:5`, `k=16..256:5log` or `k=1,2,3` as an input that is varied.
 *
 * @throws CliError for a word that says none
 */
export const variedInput = (word: string): VariedInput => {
  const at = word.indexOf('=')
  if (at < 1) throw usageError(`--vary takes name=values; ${EXAMPLE}`)
  const [name, said] = [word.slice(0, at), word.slice(at + 1)]
  const [, from, to, points, scale] = RANGE.exec(said) ?? []
  if (from !== undefined && to !== undefined && points !== undefined) {
    const range = { name, from: numberOf(name, from), to: numberOf(name, to), points: Number(points) }
    return scale === 'log' ? { ...range, scale } : range
  }
  if (said.includes('..')) throw usageError(`--vary ${word} is no range; ${EXAMPLE}`)
  return { name, values: said.split(',').map((text) => oneValue(name, text)) }
}

/** Words of `--vary`: those that say several values, and plain inputs among them. @throws CliError */
export const variedInputs = (words: readonly string[]): { vary: readonly VariedInput[]; inputs: readonly string[] } => {
  const vary = words.filter(isVaried).map(variedInput)
  if (vary.length < 1 || vary.length > VARIED_MAX) {
    throw usageError(`--vary takes 1 or ${VARIED_MAX} inputs; ${EXAMPLE}`)
  }
  const count = vary.reduce((product, it) => product * (it.values?.length ?? it.points ?? 1), 1)
  if (count > BATCH_CALLS_MAX) throw usageError(`--vary: that is ${count} runs; ${BATCH_CALLS_MAX} are the most`)
  return { vary, inputs: words.filter((word) => !isVaried(word)) }
}
