/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The call as a command. The key is a variable: a secret does not belong into a text that is copied about. */
export const commandOf = (origin: string, path: string, input: object): string =>
  [
    `curl -sS -X POST ${quoted(`${origin}${path}`)} \\`,
    `  -H "Authorization: Bearer $TICKMESH_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(JSON.stringify(input))}`,
  ].join('\n')
