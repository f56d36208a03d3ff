import { claimOf } from '#core/bundle.ts'
import { fromHex, toHex } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import type { Claim, Code } from '#core/claim.ts'
import { claimDigest, envelopeLeaf, equationsDigest, inputsDigest, verifyClaim } from '#core/envelope.ts'
import { Fault } from '#core/fault.ts'
import { assertSoundKey, nodeIdOf, soundKeyOf } from '#core/keys.ts'
import { leafHash } from '#core/merkle.ts'
import { type SignedVerdict, signVerdictWith, type Verdict, type VerdictKind } from '#core/verdict.ts'
import type { Order } from '#numerics/operators/computation.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import { COMPUTE, otherRows, solverOf } from '#numerics/operators/sealed.ts'
import { otherCode } from '#numerics/runtime/by-code.ts'
import { equationsOf } from '#numerics/runtime/equations.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { asSealed } from '#numerics/runtime/segment.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { OPERATORS_WORK, UNCERTAIN_WORK } from './operator-orders.ts'
import { isCertain, operatorTask, runOperators } from './operator-run.ts'
import type { Pool } from './pool.ts'
import { type Computable, isChecked } from './task.ts'
import type { Attestation, ComputePorts, RequestContext, Reverification } from './types.ts'

interface Collaborators {
  /** Today's operator rows; a thread reads those of earlier versions. */
  readonly registry: OperatorRegistry
  readonly solvers: readonly Solver[]
  readonly pool: Pool
  readonly codeFor: (solver: string, kernels: readonly string[]) => Code
}

/** What a re-run found: `recomputed` and `code` are null when nothing could be run. */
interface Finding {
  readonly verdict: Verdict['verdict']
  readonly reason: string
  readonly recomputed: string | null
  readonly code: Code | null
}

const unverifiable = (reason: string, code: Code | null = null): Finding => ({
  verdict: 'unverifiable',
  reason,
  recomputed: null,
  code,
})

/** What of a recomputation is compared with the claim, bit for bit. */
const compared = [
  'result_digest',
  'value',
  'unit',
  'operators',
  'precisionActual',
  'steps',
  'equations_digest',
] as const
type Facts = Pick<Claim, (typeof compared)[number]>

const compare = (claim: Claim, found: Facts | undefined, code: Code): Finding => {
  if (found === undefined) return unverifiable('These inputs have no sealed result.', code)
  const unequal = compared.filter((name) => canonical(claim[name] as Json) !== canonical(found[name] as Json))
  const reason = unequal.length === 0 ? 'Every bit is equal.' : `The recomputation differs in ${unequal.join(', ')}.`
  return { verdict: unequal.length === 0 ? 'agree' : 'disagree', reason, recomputed: found.result_digest, code }
}

/**
 * A refusal of the solver or the gate on the claim's own inputs: the claim cannot have been made from them. Rows that
 * are not here say nothing of it.
 */
const refused = (cause: unknown, own: Code, registry: string): Finding => {
  if (!(cause instanceof Fault) || cause.code === 'NODE_BUSY' || cause.code === 'WORKER_LOST') throw cause
  if (cause.code === 'NOT_FOUND' && 'registry' in cause.details) return unverifiable(cause.message, own)
  const reason = `The recomputation is refused: ${cause.message}`
  return { verdict: 'disagree', reason: reason.slice(0, 1_024), recomputed: null, code: { ...own, registry } }
}

type Ports = Pick<ComputePorts, 'economy' | 'signer' | 'node' | 'store'>

const NOT_GIVEN = 'The inputs are not given, and the claim holds only their digest.'
const NOT_THE_INPUTS = 'The inputs are not those of the claim.'

const inputsFit = (claim: Claim, inputs: unknown): boolean =>
  typeof inputs === 'object' && inputs !== null && inputsDigest({}, inputs) === claim.inputs_digest

/** What of a re-run is compared; undefined when it has nothing that could be sealed. */
const factsOf = (found: Computable, { phase }: Claim): Facts | undefined => {
  if (!isChecked(found)) return undefined
  const { resultDigest, value, unit, operators, steps, reality, field } = found
  const equations = equationsDigest(equationsOf({ S: value, phase, field }))
  const precisionActual = reality.errorPct
  return { result_digest: resultDigest, value, unit, operators, steps, precisionActual, equations_digest: equations }
}

/** Runs claims again; each run is taken from the caller's keyless budget before it begins. */
const createReruns = ({ economy }: Ports, { registry, solvers, pool, codeFor }: Collaborators) => {
  const replayOperators = async (
    claim: Claim,
    inputs: unknown,
    { caller, signal }: RequestContext,
  ): Promise<Finding> => {
    const order = (inputs ?? {}) as Order
    const certain = isCertain(order)
    economy.keyless(caller.bucket, certain ? OPERATORS_WORK : UNCERTAIN_WORK)
    const own = codeFor(solverOf(order), [])
    const version = claim.code.registry
    const code = { ...own, registry: version }
    const other = otherCode(own, claim.code) ?? otherRows({ version }, claim.code)
    // Other bits by other code or constants accuse nobody.
    const excused = (found: Finding, reason: string): Finding =>
      other !== undefined && found.verdict === 'disagree' ? unverifiable(reason, code) : found
    try {
      const found =
        certain && version === registry.version
          ? runOperators(registry, order)
          : await pool.run(operatorTask(version, order), { signal })
      const finding = compare(claim, factsOf(found, claim), code)
      return excused(finding, `${other} ${finding.reason}`)
    } catch (cause) {
      signal.throwIfAborted()
      return excused(refused(cause, own, version), `${other}`)
    }
  }

  const replaySolver = async (claim: Claim, inputs: unknown, { caller, signal }: RequestContext): Promise<Finding> => {
    const today = solvers.find((it) => it.name === claim.kind)
    if (today === undefined) return unverifiable(`There is no solver ${claim.kind} here.`)
    const sealedBy = claim.code.solver
    const solver = asSealed(today, sealedBy)
    const code = codeFor(`${solver.name}@${solver.revision}`, solver.kernels)
    const other = otherCode(code, claim.code)
    if (other !== undefined) return unverifiable(other, code)
    const input = resolveInput(solver, inputs)
    if (inputsDigest(solver.input, input as object) !== claim.inputs_digest) return unverifiable(NOT_THE_INPUTS, code)
    const reads = solver.readsRegistry?.(input) === true
    const version = reads ? claim.code.registry : registry.version
    const tables = reads ? otherRows({ version }, claim.code) : undefined
    if (tables !== undefined) return unverifiable(tables, code)
    economy.keyless(caller.bucket, solver.work(input))
    const earlier = version === registry.version ? {} : { registry: version }
    const task = { name: claim.kind, inputs: input as Json, sealedBy, ...earlier }
    try {
      return compare(claim, factsOf(await pool.run(task, { signal }), claim), { ...code, registry: version })
    } catch (cause) {
      signal.throwIfAborted()
      return refused(cause, code, version)
    }
  }

  return async (claim: Claim, inputs: unknown, asking: RequestContext): Promise<Finding> => {
    if (inputs === undefined || inputs === null) return unverifiable(NOT_GIVEN)
    if (claim.kind !== COMPUTE) return replaySolver(claim, inputs, asking)
    return inputsFit(claim, inputs) ? replayOperators(claim, inputs, asking) : unverifiable(NOT_THE_INPUTS)
  }
}

/** Verdicts of this node on claims of any node: signed, checkable with the public key of `/api/identity`. */
export const createVerdicts = (ports: Ports, parts: Collaborators) => {
  const { signer, node, store } = ports
  const rerun = createReruns(ports, parts)

  const sign = (kind: VerdictKind, claim: Claim, finding: Finding, pinned: boolean): Promise<SignedVerdict> =>
    signVerdictWith(signer, kind, {
      v: 1,
      node: node.id,
      subject: claimDigest(claim),
      claimed_result_digest: claim.result_digest,
      recomputed_result_digest: finding.recomputed,
      verdict: finding.verdict,
      reason: finding.reason,
      code: finding.code,
      signer: pinned ? 'pinned' : 'unknown',
      mesh_tick: store.now().meshTick,
    })

  /** Signed by this node's key, or by an earlier one in the log that it passed on: that key may be in other hands. */
  const isOurs = async (claim: Claim, signature: string): Promise<boolean> => {
    if (claim.node === node.id) return true
    if (!store.eras.some((it) => it.node === claim.node)) return false
    return (await store.findLeaf(toHex(leafHash(envelopeLeaf(claim, signature))))) !== undefined
  }

  return {
    /** Re-runs a claim's result. A signature, when given, must verify under the claim's own node, by a sound key. */
    async reverify(
      { claim: given, signature, inputs }: Reverification,
      asking: RequestContext,
    ): Promise<SignedVerdict> {
      const claim = claimOf(given)
      const signed = signature !== undefined && verifyClaim(soundKeyOf(claim.node), claim, signature)
      if (signature !== undefined && !signed) throw new Fault('BAD_SIGNATURE')
      const pinned = signed && (await isOurs(claim, signature))
      return sign('verdict', claim, await rerun(claim, inputs, asking), pinned)
    },

    /** As reverify, for closed forms alone, and only of a claim that the named key has signed. */
    async attest(request: Attestation, asking: RequestContext): Promise<SignedVerdict> {
      const claim = claimOf(request.claim)
      const publicKey = fromHex(request.origin_public_key)
      assertSoundKey(publicKey)
      if (nodeIdOf(publicKey) !== claim.node || !verifyClaim(publicKey, claim, request.signature)) {
        throw new Fault('BAD_SIGNATURE', 'The claim is not signed by the key that is named as its origin.')
      }
      const finding =
        claim.kind === COMPUTE
          ? await rerun(claim, request.inputs, asking)
          : unverifiable(`${claim.kind} has no closed form; reverify runs it again.`)
      return sign('attestation', claim, finding, await isOurs(claim, request.signature))
    },
  }
}
