/**
 * Source text with everything that is not code blanked out, character for character: comments, and what stands inside
 * strings, template texts and regular expressions. Offsets and line numbers stay true, and the quotes themselves stay.
 *
 * @param keepsStrings comments alone are blanked out.
 */
export const codeOf = (text: string, keepsStrings = false): string => {
  const out = Array.from({ length: text.length }, (_, at) => text.charAt(at))
  const blank = (from: number, to: number): void => {
    for (let i = from; i < to; i++) if (out[i] !== '\n') out[i] = ' '
  }
  /** Depth of braces at which each open `${` closes. */
  const templates: number[] = []
  let depth = 0
  let before = ''
  let i = 0
  const to = (end: number, inner: readonly [number, number]): void => {
    if (!keepsStrings) blank(...inner)
    before = text.slice(i, end).trim().at(-1) ?? before
    i = end
  }
  while (i < text.length) {
    const here = text.charAt(i)
    if (text.startsWith('//', i)) {
      const end = endOf(text, '\n', i)
      blank(i, end)
      i = end
    } else if (text.startsWith('/*', i)) {
      const end = Math.min(text.length, endOf(text, '*/', i + 2) + 2)
      blank(i, end)
      i = end
    } else if (here === "'" || here === '"') {
      const end = endOfQuoted(text, i)
      to(end, [i + 1, end - 1])
    } else if (here === '`' || (here === '}' && templates.at(-1) === depth)) {
      if (here === '}') templates.pop()
      const [end, opens] = endOfTemplate(text, i + 1)
      to(end, [i + 1, opens ? end - 2 : end - 1])
      if (opens) {
        templates.push(depth)
        before = '{'
      }
    } else if (here === '/' && beginsRegex(text, i, before)) {
      const end = endOfRegex(text, i)
      to(end, [i + 1, end - 1])
    } else {
      if (here === '{') depth += 1
      if (here === '}') depth -= 1
      if (here.trim() !== '') before = here
      i += 1
    }
  }
  return out.join('')
}

const endOf = (text: string, what: string, from: number): number => {
  const at = text.indexOf(what, from)
  return at === -1 ? text.length : at
}

/** A string ends at its quote, and at the latest with its line: an apostrophe in JSX text is not a string. */
const endOfQuoted = (text: string, from: number): number => {
  const quote = text.charAt(from)
  for (let i = from + 1; i < text.length; i++) {
    if (text.charAt(i) === '\\') i += 1
    else if (text.charAt(i) === quote || text.charAt(i) === '\n') return i + 1
  }
  return text.length
}

const endOfTemplate = (text: string, from: number): readonly [end: number, opens: boolean] => {
  for (let i = from; i < text.length; i++) {
    if (text.charAt(i) === '\\') i += 1
    else if (text.charAt(i) === '`') return [i + 1, false]
    else if (text.startsWith('${', i)) return [i + 2, true]
  }
  return [text.length, false]
}

/** After a value a slash divides; after an operator, an opening bracket or a word like `return` it begins a pattern. */
const beginsRegex = (text: string, at: number, before: string): boolean => {
  if (before === '' || '(,=:[!&|?{;+-*%~^>'.includes(before)) return text.charAt(at + 1) !== '>'
  return /\b(?:return|typeof|case|in|of|do|else|void)\s*$/.test(text.slice(Math.max(0, at - 12), at))
}

const endOfRegex = (text: string, from: number): number => {
  let inClass = false
  for (let i = from + 1; i < text.length; i++) {
    const here = text.charAt(i)
    if (here === '\\') i += 1
    else if (here === '[') inClass = true
    else if (here === ']') inClass = false
    else if ((here === '/' && !inClass) || here === '\n') return i + 1
  }
  return text.length
}

/** One import or re-export of a module. */
export interface Import {
  readonly line: number
  readonly from: string
  /** Whether nothing of it is left when the program runs. */
  readonly typeOnly: boolean
  /** Whether it is not imported but opened by its address, as a thread or a process. */
  readonly opened: boolean
}

const STATEMENTS = [
  /\b(?:import|export)\s+(?<type>type\s+)?(?<names>[\w$*{},\s]*?)\s*\bfrom\s*['"]/g,
  /\bimport\s*\(?\s*['"]/g,
  /\bnew URL\(\s*['"]/g,
]

/** Every module a source names: imports, re-exports, `import('…')`, and programs it opens by `new URL('./….ts', …)`. */
export const importsOf = (text: string, code = codeOf(text)): readonly Import[] =>
  STATEMENTS.flatMap((statement) => [...code.matchAll(statement)])
    .map((found) => {
      const { type, names = '' } = found.groups ?? {}
      const start = found.index + found[0].length
      const from = text.slice(start, endOfQuoted(text, start - 1) - 1)
      const listed = names
        .replace(/^\s*\{|\}\s*$/g, '')
        .split(',')
        .filter((it) => it.trim() !== '')
      const allTypes = listed.length > 0 && listed.every((it) => /^\s*type\s/.test(it))
      const typeOnly = type !== undefined || allTypes
      return { line: lineAt(text, found.index), from, typeOnly, opened: found[0].startsWith('new') }
    })
    .filter(({ opened, from }) => !opened || /\.tsx?$/.test(from))

/** The line an offset lies in, from 1. */
export const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
