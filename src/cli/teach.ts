import { slipsOf } from '#core/near-names.ts'
import { globalOptions } from './setting-options.ts'

/** Words of a call that were meant otherwise than they were written, and how they are written. */

/** Global options that a call may begin with, and those of them that are followed by a value. */
const globals = globalOptions.flatMap(({ flags }) => flags.replace(/ <.*/, '').split(', '))
const valued = globalOptions.flatMap(({ flags }) => (flags.includes('<') ? flags.replace(/ <.*/, '').split(', ') : []))

/** Where the first word stands that is no global option; the length of the call where there is none. */
export const firstWord = (words: readonly string[]): number => {
  let at = 0
  while (at < words.length && globals.includes(words[at] ?? '')) at += valued.includes(words[at] ?? '') ? 2 : 1
  return Math.min(at, words.length)
}

/** Words of a question that is written without quotes. */
const LOOSE_WORDS_MIN = 2

const isWord = (word: string): boolean => !word.startsWith('-') && !word.includes('=')

/**
 * A call without a command, read as a question: a text in quotes always, several loose words where a person is asked
 * before anything is done, and where the first of them is no slip of a command.
 *
 * @returns the call of `auto` that it stands for; undefined for what is none.
 */
export const questionCall = (
  words: readonly string[],
  { commands, asks }: { readonly commands: readonly string[]; readonly asks: boolean },
): readonly string[] | undefined => {
  const at = firstWord(words)
  const [first, ...more] = words.slice(at)
  if (first === undefined || first.startsWith('-') || commands.includes(first)) return undefined
  if (/\S\s+\S/.test(first)) return [...words.slice(0, at), 'auto', first, ...more]
  const rest = [first, ...more]
  const end = rest.findIndex((word) => !isWord(word))
  const loose = end === -1 ? rest : rest.slice(0, end)
  if (!asks || loose.length < LOOSE_WORDS_MIN || slipsOf(first, commands).length > 0) return undefined
  return [...words.slice(0, at), 'auto', loose.join(' '), ...rest.slice(loose.length)]
}

/** A word for a shell, in quotes where it needs them. */
export const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/["\\$`]/g, '\\$&')}"`

/** What to write in place of a word that is no command. @param solvers names of solvers */
export const otherCommand = (
  words: readonly string[],
  { commands, solvers }: { readonly commands: readonly string[]; readonly solvers: readonly string[] },
): string => {
  const rest = words.slice(firstWord(words))
  const [first = ''] = rest
  const near = slipsOf(first, commands)
  if (near.length > 0) return `did you mean ${near.join(' or ')}?`
  if (solvers.includes(first)) return `${first} is a solver; write: tickmesh solve ${rest.map(quoted).join(' ')}`
  const end = rest.findIndex((word) => !isWord(word))
  const loose = rest.slice(0, end === -1 ? undefined : end)
  if (loose.length > 1) return `a question stands in quotes: tickmesh "${loose.join(' ').replace(/["\\$`]/g, '')}"`
  return `look it up with: tickmesh operators ${quoted(first)}; \`tickmesh --help\` lists the commands`
}

/** A value that stands behind an option: a number may be negative. */
const isValue = (word: string | undefined): word is string =>
  word !== undefined && (!word.startsWith('-') || /^-\.?\d/.test(word))

/** Inputs that were written as options of a command which takes them as words: `--nx 64` and `--nx=64` are `nx=64`. */
export const asInputs = (words: readonly string[], options: readonly string[]): readonly string[] =>
  words.flatMap((word, i) => {
    const [, name = '', given] = /^--?([A-Za-z][\w.-]*)(?:=(.*))?$/s.exec(word) ?? []
    if (name === '' || options.includes(word.replace(/=.*$/s, ''))) return []
    const value = given ?? (isValue(words[i + 1]) ? words[i + 1] : 'true')
    return [quoted(`${name.replaceAll('-', '_')}=${value}`)]
  })
