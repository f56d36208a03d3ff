import fc from 'fast-check'

/** Pieces of text that leave a place when they are not escaped. */
const pieces = [
  '<',
  '>',
  '"',
  "'",
  '&',
  '=',
  '/',
  '\\',
  '`',
  '{{a}}',
  '}}',
  '<script>',
  '</script>',
  '-->',
  '<!--',
  ']]>',
  '&lt;',
  '&#34;',
  '" onload="x',
  "' x='",
  '</a>',
  '\n',
  '\r',
  '\t',
  ',',
  ';',
  '+',
  '-',
  '@',
  ' ',
  '\0',
  '\u001b',
  '\u2028',
  '\ud800',
  'é',
  '😀',
  'x',
  '1',
  '\\u0022',
  '__proto__',
  '＝',
  '\ufeff',
] as const

/** Texts made of such pieces and of any others. */
export const evilText = (): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...pieces) }, fc.string({ unit: 'grapheme', maxLength: 4 })),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join(''))

/**
 * The tags of a document of markup with the names of their attributes, read by a reader of its own: a walk sign by sign
 * through the states of the HTML standard that tags, comments, declarations and raw elements need.
 */
export const tagsOf = (text: string): readonly string[] => {
  const found: string[] = []
  let at = 0
  while (at < text.length) {
    if (text[at] !== '<') {
      at++
      continue
    }
    if (text.startsWith('<!--', at)) {
      at = text.indexOf('-->', at) + 3
      found.push('<!-- -->')
    } else if (text.startsWith('<![CDATA[', at)) {
      at = text.indexOf(']]>', at) + 3
      found.push('CDATA')
    } else if (/[!?]/.test(text[at + 1] ?? '')) {
      const end = text.indexOf('>', at)
      found.push(text.slice(at, end))
      at = end
    } else if (/[a-z/]/i.test(text[at + 1] ?? '')) {
      const [tag, end] = oneTag(text, at + 1)
      found.push(tag)
      at = end
      const raw = /^(script|style)(?: |$)/i.exec(tag)?.[1]
      if (raw !== undefined) at = text.toLowerCase().indexOf(`</${raw.toLowerCase()}`, at)
    } else at++
  }
  return found
}

const SPACE = /[\s]/

const oneTag = (text: string, from: number): readonly [tag: string, end: number] => {
  let at = from
  const until = (stop: RegExp): string => {
    const start = at
    while (at < text.length && !stop.test(text[at] as string)) at++
    return text.slice(start, at)
  }
  const slash = text[at] === '/' ? '/' : ''
  at += slash.length
  const parts = [slash + until(/[\s/>]/)]
  for (;;) {
    while (at < text.length && (SPACE.test(text[at] as string) || text[at] === '/')) at++
    if (at >= text.length || text[at] === '>') return [parts.join(' '), at + 1]
    parts.push(until(/[\s/>=]/))
    while (SPACE.test(text[at] ?? '')) at++
    if (text[at] !== '=') continue
    at++
    while (SPACE.test(text[at] ?? '')) at++
    const quote = text[at]
    if (quote === '"' || quote === "'") {
      const end = text.indexOf(quote, at + 1)
      at = end < 0 ? text.length : end + 1
    } else until(/[\s>]/)
  }
}

/** Rows and fields of CSV by RFC 4180. */
export const csvRows = (text: string): readonly (readonly string[])[] => {
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length) {
    let field = ''
    if (text[at] === '"') {
      for (at++; at < text.length; at++) {
        if (text[at] !== '"') field += text[at]
        else if (text[at + 1] === '"') {
          field += '"'
          at++
        } else break
      }
      at++
    } else while (at < text.length && !/[,\r\n]/.test(text[at] as string)) field += text[at++]
    row.push(field)
    if (text[at] === ',') at++
    else {
      at += text.startsWith('\r\n', at) ? 2 : 1
      rows.push(row)
      row = []
    }
  }
  return rows
}
