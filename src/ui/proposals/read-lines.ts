/** What a person writes of a proposal, a line for each thing, and what is made of it. */

/** A line that cannot be read. */
export class LineWrong extends Error {
  override readonly name = 'LineWrong'
}

const linesOf = (text: string): readonly (readonly [number, string])[] =>
  text
    .split('\n')
    .map((line, i) => [i + 1, line.trim()] as const)
    .filter(([, line]) => line !== '')

const wrong = (what: string, at: number, why: string): never => {
  throw new LineWrong(`${what}, line ${at}: ${why}`)
}

/** `m: mass, kg, positive` a line → the variables of a row. @throws LineWrong */
export const readVariables = (text: string): Readonly<Record<string, object>> =>
  Object.fromEntries(
    linesOf(text).map(([at, line]) => {
      const [, symbol = '', rest = ''] = /^([A-Za-z]\w*)\s*:\s*(.+)$/.exec(line) ?? []
      const [name = '', unit = '', ...flags] = rest.split(',').map((it) => it.trim())
      if (symbol === '' || name === '' || unit === '') wrong('Variables', at, 'write it like m: mass, kg')
      const unknown = flags.find((it) => it !== 'positive' && it !== 'integer')
      if (unknown !== undefined) wrong('Variables', at, `“${unknown}” is neither positive nor integer`)
      return [symbol, { name, unit, ...Object.fromEntries(flags.map((it) => [it, true])) }]
    }),
  )

/** A known value, with what it follows from. */
export interface ReadCase {
  readonly inputs: Readonly<Record<string, number | string>>
  readonly output: string
  readonly value: number
  readonly unit: string
}

const givenOf = (text: string): number | string => {
  const number = Number(text)
  return text !== '' && Number.isFinite(number) ? number : text
}

/** `m = 2, v = 3 m/s -> E = 9 J` a line → reference cases. @throws LineWrong */
export const readCases = (text: string): readonly ReadCase[] =>
  linesOf(text).map(([at, line]) => {
    const [before = '', after = '', ...more] = line.split('->')
    const [, output = '', value = '', unit = '1'] = /^\s*([A-Za-z]\w*)\s*=\s*(\S+)\s*(.*?)\s*$/.exec(after) ?? []
    const number = Number(value)
    const good = output !== '' && more.length === 0 && value !== '' && Number.isFinite(number)
    if (!good) wrong('Known values', at, 'write it like m = 2, v = 3 m/s -> E = 9 J')
    const inputs = before.split(',').map((it): readonly [string, number | string] => {
      const [, symbol = '', given = ''] = /^\s*([A-Za-z]\w*)\s*=\s*(.+?)\s*$/.exec(it) ?? []
      return symbol === '' ? wrong('Known values', at, `“${it.trim()}” is no input`) : [symbol, givenOf(given)]
    })
    return { inputs: Object.fromEntries(inputs), output, value: number, unit: unit === '' ? '1' : unit }
  })
