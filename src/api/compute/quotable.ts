import type { Endpoint } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'
import { fitting } from '#core/schema.ts'
import { autoEndpoints } from './auto.ts'
import { operateEndpoints } from './operate.ts'
import { reactorEndpoints } from './reactor.ts'
import { solverEndpoints, solverRoute } from './solver-endpoints.ts'

/** A call that can be quoted, as the compute service knows it. */
export interface Quotable {
  readonly route: string
  /** `auto`, `compute`, `prove`, or the name of a solver. */
  readonly kind: string
  readonly input: unknown
}

type Computing = Pick<Endpoint, 'id' | 'route' | 'input'>

const pathOf = (route: string): string => route.slice(route.indexOf(' ') + 1)

/** Those whose input is checked here; solvers check theirs themselves. */
const described: readonly Computing[] = [...operateEndpoints, ...autoEndpoints]
const computing: readonly Computing[] = [...described, ...(solverEndpoints as unknown as readonly Computing[])]

/** Where solvers stand: what follows is the name of one, known or not. */
const SOLVERS = pathOf(solverRoute(''))
const SOLVER = /^[a-z]{1,32}$/
const [REACTOR] = reactorEndpoints.map(({ route }) => pathOf(route))

/** Whether a path is that of a reactor, or of what is done with one. */
const isReactor = (path: string): boolean =>
  REACTOR !== undefined && path.startsWith(REACTOR) && /^(?:\/[a-z]+)?$/.test(path.slice(REACTOR.length))

const kindOf = ({ id }: Computing): string => id.slice(id.indexOf('.') + 1)

/** The route that a short name stands for: `heat`, `compute`, `auto`. A route is itself. */
const routeOf = (asked: string): string =>
  SOLVER.test(asked) ? (described.find((it) => kindOf(it) === asked)?.route ?? solverRoute(asked)) : asked

/**
 * What a route computes, from the literal that has it. An unknown name is the compute service's to refuse: it knows
 * which solver may be meant.
 *
 * @throws Fault NOT_FOUND for a route that computes nothing; INVALID_INPUT.
 */
export const quotableOf = (asked: string, input: object): Quotable => {
  const [, method = 'POST', path = ''] = /^(?:([A-Z]+)\s+)?(\/\S*)$/.exec(routeOf(asked.trim())) ?? []
  if (isReactor(path)) {
    const step = `a step costs what its solver does: quote ${solverRoute('{solver}')}.`
    throw new Fault('NOT_FOUND', `Making and reading a reactor costs nothing; ${step}`)
  }
  const route = `${method} ${path}`
  const found = computing.find((it) => it.route === route)
  if (found !== undefined) {
    const kind = kindOf(found)
    return { route, kind, input: described.includes(found) ? fitting(found.input, input) : input }
  }
  const name = path.startsWith(SOLVERS) ? path.slice(SOLVERS.length) : ''
  if (method === 'POST' && SOLVER.test(name)) return { route, kind: name, input }
  throw new Fault('NOT_FOUND', `No computation has the route ${asked.slice(0, 64)}.`)
}
