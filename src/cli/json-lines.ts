import { pointer } from '#core/input.ts'

const SPACE = /[\s,:]*/y
const STRING = /"(?:[^"\\]|\\.)*"/y
const SCALAR = /[^\s,\]}]+/y

/**
 * The lines of a JSON text on which its values begin, by their JSON pointers.
 *
 * @param text known to be JSON, not nested too deep to be walked.
 * @returns the line, from 1, of what a pointer points to, or of the nearest that it stands in.
 */
export const jsonLines = (text: string): ((at: string) => number) => {
  const lines = new Map<string, number>()
  let index = 0
  let counted = 0
  let line = 1

  const match = (form: RegExp): string => {
    form.lastIndex = index
    const [found = ''] = form.exec(text) ?? []
    index += found.length
    return found
  }
  /** Notes where the next value begins. */
  const note = (at: string): void => {
    match(SPACE)
    for (; counted < index; counted += 1) if (text[counted] === '\n') line += 1
    lines.set(at, line)
  }
  const walk = (at: string): void => {
    note(at)
    const open = text[index]
    if (open === '"') match(STRING)
    else if (open === '[' || open === '{') {
      index += 1
      for (let i = 0; ; i += 1) {
        match(SPACE)
        if (index >= text.length || text[index] === ']' || text[index] === '}') break
        walk(pointer(at, open === '[' ? String(i) : (JSON.parse(match(STRING)) as string)))
      }
      index += 1
    } else match(SCALAR)
  }
  walk('')

  const nearest = (at: string): number => lines.get(at) ?? (at === '' ? 1 : nearest(at.slice(0, at.lastIndexOf('/'))))
  return nearest
}
