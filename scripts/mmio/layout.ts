import { readFileSync } from 'node:fs'
import { controlRegisters, pageRegisters, type Register } from '#core/mmio/table.ts'

/** Bytes of the page up to the end of its last register. */
export const usedBytes = Math.max(...pageRegisters.map(({ offset, width }) => offset + width))

/** Names of bits or values that some registers have in common. */
export interface Naming {
  /** What they are called by: what the names of these registers begin with, or the name of the first. */
  readonly prefix: string
  readonly registers: readonly string[]
  readonly names: readonly string[]
}

const commonStart = ([first = '', ...rest]: readonly string[]): string => {
  const words = first.split('_')
  const shared = words.filter((_, i) => rest.every((it) => it.startsWith(words.slice(0, i + 1).join('_'))))
  return shared.join('_') || first
}

/** The lists of names in both files, each once. */
export const namingsOf = (kind: 'bits' | 'values'): readonly Naming[] => {
  const all = [...pageRegisters, ...controlRegisters].filter((it) => it[kind] !== undefined)
  const groups = Map.groupBy(all, (it) => JSON.stringify(it[kind]))
  return [...groups.values()].map((group) => {
    const registers = group.map(({ name }) => name)
    return { prefix: commonStart(registers), registers, names: group[0]?.[kind] ?? [] }
  })
}

/** What a register is, as a sentence for a comment. */
export const sentenceOf = ({ meaning, unit, values }: Register): string => {
  const numbers = values === undefined ? '' : ` (${values.map((it, i) => `${i} ${it}`).join(', ')})`
  return `${meaning}${numbers}${unit === null || unit === 'bits' ? '' : `; ${unit}`}`
}

/**
 * A template with its marked lines, `@ name` behind the language's comment sign, replaced by the parts of that name.
 *
 * @throws Error for a mark without a part, or a part without a mark.
 */
export const filled = (template: string, parts: Readonly<Record<string, string>>): string => {
  const used = new Set<string>()
  const text = readFileSync(new URL(template, import.meta.url), 'utf8').replaceAll(
    /^(?: \*|\/\*|#)@ (\w+)(?: \*\/)?$/gm,
    (_, name: string) => {
      const part = parts[name]
      if (part === undefined) throw new Error(`${template}: nothing is called ${name}`)
      used.add(name)
      return part
    },
  )
  const left = Object.keys(parts).filter((name) => !used.has(name))
  if (left.length > 0) throw new Error(`${template}: no place for ${left.join(', ')}`)
  return text
}
