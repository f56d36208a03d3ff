import { presenceOn } from '#node/runtime.ts'
import { namedRows, wrapped } from './wrap.ts'

/** What one does first, in that order. */
const first: readonly (readonly [string, string])[] = [
  ['tickmesh start', 'run a node, with its page'],
  ['tickmesh "escape velocity of mars"', 'ask in words'],
  ['tickmesh solve heat', 'run a solver; `tickmesh solvers` has all'],
  ['tickmesh verify heat.json', 'check a receipt, offline'],
  ['tickmesh doctor', 'what is wrong here, and what to do'],
]

/** Columns below which what a command does stands in a line of its own. */
const WIDE = 76
const INDENT = '  '

const commandLines = (columns: number): readonly string[] => {
  if (columns < WIDE) {
    return first.flatMap(([call, about]) => [
      `${INDENT}${call}`,
      ...wrapped(about, columns - 2 * INDENT.length).map((line) => `${INDENT}${INDENT}${line}`),
    ])
  }
  return namedRows(first, columns - INDENT.length)
    .split('\n')
    .map((line) => `${INDENT}${line}`)
}

const nodeLine = (directory: string): string => {
  const there = presenceOn(directory)
  return there.kind === 'running' ? `A node runs here: ${there.runtime.url}` : 'No node runs here yet.'
}

/** What the program says when it is called with no word at all. */
export const overview = (directory: string | undefined, columns: number): string =>
  [
    ...wrapped('tickmesh computes, checks what it computed, and signs what passed.', columns),
    '',
    ...commandLines(columns),
    '',
    ...(directory === undefined ? [] : wrapped(nodeLine(directory), columns)),
    ...wrapped('tickmesh --help lists every command; tickmesh <command> --help has examples.', columns),
  ].join('\n')
