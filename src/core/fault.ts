/**
 * What a refusal is about. `caller`: what was sent, its credential included, and the same call is always refused.
 * `state`: how things stand here, for this caller. `gate`: the result was computed and is not good enough. `commit`:
 * the log takes nothing now, whoever writes. `node`: this node, or another that it needs, cannot do it now.
 */
export type FaultClass = 'caller' | 'state' | 'gate' | 'commit' | 'node'

interface FaultRow {
  readonly status: number
  readonly class: FaultClass
  readonly title: string
  readonly retryable: boolean
}

/**
 * Every refusal the node can give. A row is added behind the last, never moved, renumbered or reused: its place is its
 * number in the register page (protocols/wire/mmio.md).
 * `status` is the HTTP status of the code, one for each; `retryable` says whether the same call may succeed later.
 */
export const faults = {
  INVALID_INPUT: { status: 400, class: 'caller', title: 'The input does not fit the schema.', retryable: false },
  MALFORMED_REQUEST: { status: 400, class: 'caller', title: 'The request is not HTTP/1.1.', retryable: false },
  MALFORMED_JSON: { status: 400, class: 'caller', title: 'The body is not a JSON object.', retryable: false },
  NOT_CANONICAL: {
    status: 400,
    class: 'caller',
    title: 'The document is not in its canonical form.',
    retryable: false,
  },
  EXPANDS_TOO_FAR: { status: 400, class: 'caller', title: 'The data would unfold beyond the limit.', retryable: false },
  DIGEST_MISMATCH: { status: 400, class: 'caller', title: 'The bytes do not have this digest.', retryable: false },
  BAD_SIGNATURE: { status: 400, class: 'caller', title: 'The signature does not verify.', retryable: false },
  BAD_PUBLIC_KEY: {
    status: 400,
    class: 'caller',
    title: 'The public key is not a canonical Ed25519 key of full order.',
    retryable: false,
  },
  UNKNOWN_OPERATOR: { status: 400, class: 'caller', title: 'No operator has this id.', retryable: false },
  OPERATOR_LIMIT_EXCEEDED: {
    status: 400,
    class: 'caller',
    title: 'A computation takes 1 to 3 operators beside KO42.',
    retryable: false,
  },
  CONSENT_REQUIRED: {
    status: 400,
    class: 'caller',
    title: 'The inputs would be read by other nodes, and nobody said yes to that.',
    retryable: false,
  },
  MISSING_INPUTS: { status: 400, class: 'caller', title: 'Inputs are missing.', retryable: false },
  AMBIGUOUS_INPUT: {
    status: 400,
    class: 'caller',
    title: 'An input can be read in more than one way.',
    retryable: false,
  },
  RELATION_REFUSED: {
    status: 400,
    class: 'caller',
    title: 'This operator states a relation that has no value to compute.',
    retryable: false,
  },
  DIMENSION_MISMATCH: { status: 400, class: 'caller', title: 'A unit does not fit its quantity.', retryable: false },
  OUT_OF_RANGE: {
    status: 400,
    class: 'caller',
    title: 'An input is outside the range in which the relation holds.',
    retryable: false,
  },
  UNSTABLE_STEP: {
    status: 400,
    class: 'caller',
    title: 'The step is beyond the stability limit of the scheme.',
    retryable: false,
  },
  ILL_POSED: {
    status: 400,
    class: 'caller',
    title: 'The problem has no well-defined answer as stated.',
    retryable: false,
  },
  WORK_LIMIT_EXCEEDED: {
    status: 400,
    class: 'caller',
    title: 'The problem is larger than this caller may run.',
    retryable: false,
  },
  NOT_STEPPABLE: {
    status: 400,
    class: 'caller',
    title: 'The answer of this solver is no state that a next step can take up.',
    retryable: false,
  },
  INVALID_SLUG: { status: 400, class: 'caller', title: 'This may not be the slug of a machine.', retryable: false },
  UNAUTHENTICATED: { status: 401, class: 'caller', title: 'The credential is missing or invalid.', retryable: false },
  MISSING_HANDSHAKE: {
    status: 401,
    class: 'caller',
    title: 'The header x-node-handshake is missing.',
    retryable: false,
  },
  BAD_HANDSHAKE: { status: 401, class: 'caller', title: 'The handshake does not fit this body.', retryable: false },
  STALE_HANDSHAKE: {
    status: 401,
    class: 'caller',
    title: 'The handshake is outside its window of ticks.',
    retryable: false,
  },
  INSUFFICIENT_BALANCE: {
    status: 402,
    class: 'state',
    title: 'The balance does not cover the price; nothing was charged.',
    retryable: false,
  },
  SCOPE_REQUIRED: { status: 403, class: 'caller', title: 'The credential does not reach this far.', retryable: false },
  ORIGIN_REFUSED: { status: 403, class: 'caller', title: 'This origin may not call the node.', retryable: false },
  NOT_FOUND: { status: 404, class: 'state', title: 'No such record, or none this caller may see.', retryable: false },
  CONSTANT_NOT_FOUND: { status: 404, class: 'caller', title: 'No constant has this key.', retryable: false },
  UNKNOWN_ZID: { status: 404, class: 'state', title: 'No account has this ZID.', retryable: false },
  NO_BLOCK_AT_TICK: { status: 404, class: 'state', title: 'The machine has no entry at this tick.', retryable: false },
  METHOD_NOT_ALLOWED: { status: 405, class: 'caller', title: 'The path does not take this method.', retryable: false },
  NOT_ACCEPTABLE: {
    status: 406,
    class: 'caller',
    title: 'None of the accepted media types can be produced.',
    retryable: false,
  },
  HEADER_TOO_SLOW: { status: 408, class: 'caller', title: 'The header did not arrive in time.', retryable: true },
  BODY_TOO_SLOW: { status: 408, class: 'caller', title: 'The body did not arrive in time.', retryable: true },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    class: 'state',
    title: 'This Idempotency-Key stood for another input.',
    retryable: false,
  },
  IDEMPOTENCY_IN_PROGRESS: {
    status: 409,
    class: 'state',
    title: 'A call with this Idempotency-Key is still running.',
    retryable: true,
  },
  SLUG_TAKEN: { status: 409, class: 'state', title: 'A machine has this slug already.', retryable: false },
  MACHINE_NOT_ACTIVE: { status: 409, class: 'state', title: 'The machine is not active.', retryable: false },
  SOULBOUND: { status: 409, class: 'state', title: 'A soulbound envelope never moves.', retryable: false },
  TOO_FEW: { status: 409, class: 'state', title: 'There are fewer movable envelopes than that.', retryable: false },
  SUPERSEDED: { status: 409, class: 'state', title: 'The token has changed since.', retryable: false },
  OP_EXPIRED: { status: 409, class: 'state', title: 'The op came after the tick it was valid to.', retryable: false },
  ENVELOPE_LOCKED: { status: 409, class: 'state', title: 'The envelope is locked.', retryable: false },
  VOTE_CLOSED: { status: 409, class: 'state', title: 'The proposal is not open for this now.', retryable: false },
  SIDE_FIXED: { status: 409, class: 'state', title: 'The first stake of a ZID fixes its side.', retryable: false },
  TOO_LATE: { status: 409, class: 'state', title: 'It would come too late to count.', retryable: false },
  BOND_TOO_SMALL: { status: 409, class: 'state', title: 'A bond takes 1,000 envelopes.', retryable: false },
  ALREADY_BONDED: { status: 409, class: 'state', title: 'This node has a bond.', retryable: false },
  NOT_BONDED: { status: 409, class: 'state', title: 'This node has no bond that stands.', retryable: false },
  BOND_FULL: { status: 409, class: 'state', title: 'A bond answers for 64 open works at most.', retryable: true },
  JOB_CANCELLED: {
    status: 409,
    class: 'state',
    title: 'The job was cancelled; nothing was charged.',
    retryable: false,
  },
  JOB_FINISHED: { status: 409, class: 'state', title: 'The job is over and cannot be cancelled.', retryable: false },
  REACTOR_BUSY: { status: 409, class: 'state', title: 'A step of this reactor is under way.', retryable: true },
  REACTOR_ENDED: { status: 409, class: 'state', title: 'The reactor takes no more steps.', retryable: false },
  STEP_TAKEN: { status: 409, class: 'state', title: 'The reactor does not stand before this step.', retryable: false },
  NOT_SEALED_YET: {
    status: 409,
    class: 'state',
    title: 'The envelope is promised; its checkpoint follows within a tick.',
    retryable: true,
  },
  NOT_ELIGIBLE: {
    status: 409,
    class: 'state',
    title: 'The daily claim is not open to this account and machine now.',
    retryable: false,
  },
  CHALLENGE_SPENT: { status: 409, class: 'state', title: 'This challenge was answered before.', retryable: false },
  GONE: { status: 410, class: 'state', title: 'This was retired.', retryable: false },
  BODY_TOO_LARGE: { status: 413, class: 'caller', title: 'The body is larger than the limit.', retryable: false },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    class: 'caller',
    title: 'The body must be application/json.',
    retryable: false,
  },
  HOST_REFUSED: {
    status: 421,
    class: 'caller',
    title: 'This node does not answer under that host name.',
    retryable: false,
  },
  PRECISION_NOT_MET: {
    status: 422,
    class: 'gate',
    title: 'The measured error is above 0.1 %; nothing was sealed.',
    retryable: false,
  },
  ENERGY_NOT_CONSERVED: {
    status: 422,
    class: 'gate',
    title: 'The energy drift is above the bound; nothing was sealed.',
    retryable: false,
  },
  DID_NOT_CONVERGE: {
    status: 422,
    class: 'gate',
    title: 'The solver did not converge; nothing was sealed.',
    retryable: false,
  },
  HEADER_TOO_LARGE: { status: 431, class: 'caller', title: 'The header is larger than the limit.', retryable: false },
  RATE_LIMITED: { status: 429, class: 'state', title: 'Too many calls; slow down.', retryable: true },
  DAILY_LIMIT_EXCEEDED: { status: 429, class: 'state', title: 'The budget of this day is spent.', retryable: true },
  CLOCK_BEHIND: {
    status: 503,
    class: 'commit',
    title: "The clock is behind the log's last tick; sealing waits for it.",
    retryable: true,
  },
  LOG_ROLLED_BACK: {
    status: 503,
    class: 'commit',
    title: "This node's key has signed more than its log holds; nothing is sealed.",
    retryable: false,
  },
  LOG_UNCONFIRMED: {
    status: 503,
    class: 'commit',
    title: 'The witnesses are being asked how far this log was; sealing waits for them.',
    retryable: true,
  },
  MESH_SECRET_MISSING: {
    status: 503,
    class: 'node',
    title: 'This node has no mesh secret, so the HTTP mesh entrance is closed.',
    retryable: false,
  },
  HOME_UNREACHABLE: {
    status: 503,
    class: 'node',
    title: 'The home of the token cannot be reached.',
    retryable: true,
  },
  NODE_UNREACHABLE: {
    status: 503,
    class: 'node',
    title: 'The other node is not connected or does not answer.',
    retryable: true,
  },
  NO_WORKER: {
    status: 503,
    class: 'node',
    title: 'No other node takes the job now.',
    retryable: true,
  },
  NODE_BUSY: { status: 503, class: 'node', title: 'The queue of computations is full.', retryable: true },
  WORKER_LOST: {
    status: 503,
    class: 'node',
    title: 'The worker ended before the result; nothing was charged.',
    retryable: true,
  },
  NODE_STOPPING: { status: 503, class: 'node', title: 'The node is stopping.', retryable: true },
  STORE_FAILED: {
    status: 503,
    class: 'node',
    title: 'The disk is full or broken: this node writes nothing more until it is started again.',
    retryable: false,
  },
  CONTRACT_INVALID: { status: 400, class: 'caller', title: 'The definition has faults.', retryable: false },
  TARGET_REFUSED: { status: 400, class: 'caller', title: 'This node does not call that address.', retryable: false },
  SECRET_UNKNOWN: { status: 400, class: 'caller', title: 'The contract has no secret of this name.', retryable: false },
  NO_TRANSITION: {
    status: 409,
    class: 'state',
    title: 'No transition leads out of this state for that.',
    retryable: false,
  },
  GUARD_FALSE: { status: 409, class: 'state', title: 'The guard is false.', retryable: false },
  CONTRACT_FROZEN: { status: 409, class: 'state', title: 'The contract is frozen, for good.', retryable: false },
  CONTRACT_FIRING: { status: 409, class: 'state', title: 'A fire of the contract is under way.', retryable: true },
  VERSION_CONFLICT: { status: 409, class: 'state', title: 'The contract has another version since.', retryable: false },
  NOTHING_TO_SKIP: { status: 409, class: 'state', title: 'No fire is due that could be skipped.', retryable: false },
  BUDGET_SPENT: { status: 409, class: 'state', title: 'The budget of the day is spent.', retryable: false },
  TOKEN_EXISTS: { status: 409, class: 'state', title: 'The machine has its token already.', retryable: false },
  CAPACITY_EXCEEDED: {
    status: 503,
    class: 'node',
    title: 'This node has no room for more of it.',
    retryable: true,
  },
  SUPPLY_EXHAUSTED: {
    status: 409,
    class: 'state',
    title: 'So many units may not come into being any more.',
    retryable: false,
  },
  TX_REPLAYED: { status: 409, class: 'state', title: 'The nonce of this transaction was used.', retryable: false },
  TEMPLATE_INVALID: { status: 400, class: 'caller', title: 'The template has faults.', retryable: false },
  TICK_TAKEN: {
    status: 409,
    class: 'state',
    title: 'The channel does not stand before this tick.',
    retryable: false,
  },
  CHANNEL_CLOSED: { status: 409, class: 'state', title: 'The channel takes no ticks.', retryable: false },
  LINK_EXPIRED: { status: 401, class: 'caller', title: 'The link is over.', retryable: false },
  PUBLIC_KEY_REQUIRED: {
    status: 400,
    class: 'caller',
    title: 'A session of the page has no key to share a secret by.',
    retryable: false,
  },
  UPGRADE_REQUIRED: {
    status: 426,
    class: 'caller',
    title: 'This is a WebSocket: open it as one.',
    retryable: false,
  },
} as const satisfies Readonly<Record<string, FaultRow>>

export type FaultCode = keyof typeof faults

/** All codes, in the order of their rows. */
export const faultCodes: readonly FaultCode[] = Object.keys(faults) as FaultCode[]

/** The codes of a class. */
export type CodeOf<C extends FaultClass> = {
  [K in FaultCode]: (typeof faults)[K]['class'] extends C ? K : never
}[FaultCode]

/** The codes of a class, in the order of the table. */
export const codesOf = <C extends FaultClass>(name: C): readonly CodeOf<C>[] =>
  faultCodes.filter((code): code is CodeOf<C> => faults[code].class === name)

/** A refusal the caller can act on. Any other thrown value is a bug and is answered with a bare 500. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  /** What this kind of refusal is called: that of the table, unless whoever gives it knows better. */
  readonly title: string
  /** Members of the problem document beside the standard ones, e.g. `price`, `measured`, `bound`, `missing`. */
  readonly details: Readonly<Record<string, unknown>>

  /** @param detail a sentence for this occurrence; it may name numbers and limits, never secrets. */
  constructor(
    code: FaultCode,
    detail?: string,
    details: Readonly<Record<string, unknown>> = {},
    { title = faults[code].title }: { readonly title?: string } = {},
  ) {
    super(detail ?? faults[code].title)
    this.code = code
    this.title = title
    this.details = details
  }
}

/** Whether what was thrown is a refusal of one of these classes. */
export const isFaultOf = (cause: unknown, ...classes: readonly FaultClass[]): cause is Fault =>
  cause instanceof Fault && classes.includes(faults[cause.code].class)

/** Whether a failure is of the node, its clock or its log, and of nothing that it was asked for. */
export const isOfNode = (cause: unknown): boolean => isFaultOf(cause, 'node', 'commit')
