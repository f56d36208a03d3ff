import type { FormField, FormGroup } from './schema.ts'

/** What an input is called, its name in the interface, and what else is said of it. */
export interface Label {
  readonly words: string
  readonly name: string
  readonly about: string
}

/** Letters up to which the head of a sentence is a label. */
const WORDS_MAX = 48

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** `stepsPerPeriod` and `t_max` as words. */
const spelled = (name: string): string =>
  name.includes('_') || name.length < 3
    ? name
    : capital(name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))

/** A head that names a thing: it begins like a sentence, and does not lean on what stands before it. */
const NAMING = /^(?!(?:Of|Its|Used|In|As|Left|All|Says|Where|V) )\p{Lu}.*[^=]$/u

/** The head of a description as a label, where it is short and names the thing. */
const headOf = (description: string): readonly [head: string, rest: string] | undefined => {
  const [, head = '', rest = ''] = /^(.+?)(?:[;:,] |\.(?: |$)|$)(.*)$/s.exec(description) ?? []
  return head.length <= WORDS_MAX && NAMING.test(head) ? [head, capital(rest)] : undefined
}

const labelOf = (name: string, description = '', choices: readonly (string | number)[] = []): Label => {
  const head = headOf(description)
  // What begins by explaining its first choice calls the input nothing.
  const [words, about] = head === undefined || choices.includes(head[0]) ? [spelled(name), description] : head
  return { words, name, about }
}

/** The label of an input: what its description calls it, else its name. */
export const fieldLabel = ({ path, schema }: FormField): Label =>
  labelOf(path.slice(path.length > 1 ? 1 : 0).join('.'), schema.description, schema.enum)

/** The label of a group of inputs. */
export const groupLabel = ({ name, about }: FormGroup): Label => labelOf(name, about)
