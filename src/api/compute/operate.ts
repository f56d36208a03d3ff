import Type from 'typebox'
import { type Call, endpoint } from '#api/endpoint.ts'
import { toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import type { FaultCode } from '#core/fault.ts'
import { publicKeyOf } from '#core/keys.ts'
import { OPERATORS_MAX } from '#core/price.ts'
import {
  anything,
  closed,
  closedModel,
  finite,
  hex64,
  model,
  oneOf,
  orNull,
  pair,
  signature,
  text,
} from '#core/schema.ts'
import type { View } from '#core/view.ts'
import type { Sealed, Unsealed } from '#domain/compute/types.ts'
import type { Services } from '#domain/services.ts'
import type { BoundOrder, ProtocolStep } from '#numerics/operators/computation.ts'
import { completeSteps } from '#numerics/operators/steps.ts'
import { ERROR_PCT_MAX } from '#numerics/runtime/solver.ts'
import {
  askingOf,
  type Beside,
  computedAnswer,
  computedResult,
  computeFaults,
  computing,
  orderFaults,
} from './answer.ts'

/** Computation by operators: 1 to 3 of the registry beside KO42. */

/** Ids a call may list: more than can be computed, so that the refusal says why. */
const IDS_LISTED_MAX = 16

/** Entries of `uncertainties`, and variables of one entry. */
const UNCERTAIN_MAX = 64

/** A member of earlier versions that has one value here: any other is refused by its name. */
const only = <const T extends boolean | number>(value: T, description: string) =>
  Type.Optional(Type.Unsafe<T>({ type: typeof value, enum: [value], description }))

/** What a computation by operators takes, called or quoted. */
export const operatorInput = closedModel('OperatorCall', {
  operators: Type.Array(text(64, { minLength: 1 }), {
    minItems: 1,
    maxItems: IDS_LISTED_MAX,
    description: `1 to ${OPERATORS_MAX} operator ids in the order of the chain, in any case; KO42 may be left out.`,
  }),
  inputs: Type.Record(Type.String({ maxLength: 64 }), anything(), {
    description:
      'Symbol, name or alias → a number in the variable’s unit, a text with a unit (`5 km`, `5.0 ± 0.1 km`), or ' +
      '{value, uncertainty, unit}; an uncertainty is one standard deviation.',
  }),
  uncertainties: Type.Optional(
    orNull(
      Type.Array(
        closed({
          of: Type.Array(text(128, { minLength: 1 }), {
            minItems: 1,
            maxItems: UNCERTAIN_MAX,
            description: 'Variables that this one error moves alike: symbol, name or ID.symbol.',
          }),
          standard: finite({ minimum: 0, description: 'Standard uncertainty in SI.' }),
        }),
        { maxItems: UNCERTAIN_MAX },
      ),
      { description: 'Uncertainties beside the values, in SI; what several variables share stands in one entry.' },
    ),
  ),
  solve_for: Type.Optional(orNull(text(64), { description: 'The unknown, when it is not the operator’s own output.' })),
  bracket: Type.Optional(
    orNull(pair('Two values in SI, the lesser first.'), {
      description: 'Where the unknown lies, when several roots exist.',
    }),
  ),
  publish: Type.Optional(
    Type.Boolean({
      description:
        'Whether the envelope stands in the public record, digests only; the account’s default when left out.',
    }),
  ),
  domain: Type.Optional(
    text(64, { minLength: 1, description: 'Domain that one of the operators must be of. It chooses nothing.' }),
  ),
  mode: Type.Optional(
    oneOf(['algebraic', 'strict'], {
      description: 'Of earlier versions: closed forms under the gate, as always here.',
    }),
  ),
  precision: only(ERROR_PCT_MAX / 100, 'Of earlier versions: the bound, as a fraction. It cannot be moved.'),
  proof: only(true, 'Of earlier versions: every result has its proof.'),
  compliance_envelope: only(false, 'Of earlier versions: there is no compliance envelope here.'),
})

const link = Type.Object({
  id: Type.String(),
  output: Type.String(),
  value: finite(),
  unit: Type.String(),
  method: oneOf(['direct', 'isolated', 'root']),
  inputs: Type.Record(Type.String(), finite()),
  constants: Type.Record(Type.String(), finite()),
  fed: orNull(Type.String()),
})

const budgetRow = Type.Object({
  source: Type.String({ description: 'The first variable it moves, or @key of a constant.' }),
  kind: oneOf(['input', 'constant']),
  of: Type.Array(Type.String()),
  name: Type.String(),
  value: orNull(finite()),
  unit: Type.String(),
  standard_uncertainty: finite({ minimum: 0 }),
  sensitivity: orNull(finite(), { description: 'Derivative of the result by this source, SI.' }),
  share: orNull(finite({ minimum: 0 }), { description: 'Part of the linear variance, 0 to 1.' }),
})

const propagated = Type.Object(
  {
    standard_uncertainty: finite({ minimum: 0 }),
    unit: Type.String(),
    method: oneOf(['linear', 'monte-carlo']),
    mean: finite(),
    interval: Type.Object({ coverage: finite(), low: finite(), high: finite() }),
    linear: orNull(finite({ minimum: 0 }), { description: 'Of the linear propagation; null without a derivative.' }),
    doubts: Type.Array(oneOf(['range', 'no-derivative', 'zero-sensitivity', 'curvature']), {
      description: 'Why the linear propagation was not enough.',
    }),
    budget: Type.Array(budgetRow),
    draws: orNull(Type.Object({ count: finite(), refused: finite(), seed: finite() })),
    check: Type.Object({ against: Type.String(), measured: finite({ minimum: 0 }) }),
  },
  {
    description:
      'What the uncertainties of inputs and constants make of the result, under the result digest; there only when ' +
      'an input has one. Not the error of the computation, which precisionActual is.',
  },
)

const operatorObject = model('OperatorObject', {
  id: Type.String(),
  name: Type.String(),
  domain: Type.String(),
  equation: Type.String(),
})

const members = {
  output: Type.Object({ operator: Type.String(), symbol: Type.String(), name: Type.String() }),
  chain: Type.Array(link, { description: 'Each operator evaluated, under the result digest.' }),
  propagated: Type.Optional(propagated),
  branches: Type.Optional(
    Type.Array(
      Type.Object({
        operator: Type.String(),
        symbol: Type.String(),
        taken: finite(),
        unit: Type.String(),
        others: Type.Array(finite()),
      }),
      {
        description:
          'Where a relation has several solutions: the one taken, and the others, which lie outside the range, its ' +
          'principal part, the bracket or a condition. There only where there are others; under no digest.',
      },
    ),
  ),
  result: Type.Object({
    value: finite(),
    unit: Type.String(),
    uncertainty: finite({ minimum: 0 }),
    inputs: Type.Record(Type.String(), finite(), { description: 'In SI, every spelling gone.' }),
    S_t: orNull(finite()),
    R_t: orNull(finite()),
  }),
  uncertainty: finite({ minimum: 0, description: 'Measured error times the size of the value.' }),
  verification: oneOf(['verified', 'unverifiable']),
  verificationDetail: Type.Object({
    computed: finite(),
    source: Type.String(),
    method: Type.String(),
    deviation_pct: finite({ minimum: 0 }),
    within_tolerance: Type.Boolean(),
    tolerance_pct: finite(),
  }),
  operator_id: Type.String({ description: 'The first domain operator.' }),
  mode: Type.String(),
  svcState: Type.Object({
    operators: Type.Array(Type.String()),
    domainOperators: Type.Array(Type.String()),
    operatorObjects: Type.Array(operatorObject),
    domain: Type.String(),
    masterEquation: Type.String(),
    tick: orNull(finite()),
    phase: orNull(finite()),
    precision: finite(),
  }),
  operator_equations: Type.Array(operatorObject),
  master_sum: orNull(anything(), { description: 'Terms of R(t) at the seal.' }),
  protocol_steps: Type.Array(Type.Object({ name: Type.String(), detail: Type.Record(Type.String(), anything()) }), {
    description: 'SELECT, BIND, VALIDATE, COMPUTE, VERIFY, PULSE, RETURN.',
  }),
  bindings: Type.Array(anything(), { description: 'How each variable came to its value.' }),
  constants: Type.Record(Type.String(), anything()),
  signed: orNull(Type.Object({ claim: anything(), signature: signature(), public_key: hex64() })),
  svcProof: orNull(hex64(), { description: 'HMAC of the pulse; only this node can check it.' }),
  _kernelUrl: Type.String(),
} as const
const result = computedResult(members, 'OperatorAnswer')

interface Recorded {
  readonly domain: string
  readonly order: BoundOrder
  readonly bindings: Json
  readonly constants: Json
  readonly operator_objects: readonly { readonly id: string; readonly equation: string }[]
  readonly steps: readonly ProtocolStep[]
  readonly branches?: readonly Json[]
}

const pulseOf = (it: Sealed | Unsealed): Readonly<Record<string, Json>> => {
  if (it.kind === 'unsealed') return { sealed: false, reason: it.reason }
  const { tick, phase, R_t } = it.evidence.tick_receipt
  return { sealed: true, tick, phase, R_t }
}

const signedOf = (it: Sealed | Unsealed): Json => {
  if (it.kind === 'unsealed') return null
  const { claim, signature: hex } = it.evidence
  return { claim: claim as unknown as Json, signature: hex, public_key: toHex(publicKeyOf(claim.node)) }
}

/** The members that earlier versions of such a service had, from what the pipeline recorded and the seal stamped. */
const more: Beside['more'] = (it) => {
  const {
    domain,
    order,
    bindings,
    constants,
    operator_objects: objects,
    steps,
    branches = [],
  } = it.extras as unknown as Recorded
  const deviation = it.check?.measured ?? 0
  const bound = it.check?.bound ?? 0
  const value = it.value ?? 0
  const uncertainty = Math.abs(value) * (deviation / 100)
  const pulse = pulseOf(it)
  const modulation = it.kind === 'sealed' ? (it.evidence.equations as { modulation: Json }).modulation : null
  const { S = null, R = null } = (modulation ?? {}) as { S?: Json; R?: Json }
  const domainOperators = order.operators.slice(1)
  const returned = it.kind === 'sealed' ? { token_id: it.envelope.token_id, price: it.envelope.face_value } : {}
  return {
    result: { value, unit: it.unit, uncertainty, inputs: order.inputs, S_t: S, R_t: R },
    uncertainty,
    verification: 'verified',
    verificationDetail: {
      computed: value,
      source: it.check?.against ?? '',
      method: 'closed-form-reeval',
      deviation_pct: deviation,
      within_tolerance: deviation <= bound,
      tolerance_pct: bound,
    },
    operator_id: domainOperators[0] ?? '',
    mode: order.solve_for === null ? 'algebraic' : 'solve',
    svcState: {
      operators: order.operators,
      domainOperators,
      operatorObjects: objects as unknown as Json,
      domain,
      masterEquation: `M(${domain}) = KO42[${domainOperators.join(' · ')}] · R_t`,
      tick: pulse['tick'] ?? null,
      phase: pulse['phase'] ?? null,
      precision: bound,
    },
    operator_equations: objects as unknown as Json,
    master_sum: modulation,
    protocol_steps: completeSteps(steps, {
      pulse,
      returned: { value, unit: it.unit, ...returned },
    }) as unknown as Json,
    bindings,
    constants,
    ...(branches.length > 0 && { branches }),
    signed: signedOf(it),
    svcProof: it.kind === 'sealed' ? it.evidence.tick_receipt.hmac : null,
    _kernelUrl: '/api/kernel',
  }
}

/** What stands beside a result of operators: value and unit are part of the result itself. */
export const besideOperators: Beside = { own: ['value', 'unit'], more }

/** The part of an input that computes; the rest says what is done here anyway. */
const callOf = ({ mode, precision, proof, compliance_envelope, ...order }: View<typeof operatorInput>) => order

const faults = [
  ...computeFaults,
  ...orderFaults,
  'OUT_OF_RANGE',
  'ILL_POSED',
  'CONSTANT_NOT_FOUND',
] as const satisfies readonly FaultCode[]

/** What both endpoints take and answer. */
const common = {
  domain: 'compute',
  tier: 'computation',
  idempotent: true,
  ...computing,
  input: operatorInput,
  result,
  faults,
  example: { operators: ['KO42', 'GR37'], inputs: { mass: 1.98892e30 } },
} as const

const answered = (way: 'operate' | 'prove') => async (services: Services, call: Call<typeof operatorInput>) => {
  const order = callOf(call.input)
  const computed = await call.once((repeat) => services.compute[way](order, askingOf(call, repeat)))
  return computedAnswer(computed, besideOperators)
}

const compute = endpoint({
  ...common,
  id: 'compute.compute',
  route: 'POST /api/svc/compute',
  access: { credential: 'bearer', reach: { to: 'payer' } },
  summary: 'Evaluates 1 to 3 operators beside KO42, checks the result at 50 digits and seals it.',
  describe: {
    tags: ['Solvers'],
    'x-solver': {
      domain: 'any',
      method: 'parsed relations, solved for the unknown and chained; judged again at 50 digits',
      operators: ['KO42'],
      unit: 'that of the last operator',
    },
  },
  handle: answered('operate'),
})

const prove = endpoint({
  ...common,
  id: 'compute.prove',
  route: 'POST /api/svc/prove',
  access: { credential: 'none' },
  summary: 'As compute, without a key: a work cap and a daily budget per address, minted to the house.',
  handle: answered('prove'),
})

export const operateEndpoints = [compute, prove] as const
