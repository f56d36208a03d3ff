/** Columns below which a text is not broken any further: a word or two must fit. */
const TEXT_COLUMNS_MIN = 16

/** A text in lines of at most so many characters, broken between words; a longer word, an address, stays whole. */
export const wrapped = (text: string, columns: number): readonly string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length <= columns || line === '') {
      line = longer
      continue
    }
    lines.push(line)
    line = word
  }
  return [...lines, line]
}

/** Rows of a name and a text; where the columns of a terminal are known, a long text goes on below its beginning. */
export const namedRows = (rows: readonly (readonly [string, string])[], columns: number | undefined): string => {
  const width = Math.max(0, ...rows.map(([name]) => name.length)) + 2
  const room = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(TEXT_COLUMNS_MIN, columns - width)
  return rows
    .flatMap(([name, text]) => wrapped(text, room).map((line, i) => `${(i === 0 ? name : '').padEnd(width)}${line}`))
    .join('\n')
}
