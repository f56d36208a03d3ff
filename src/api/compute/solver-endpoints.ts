import type { TObject, TProperties } from 'typebox'
import type { Access } from '#api/access.ts'
import { type Endpoint, endpoint } from '#api/endpoint.ts'
import { assert } from '#core/assert.ts'
import { Fault } from '#core/fault.ts'
import type { Picture, Sealed, Unsealed } from '#domain/compute/types.ts'
import type { receiptMembers } from '#domain/compute/views/receipt.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { solvers, type solverTable } from '#numerics/solvers/index.ts'
import {
  askingOf,
  computedAnswer,
  computedResult,
  computeFaults,
  computing,
  orderFaults,
  reservedMembers,
  sealHeaders,
  solvingFaults,
} from './answer.ts'
import { pictureAnswer, pictureQuery, pictureTypes, wantedOf } from './picture.ts'

const accessOf = ({ keyless }: Solver): Access => ({
  credential: keyless === true ? 'optional' : 'bearer',
  reach: { to: 'payer' },
})

/** What the machine-readable description says of a solver. */
export const solverMetadata = (solver: Solver) => ({
  domain: solver.domain,
  method: solver.method,
  operators: ['KO42', ...solver.operators],
  unit: solver.unit,
  revision: solver.revision,
})

/** What a solver that reads the operator rows refuses beside that. */
const rowRefusals = [...orderFaults, 'CONSTANT_NOT_FOUND'] as const

type Table = typeof solverTable

/** Names of the solvers. */
export type SolverName = keyof Table

/** The answer of one solver: its output and the receipt. */
type AnswerOf<N extends SolverName> =
  Table[N]['output'] extends TObject<infer P extends TProperties> ? TObject<P & typeof receiptMembers> : never

/** The endpoint of a solver as the type checker knows it, one for each name. */
export type SolverEndpoint = {
  [N in SolverName]: Endpoint<`compute.${N}`, Table[N]['input'], AnswerOf<N>, `POST /api/svc/${N}`>
}[SolverName]

/** The picture of a paid result; where it cannot be drawn the refusal says what was sealed, so that nothing is lost. */
const pictureOf = async (drawing: Promise<Picture>, computed: Sealed | Unsealed) => {
  if (computed.kind === 'unsealed') return pictureAnswer(await drawing)
  try {
    return pictureAnswer(await drawing, sealHeaders(computed))
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    const { token_id } = computed.envelope
    throw new Fault(cause.code, `${cause.message} The result is sealed as ${token_id}.`, { ...cause.details, token_id })
  }
}

/** The route of a solver. */
export const solverRoute = <N extends string>(name: N) => `POST /api/svc/${name}` as const

/** The endpoint of one solver: everything in it follows from the solver's literal. */
export const solverEndpoint = (solver: Solver): Endpoint<`compute.${string}`> => {
  const own = Object.keys(solver.output.properties)
  const taken = own.find((name) => reservedMembers.includes(name))
  assert(taken === undefined, `${solver.name} names a member of its output ${taken}, which the receipt needs`)
  const definition: Endpoint<`compute.${string}`> = {
    id: `compute.${solver.name}`,
    route: solverRoute(solver.name),
    domain: 'compute',
    tier: 'computation',
    access: accessOf(solver),
    ...computing,
    idempotent: true,
    summary: `${solver.title}: ${solver.summary}`,
    input: solver.input as TObject,
    query: pictureQuery,
    result: computedResult(solver.output.properties),
    produces: pictureTypes,
    faults: [
      ...computeFaults,
      ...solvingFaults,
      'NOT_FOUND',
      'CONSENT_REQUIRED',
      ...(solver.readsRegistry === undefined ? [] : rowRefusals),
    ],
    example: {},
    describe: { tags: ['Solvers'], 'x-solver': solverMetadata(solver) },
    async handle(services, call) {
      const { compute } = services
      const wanted = wantedOf(call.query, call.signal)
      const computed = await call.once((repeat) => compute.solve(solver.name, call.input, askingOf(call, repeat)))
      if (wanted === undefined || computed.kind === 'accepted') return computedAnswer(computed)
      return pictureOf(compute.picture(solver.name, call.input, computed, wanted), computed)
    },
  }
  return endpoint(definition)
}

/** One endpoint for every solver, in the order of their registry. */
export const solverEndpoints = solvers.map(solverEndpoint) as unknown as readonly SolverEndpoint[]
