import { controlRegisters, pageRegisters, type Register } from '#core/mmio/table.ts'

/** Between these two lines of a document stands what is made; the rest is written by hand. */
const markers = (name: string): readonly [string, string] => [`<!-- ${name}: made -->`, `<!-- ${name}: end -->`]

const meaningOf = ({ meaning, bits, values }: Register): string => {
  const numbered = values?.map((it, i) => `${i} ${it}`).join(', ')
  return [
    meaning,
    ...(bits === undefined ? [] : [bits.join(', ')]),
    ...(numbered === undefined ? [] : [numbered]),
  ].join(': ')
}

const rowOf = (it: Register): readonly (string | number)[] => {
  return [it.offset, it.width, it.type, it.name, it.view, it.access, it.unit ?? '–', meaningOf(it)]
}

const tableOf = (registers: readonly Register[]): string =>
  [
    '| offset | width | type | name | view | access | unit | meaning |',
    '|---|---|---|---|---|---|---|---|',
    ...registers.map((it) => `| ${rowOf(it).join(' | ')} |`),
  ].join('\n')

const between = (text: string, name: string, part: string): string => {
  const [begin, end] = markers(name)
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`wire/mmio.md: the lines "${begin}" and "${end}" are wanted`)
  return `${text.slice(0, from + begin.length)}\n\n${part}\n\n${text.slice(to)}`
}

/** The page on registers with its two tables made anew. @throws Error where their marks are not there. */
export const pageText = (text: string): string =>
  between(between(text, 'mmio.bin', tableOf(pageRegisters)), 'mmio.ctl', tableOf(controlRegisters))
