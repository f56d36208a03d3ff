/** A text as one word of a POSIX shell; what needs no quotes has none. */
const quoted = (text: string): string => (/^[\w.,:/=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/** The call as a command. The key is a variable: a secret does not belong into a text that is copied about. */
export const curlOf = (origin: string, path: string, input: object): string =>
  [
    `curl -sS -X POST ${quoted(`${origin}${path}`)} \\`,
    `  -H "Authorization: Bearer $TICKMESH_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${quoted(JSON.stringify(input))}`,
  ].join('\n')

/** A value as the command line reads it: a text that would be read as something else is quoted within. */
const valueWord = (value: unknown): string => {
  if (typeof value !== 'string') return JSON.stringify(value)
  return /^[a-z][\w-]*$/i.test(value) && !/^(?:true|false|null)$/.test(value) ? value : JSON.stringify(value)
}

type Leaf = readonly [path: string, value: unknown]

/** The members of an input by their paths; a list is one. */
const leavesOf = (input: object, at = ''): readonly Leaf[] =>
  Object.entries(input).flatMap(([name, value]): readonly Leaf[] => {
    const path = at === '' ? name : `${at}.${name}`
    // An empty object, or one whose names have dots, can be said as a whole alone.
    const isTree = typeof value === 'object' && value !== null && !Array.isArray(value)
    const names = isTree ? Object.keys(value) : []
    return names.length > 0 && names.every((it) => /^\w+$/.test(it)) ? leavesOf(value, path) : [[path, value]]
  })

const wordsOf = (leaves: readonly Leaf[]): readonly string[] =>
  leaves.map(([path, value]) => quoted(`${path}=${valueWord(value)}`))

/** A relation and its inputs, as the form of an operator asks. */
interface RelationOrder {
  readonly operators: readonly string[]
  readonly inputs: Readonly<Record<string, unknown>>
  readonly solve_for?: string
}

const isRelation = (input: object): input is RelationOrder => 'operators' in input && 'inputs' in input

/** The call by the command line, at this node. */
export const tickmeshOf = (origin: string, path: string, input: object): string => {
  const name = path.split('/').at(-1) ?? ''
  const words =
    name === 'compute' && isRelation(input)
      ? [
          'compute',
          input.operators.join(','),
          ...wordsOf(Object.entries(input.inputs)),
          ...(input.solve_for === undefined ? [] : ['--solve-for', quoted(input.solve_for)]),
        ]
      : ['solve', name, ...wordsOf(leavesOf(input))]
  return `TICKMESH_URL=${quoted(origin)} tickmesh ${words.join(' ')}`
}

/** The call by Python's standard library alone. */
export const pythonOf = (origin: string, path: string, input: object): string => {
  const json = JSON.stringify(input)
  // Every escape of JSON is one of Python, so that a text of JSON is one of Python, too; it is only harder to read.
  const body = /['\\]/.test(json) ? JSON.stringify(json) : `'${json}'`
  return [
    'import json, os, urllib.request',
    '',
    'call = urllib.request.Request(',
    `    ${JSON.stringify(`${origin}${path}`)},`,
    `    data=${body}.encode(),`,
    '    headers={',
    `        "Authorization": "Bearer " + os.environ["TICKMESH_KEY"],`,
    '        "Content-Type": "application/json",',
    '    },',
    ')',
    'with urllib.request.urlopen(call) as answer:',
    '    result = json.load(answer)',
    'receipt = result["envelope"]',
    'print(result["value"], result["unit"], "receipt", receipt and receipt["token_id"])',
  ].join('\n')
}
