import { Fault } from '#core/fault.ts'
import { pow } from '#numerics/math.ts'
import { streamOf } from '#numerics/methods/random.ts'
import { CLAUSES_MAX, type SatInput, VARIABLES_MAX } from './schema.ts'

/** Clauses of literals ±v, v from 1. */
export interface Formula {
  readonly variables: number
  readonly clauses: readonly (readonly number[])[]
}

/** What a search found: an assignment (+v or −v by variable) or none, and everything it learned on the way. */
export interface Found {
  readonly assignment: Int32Array | undefined
  readonly proof: Int32Array
}

/** Different variables in a clause, at most. */
const WIDTH_MAX = 3

/**
 * A formula drawn by seed: each clause has 3 different variables (fewer where there are fewer), each sign by a coin.
 * Words of stream 0 of the seed in order: a variable is 1 + ⌊word·n/2^32⌋, drawn again while the clause has it, and
 * negated when the next word is odd.
 */
export const drawn = (n: number, m: number, seed: number): Formula => {
  const stream = streamOf(seed, 0)
  let place = 0
  const width = Math.min(WIDTH_MAX, n)
  const clauses = Array.from({ length: m }, () => {
    const chosen: number[] = []
    const clause: number[] = []
    while (chosen.length < width) {
      const variable = 1 + Math.floor((stream.word(place++) / 4_294_967_296) * n)
      if (chosen.includes(variable)) continue
      chosen.push(variable)
      clause.push((stream.word(place++) & 1) === 1 ? -variable : variable)
    }
    return clause
  })
  return { variables: n, clauses }
}

const refuse = (line: number, why: string, details: Record<string, unknown> = {}): never => {
  throw new Fault('INVALID_INPUT', `/dimacs, line ${line}: ${why}`, { path: '/dimacs', line, ...details })
}

interface Header {
  readonly variables: number
  readonly clauses: number
}

const headerOf = (text: string, line: number): Header => {
  const match = /^p\s+cnf\s+(\d{1,9})\s+(\d{1,9})\s*$/.exec(text)
  if (match === null) return refuse(line, 'the header is “p cnf variables clauses”.')
  const [variables, clauses] = [Number(match[1]), Number(match[2])]
  if (variables > VARIABLES_MAX) {
    refuse(line, `${variables} variables; ${VARIABLES_MAX} are allowed.`, { measured: variables, limit: VARIABLES_MAX })
  }
  if (clauses > CLAUSES_MAX) {
    refuse(line, `${clauses} clauses; ${CLAUSES_MAX} are allowed.`, { measured: clauses, limit: CLAUSES_MAX })
  }
  return { variables, clauses }
}

/**
 * A formula in DIMACS CNF: comment lines `c`, one header, clauses that end with 0, over any number of lines; a line of
 * a percent sign alone ends it, as in SATLIB.
 *
 * @throws Fault INVALID_INPUT with the line: no header, a literal out of range, a clause of more than 3 different
 * variables or without its 0, or another number of clauses than the header says.
 */
export const parseDimacs = (text: string): Formula => {
  let header: Header | undefined
  const clauses: number[][] = []
  let open: number[] = []
  const lines = text.split(/\r?\n/)
  for (const [at, content] of lines.entries()) {
    const line = at + 1
    const trimmed = content.trim()
    if (trimmed === '%') break
    if (trimmed === '' || trimmed === 'c' || /^c\s/.test(trimmed)) continue
    if (trimmed.startsWith('p')) {
      if (header !== undefined) refuse(line, 'a second header.')
      header = headerOf(trimmed, line)
      continue
    }
    for (const token of trimmed.split(/\s+/)) {
      if (header === undefined) return refuse(line, 'the header “p cnf variables clauses” comes first.')
      if (!/^-?\d{1,9}$/.test(token)) refuse(line, `“${token.slice(0, 20)}” is no literal.`)
      const literal = Number(token)
      if (Math.abs(literal) > header.variables || (literal === 0 && token !== '0')) {
        refuse(line, `literal ${token} is out of range.`, { measured: literal, limit: header.variables })
      }
      if (literal !== 0) {
        open.push(literal)
        const width = new Set(open.map(Math.abs)).size
        if (width > WIDTH_MAX)
          refuse(line, 'a clause has at most 3 different variables.', { measured: width, limit: 3 })
        continue
      }
      clauses.push(open)
      open = []
    }
  }
  const end = lines.length
  if (header === undefined) return refuse(end, 'there is no header “p cnf variables clauses”.')
  const { variables, clauses: wanted } = header
  if (open.length > 0) refuse(end, 'the last clause lacks its 0.')
  if (clauses.length !== wanted) {
    refuse(end, `${clauses.length} clauses instead of ${wanted}.`, { measured: clauses.length, limit: wanted })
  }
  return { variables, clauses }
}

/** Conflicts that hard drawn formulas of 150 variables take, and by how many variables that doubles. */
const CONFLICTS_AT = 2_500
const VARIABLES_AT = 150
const VARIABLES_DOUBLE = 18
/** Conflicts expected of a small formula, and of one in text; and the most, of which four times still fit a proof. */
const CONFLICTS_MIN = 25_000
const CONFLICTS_TEXT = 100_000
const CONFLICTS_MOST = 187_500
/** Clauses per variable below which drawn formulas are satisfied at once: they turn hard near 4.26. */
const EASY_RATIO = 3.5
/** How many times what is expected a search goes on. */
const PATIENCE = 4

/** Conflicts that a formula is expected to take: what it is quoted by where none are asked for. */
export const expectedOf = ({ n, m, dimacs, conflictsMax }: SatInput): number => {
  if (conflictsMax !== undefined) return conflictsMax
  if (dimacs !== undefined) return CONFLICTS_TEXT
  if (m < EASY_RATIO * n) return CONFLICTS_MIN
  const grown = CONFLICTS_AT * pow(2, (n - VARIABLES_AT) / VARIABLES_DOUBLE)
  return Math.ceil(Math.min(CONFLICTS_MOST, Math.max(CONFLICTS_MIN, grown)))
}

/** Conflicts after which a search gives up. */
export const budgetOf = (input: SatInput): number => input.conflictsMax ?? PATIENCE * expectedOf(input)

/** The formula of an input. @throws Fault INVALID_INPUT as {@link parseDimacs}. */
export const formulaOf = ({ dimacs, n, m, seed }: SatInput): Formula =>
  dimacs === undefined ? drawn(n, m, seed) : parseDimacs(dimacs)
