import { type Advisory, advisoriesOf } from './advisory.ts'
import { bundleOf } from './bundle.ts'
import { fromHex, toHex } from './bytes.ts'
import { type Checkpoint, openCheckpoint } from './checkpoint.ts'
import { type Bundle, type Claim, ERROR_PCT_MAX } from './claim.ts'
import { envelopeLeaf, equationsDigest, inputsDigest, receiptDigest, resultDigest, verifyClaim } from './envelope.ts'
import { Fault } from './fault.ts'
import { isHex64, isNodeId, tokenIdOf } from './ids.ts'
import { assertSoundKey, nodeIdOf, publicKeyOf, soundKeyOf } from './keys.ts'
import { leafHash, verifyInclusion } from './merkle.ts'
import { ED25519_NOTE, parseVkey, type Verifier, verifierOf } from './note.ts'
import type { Policy } from './policy.ts'
import { price } from './price.ts'
import { questionFault } from './question.ts'
import { assertNamed, type Cosigner, linesBeside, verifyQuorum } from './quorum.ts'
import { answersLine } from './read-back.ts'
import { compareReplay, type Replayed } from './replayed.ts'
import { endOf, isEnd, type ProvenSuccession, type Succession, standsBehind } from './succession.ts'
import { parseTlogProof } from './tlog-proof.ts'
import { Ended, fail, unable } from './verify-ended.ts'
import { type StepName, stepNames, type VerifyStep } from './verify-steps.ts'
import { assuranceFault, assuranceLine, workerFault } from './verify-work.ts'

export { compareReplay, type Replayed } from './replayed.ts'
export { type StepName, stepNames } from './verify-steps.ts'

/** What a verification found. */
export interface Verification {
  /**
   * `failed`: something does not hold. `withdrawn`: nothing fails, but what was sealed is known to be wrong.
   * `unchecked`: nothing was found wrong, but not everything could be looked at.
   */
  readonly outcome: 'verified' | 'failed' | 'withdrawn' | 'unchecked'
  /** The first step that failed; none after it was taken. */
  readonly failing?: StepName
  /** Steps that could not be taken for want of a key, inputs, a result or a solver. */
  readonly unchecked: readonly StepName[]
  readonly steps: readonly VerifyStep[]
  /** What was read; absent when the form does not hold. */
  readonly bundle?: Bundle
  /** The tree head under which the envelope was found. */
  readonly checkpoint?: Checkpoint
  /** Witnesses of the policy that have signed that tree head. */
  readonly cosigners?: readonly Cosigner[]
  /** The known succession that the bundle came too late for: its key counted no more. */
  readonly superseded?: Succession
  /** Of a claim that answers a question in words: what it answers, and whether its reading was confirmed. */
  readonly answers?: string
  /** What is known to be wrong with it; of a bundle without inputs, what may be. */
  readonly advisories: readonly Advisory[]
}

export interface VerifyOptions {
  /** The bundle, parsed or not of its form at all: the first step checks that. */
  readonly bundle: unknown
  /** From outside the bundle: a log's vkey, a raw public key in hex, or a node id. A key inside it proves nothing. */
  readonly trusted?: string
  /** Whose logs count and how many witnesses it takes. `trusted` alone is the policy of that log and `quorum none`. */
  readonly policy?: Policy
  /** Key successions that are known, verified by `successionsOf`: what an old key signed beyond one does not count. */
  readonly successions?: readonly ProvenSuccession[]
  /** Schemas of what ran, for typed arrays; undefined for a solver that is not known here. */
  readonly schemas?: (claim: Claim) => { readonly input: object; readonly output: object } | undefined
  /** What is known to be wrong by now; nothing unless given. */
  readonly advisories?: readonly Advisory[]
  /** Runs the solver again. Left out, that step is skipped and does not count. */
  readonly replay?: (claim: Claim, inputs: object) => Replayed
}

interface Context {
  readonly options: VerifyOptions
  readonly bundle: Bundle
  readonly claim: Claim
  /** The log's key: the pinned one, else the one that the claim names. */
  readonly log: Verifier
  checkpoint?: Checkpoint
  cosigners?: readonly Cosigner[]
  superseded?: Succession
  answers?: string
}

const pinnedOf = (trusted: string): { readonly publicKey: Uint8Array; readonly name?: string } => {
  if (isHex64(trusted)) return { publicKey: fromHex(trusted) }
  if (isNodeId(trusted)) return { publicKey: publicKeyOf(trusted) }
  const { publicKey, name, type } = parseVkey(trusted)
  return type === ED25519_NOTE ? { publicKey, name } : unable('The trusted key is a witness key, not the key of a log.')
}

/** The trusted key, read and checked. A key that cannot be used leaves things unchecked: it accuses no bundle. */
const readPinned = (trusted: string): ReturnType<typeof pinnedOf> => {
  try {
    const pinned = pinnedOf(trusted)
    assertSoundKey(pinned.publicKey)
    return pinned
  } catch (error) {
    if (error instanceof Fault) return unable(`The trusted key cannot be used: ${error.message}`)
    throw error
  }
}

/** Fails what an old key signed beyond its succession, or in a log that did not end by it. */
const checkSuccession = (context: Context): void => {
  const { claim, options } = context
  const succession = endOf(options.successions ?? [], claim.node)?.succession
  if (succession === undefined || (claim.log === succession.origin && claim.index < succession.size)) return
  context.superseded = succession
  const { size, origin, new_node } = succession
  fail(`The key is superseded by ${new_node}: only the first ${size} leaves of ${origin} count.`)
}

const checkKey = (context: Context): string => {
  const { options, claim } = context
  if (claim.log.split('/').at(1) !== claim.node) return fail("The claim's log is not a log of the claim's node.")
  try {
    soundKeyOf(claim.node)
  } catch {
    return fail("The claim's node id does not hold a sound key.")
  }
  checkSuccession(context)
  const { policy } = options
  if (policy !== undefined) assertNamed(policy, context.log)
  if (options.trusted === undefined && policy !== undefined && policy.logs.length > 0) {
    return `The policy names the log ${claim.log}.`
  }
  if (options.trusted === undefined) {
    return unable('No trusted key was given; the key that a receipt names itself proves nothing about who made it.')
  }
  const pinned = readPinned(options.trusted)
  const trustedNode = nodeIdOf(pinned.publicKey)
  if (trustedNode !== claim.node && standsBehind(options.successions ?? [], trustedNode, claim.node)) {
    return `The claim is of ${claim.node}, whose successor ${trustedNode} is trusted.`
  }
  if (trustedNode !== claim.node)
    return fail(`The trusted key is that of ${trustedNode}, the claim is of ${claim.node}.`)
  if (pinned.name !== undefined && pinned.name !== claim.log) {
    return fail(`The trusted log is ${pinned.name}, the claim is of ${claim.log}.`)
  }
  return `The claim is of the trusted node ${claim.node}.`
}

const checkAgreement = ({ claim, bundle }: Context): string => {
  const { tick_receipt: receipt } = bundle.envelope
  const { solver } = claim.code
  if (solver.slice(0, solver.indexOf('@')) !== claim.kind) {
    return fail(`The claim is of kind ${claim.kind}, but its code is that of ${solver}.`)
  }
  if (receipt.tick !== claim.tick || receipt.phase !== claim.phase || claim.phase >= 1) {
    return fail('Receipt and claim are of different ticks or phases.')
  }
  const { value, unit } = receipt.tick_averaged
  if (value !== claim.value || unit !== claim.unit) return fail('Receipt and claim give different values.')
  return `Receipt and claim are of tick ${claim.tick}, phase ${claim.phase}.`
}

const checkPrecision = ({ claim }: Context): string => {
  const { measured, bound } = claim.check
  if (bound !== ERROR_PCT_MAX) return fail(`The bound is ${bound} %, not ${ERROR_PCT_MAX} %.`)
  if (claim.precisionActual !== measured) return fail('precisionActual is not the measured error.')
  return measured <= bound ? `The error measured is ${measured} %.` : fail(`The error measured is ${measured} %.`)
}

const checkPrice = ({ claim }: Context): string => {
  const [kernel, ...rest] = claim.operators
  if (kernel !== 'KO42') return fail('The operators do not begin with KO42.')
  const due = price(rest.length)
  return claim.price === due
    ? `${due} credits.`
    : fail(`The price is ${claim.price}, ${rest.length} operators cost ${due}.`)
}

/** Plain computations hold no typed arrays, so their digests need no schema. */
const schemasOf = ({ options, claim }: Context): { readonly input: object; readonly output: object } | undefined =>
  options.schemas?.(claim) ?? (claim.kind === 'compute' ? { input: {}, output: {} } : undefined)

/**
 * Compares a digest made with the solver's schema. Where the solver is not known here, or the inputs that give an
 * array its shape are missing, no digest accuses the bundle.
 */
const checkDigest = (context: Context, what: string, claimed: string, make: () => string): string => {
  const known = schemasOf(context) !== undefined
  let found: string | undefined
  try {
    found = make()
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    if (known && context.bundle.inputs !== undefined) return fail(`The ${what} have no digest: ${error.message}`)
    return unable(`The digest of the ${what} cannot be made here: ${error.message}`)
  }
  if (found === claimed) return `The ${what} are those of the claim.`
  if (known) return fail(`The ${what} are not those of the claim.`)
  return unable(
    `The solver ${context.claim.code.solver} is not known here, so the digest of the ${what} cannot be made.`,
  )
}

const checkInputs = (context: Context): string => {
  const { inputs } = context.bundle
  if (inputs === undefined) return unable('The bundle carries no inputs.')
  const schema = schemasOf(context)?.input ?? {}
  return checkDigest(context, 'inputs', context.claim.inputs_digest, () => inputsDigest(schema, inputs as object))
}

const checkQuestion = (context: Context): string => {
  const { claim, bundle } = context
  if (claim.v === 1) throw new Ended('unasked', 'The call said itself what was to be computed.')
  const { question } = bundle
  const fault = question === undefined ? undefined : questionFault(claim, question, bundle.inputs)
  if (fault !== undefined) return fail(fault)
  context.answers = answersLine(claim, question)
  return question === undefined ? unable(context.answers) : context.answers
}

const checkResult = (context: Context): string => {
  const { result, inputs } = context.bundle
  if (result === undefined) return unable('The bundle carries no result.')
  const schema = schemasOf(context)?.output ?? {}
  const about = { inputs: (inputs ?? {}) as object, evidence: result.evidence_digest }
  const claimed = context.claim.result_digest
  return checkDigest(context, 'result and evidence', claimed, () =>
    resultDigest(schema, result.output as object, about),
  )
}

const checkWorker = ({ claim, bundle: { work } }: Context): string => {
  if (claim.worker === null) throw new Ended('unasked', 'The node that sealed it computed it itself.')
  const { node } = claim.worker
  if (work === undefined) throw new Ended('unasked', `${node} computed it; the bundle does not carry its word.`)
  const fault = workerFault(claim, work)
  return fault === undefined ? `${node} signed that it computed this result, with this code.` : fail(fault)
}

const checkAssurance = ({ claim, bundle: { work } }: Context): string => {
  if (work === undefined) throw new Ended('unasked', 'The bundle says nothing of what was checked of a work.')
  const fault = assuranceFault(claim, work)
  return fault === undefined ? assuranceLine(work) : fail(fault)
}

const checkCheckpoint = (context: Context): string => {
  const proof = parseTlogProof(context.bundle.proof)
  if (proof.extra !== undefined) return fail('The proof carries extra data, which nothing binds.')
  const { checkpoint } = openCheckpoint(proof.checkpoint, context.log)
  context.checkpoint = checkpoint
  return `The log signed the tree of ${checkpoint.size} leaves.`
}

/** Of a log that ended, only the tree that both keys signed shows what was in it: an old key can sign any other. */
const checkEnd = (context: Context, checkpoint: Checkpoint): void => {
  const end = endOf(context.options.successions ?? [], context.claim.node)
  if (end === undefined || isEnd(end, checkpoint)) return
  const { size, new_node } = end.succession
  if (checkpoint.size >= size) {
    context.superseded = end.succession
    fail(`This is not the tree of ${size} leaves with which the log ended when ${new_node} took its place.`)
  }
  unable(
    `The log ended with ${size} leaves, and a tree of ${checkpoint.size} is not shown to be part of it: ` +
      `ask ${new_node}, its successor, for the bundle as it is now.`,
  )
}

const checkInclusion = (context: Context): string => {
  const { bundle, claim, checkpoint } = context
  if (checkpoint === undefined) return fail('There is no checkpoint.')
  const { index, path } = parseTlogProof(bundle.proof)
  if (index !== claim.index) return fail(`The proof is of leaf ${index}, the claim is leaf ${claim.index}.`)
  const leaf = leafHash(envelopeLeaf(claim, bundle.envelope.signature))
  const included = verifyInclusion({ leafHash: leaf, index, path, size: checkpoint.size, root: checkpoint.root })
  if (!included) return fail('The envelope is not in that tree.')
  checkEnd(context, checkpoint)
  return `Leaf ${index}, hash ${toHex(leaf)}, is in that tree.`
}

const checkQuorum = (context: Context): string => {
  const { policy } = context.options
  const { checkpoint: note } = parseTlogProof(context.bundle.proof)
  if (policy === undefined) {
    throw new Ended(
      'unasked',
      `No policy was given; ${linesBeside(note)} cosignatures stand there, and none was judged.`,
    )
  }
  const { met, cosigners, detail } = verifyQuorum(policy, note, context.log)
  context.cosigners = cosigners
  return met ? detail : fail(detail)
}

const checkReplay = ({ options, bundle, claim }: Context): string => {
  if (options.replay === undefined) throw new Ended('unasked', 'A re-run was not asked for.')
  if (bundle.inputs === undefined) return unable('The bundle carries no inputs to run again.')
  const { state, detail } = compareReplay(bundle, options.replay(claim, bundle.inputs as object))
  if (state === 'failed') return fail(detail)
  return state === 'ok' ? detail : unable(detail)
}

/** Every step but the first, in order. */
const checks: Readonly<Record<Exclude<StepName, 'form'>, (context: Context) => string>> = {
  key: checkKey,
  signature: ({ claim, bundle, log }) =>
    verifyClaim(log.publicKey, claim, bundle.envelope.signature)
      ? 'The claim is signed by its node.'
      : fail('The signature does not fit the claim.'),
  token: ({ claim }) =>
    tokenIdOf(claim.log, claim.index) === claim.token_id
      ? `Token ${claim.token_id}.`
      : fail('The token id is not that of the log and the index.'),
  receipt: ({ claim, bundle }) =>
    receiptDigest(bundle.envelope.tick_receipt) === claim.receipt_digest
      ? 'The tick receipt is that of the claim.'
      : fail('The tick receipt is not that of the claim.'),
  equations: ({ claim, bundle }) =>
    equationsDigest(bundle.envelope.equations) === claim.equations_digest
      ? 'The equations are those of the claim.'
      : fail('The equations are not those of the claim.'),
  agreement: checkAgreement,
  precision: checkPrecision,
  price: checkPrice,
  inputs: checkInputs,
  question: checkQuestion,
  result: checkResult,
  worker: checkWorker,
  assurance: checkAssurance,
  checkpoint: checkCheckpoint,
  inclusion: checkInclusion,
  quorum: checkQuorum,
  replay: checkReplay,
}

const take = (step: StepName, run: () => string): { readonly step: VerifyStep; readonly unable: boolean } => {
  try {
    return { step: { step, state: 'ok', detail: run() }, unable: false }
  } catch (error) {
    if (error instanceof Fault) return { step: { step, state: 'failed', detail: error.message }, unable: false }
    if (!(error instanceof Ended)) throw error
    const state = error.how === 'failed' ? 'failed' : 'skipped'
    return { step: { step, state, detail: error.message }, unable: error.how === 'unable' }
  }
}

const notReached = (from: number): VerifyStep[] =>
  stepNames.slice(from).map((step) => ({ step, state: 'skipped', detail: 'An earlier step failed.' }))

const contextOf = (options: VerifyOptions): Context => {
  const bundle = bundleOf(options.bundle)
  const { claim } = bundle.envelope
  return { options, bundle, claim, log: verifierOf(claim.log, publicKeyOf(claim.node)) }
}

/**
 * Verifies a bundle offline, step by step, and stops at the first step that does not hold. Never throws on a bad
 * bundle or key: what is wrong with the bundle is `failed`, what is missing to check it is `unchecked`.
 */
export const verifyBundle = (options: VerifyOptions): Verification => {
  let context: Context
  try {
    context = contextOf(options)
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    const form: VerifyStep = { step: 'form', state: 'failed', detail: error.message }
    return { outcome: 'failed', failing: 'form', unchecked: [], steps: [form, ...notReached(1)], advisories: [] }
  }
  const steps: VerifyStep[] = [{ step: 'form', state: 'ok', detail: 'A bundle, version 1.' }]
  const unchecked: StepName[] = []
  const { claim, bundle: read } = context
  const known = advisoriesOf(claim, read.inputs, options.advisories ?? [])
  for (const name of stepNames) {
    if (name === 'form') continue
    const taken = take(name, () => checks[name](context))
    steps.push(taken.step)
    if (taken.unable) unchecked.push(name)
    if (taken.step.state !== 'failed') continue
    const all = [...steps, ...notReached(steps.length)]
    const { bundle, superseded, cosigners, answers } = context
    return {
      ...{ outcome: 'failed', failing: name, unchecked, steps: all, bundle, advisories: known },
      ...(superseded !== undefined && { superseded }),
      ...(cosigners !== undefined && { cosigners }),
      ...(answers !== undefined && { answers }),
    }
  }
  const { bundle, checkpoint, cosigners, answers } = context
  // What a revision that came after an advisory gives again, to the bit and measured anew, is not what was found wrong.
  const isGivenAgain = steps.some(({ step, state }) => step === 'replay' && state === 'ok')
  const advisories = isGivenAgain ? known.filter(({ successor }) => successor === null) : known
  const withdrawn = advisories.length > 0 && bundle.inputs !== undefined
  return {
    ...{ outcome: withdrawn ? 'withdrawn' : unchecked.length === 0 ? 'verified' : 'unchecked' },
    ...{ unchecked, steps, bundle, advisories },
    ...(checkpoint !== undefined && { checkpoint }),
    ...(cosigners !== undefined && { cosigners }),
    ...(answers !== undefined && { answers }),
  }
}
