/*
 * Goal: what takes long of operators, uncertain inputs and earlier rows, is for the threads, with their queue and their
 * ends, and gives the bytes that it gives anywhere; what is quick never waits for a thread.
 * Method: real threads. A thread and a queue that are full refuse every call that needs them and none that does not, so
 * the refusals tell which way a call went; bytes are compared with a run in this thread.
 */
import assert from 'node:assert/strict'
import type { Caller } from '#core/caller.ts'
import type { Claim } from '#core/claim.ts'
import { inputsDigest } from '#core/envelope.ts'
import { publicKeyOf } from '#core/keys.ts'
import { loadHistory, loadRegistry } from '#domain/compute/load-registry.ts'
import { runOperators } from '#domain/compute/operator-run.ts'
import type { Computed, OperatorCall, RequestContext, Sealed } from '#domain/compute/types.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { until } from '../../kit/until.ts'
import { newAccount, refusal } from '../house.ts'
import { asking, type ComputeHouse, openComputeHouse, stateOf, stranger } from './house.ts'
import { trialSolvers } from './trial-solvers.ts'

const test = suite('compute: operators in threads')
/** A thread starts as slowly as a program and reads all rows. */
const MS_MAX = 60_000

const LINEAR: OperatorCall = { operators: ['nm19'], inputs: { m: '5.0 ± 0.1 kg', a: '2.00(5) m/s^2' } }
const DRAWN: OperatorCall = { operators: ['NM23'], inputs: { m: 2, v: '1 ± 1 m/s' } }
const CHAIN: OperatorCall = {
  operators: ['NM26', 'NM23'],
  inputs: { v: { value: 3, uncertainty: 0.1, unit: 'm/s' }, m: 2 },
}
const PLAIN: OperatorCall = { operators: ['NM19'], inputs: { m: 5, a: '2 m/s^2' } }

const sealedOf = (it: Computed): Sealed => {
  assert.equal(it.kind, 'sealed')
  return it as Sealed
}

test(
  'a thread gives every byte that this thread gives: result, digests, and how the inputs were read',
  async () => {
    using dir = tempDir()
    await using house = await openComputeHouse(dir.path)
    const { caller } = await newAccount(house)
    for (const order of [LINEAR, DRAWN, CHAIN, PLAIN]) {
      const here = runOperators(loadRegistry(), order)
      const { output, extras, value, unit, check, evidence } = sealedOf(
        await house.compute.operate(order, asking(caller)),
      )
      const { claim } = evidence
      assert.equal(output, here.output)
      assert.equal(JSON.stringify(extras), JSON.stringify(here.extras))
      assert.deepEqual([value, unit, claim.operators], [here.value, here.unit, here.operators])
      assert.deepEqual([check.against, check.measured], [here.reality?.against, here.reality?.errorPct])
      assert.deepEqual([claim.inputs_digest, claim.result_digest], [here.inputsDigest, here.resultDigest])
      assert.equal(claim.code.solver, here.solver)
    }
  },
  MS_MAX,
)

const workerFile = new URL('./trial-worker.ts', import.meta.url)
const open = (directory: string, queueMax: number) =>
  openComputeHouse(directory, { solvers: trialSolvers, workerFile, options: { threads: 1, queueMax } })

/** Has a run that never ends take the only thread. */
const occupy = async (house: ComputeHouse, caller: Caller): Promise<void> => {
  const begun = await house.compute.solve('slow', {}, asking(caller, { prefer: 'respond-async' }))
  assert.equal(begun.kind, 'accepted')
}

/** A sealed order as a stranger brings it back. */
const broughtBack = ({ evidence: { claim, signature }, extras }: Sealed) => ({
  claim,
  signature,
  inputs: extras['order'] as object,
  origin_public_key: Buffer.from(publicKeyOf(claim.node)).toString('hex'),
})

/** The same claim, said to be made with the first rows there were. */
const earlier = (claim: Claim): Claim => ({
  ...claim,
  code: { ...claim.code, registry: loadHistory().versions()[0]?.version ?? '' },
})

/** A claim whose inputs are not bound: nothing beside the values says that one of them is uncertain. */
const unbound = (claim: Claim) => ({ claim: { ...claim, inputs_digest: inputsDigest({}, DRAWN) }, inputs: DRAWN })

test(
  'while the only thread is taken: NODE_BUSY for each call that needs one, and an answer for each that does not',
  async () => {
    using dir = tempDir()
    await using house = await open(dir.path, 0)
    const { compute } = house
    const { caller, zid } = await newAccount(house)
    const uncertain = broughtBack(sealedOf(await compute.operate(DRAWN, asking(caller))))
    const plain = broughtBack(sealedOf(await compute.operate(PLAIN, asking(caller))))
    const old = { claim: earlier(plain.claim), inputs: plain.inputs }
    assert.equal((await compute.reverify(uncertain, asking(stranger))).verdict.verdict, 'agree')
    assert.equal((await compute.attest(uncertain, asking(stranger))).verdict.verdict, 'agree')
    const agreed = (await compute.reverify(old, asking(stranger))).verdict
    assert.deepEqual([agreed.verdict, agreed.code?.registry], ['agree', old.claim.code.registry], agreed.reason)

    await occupy(house, caller)
    const before = stateOf(house, zid)
    const spoken = (m: string) => ({ query: 'kinetic energy', constants: { m, v: '3 m/s' } })
    const needing: Readonly<Record<string, () => Promise<unknown>>> = {
      linear: () => compute.operate(LINEAR, asking(caller)),
      drawn: () => compute.operate(DRAWN, asking(caller)),
      prove: () => compute.prove(DRAWN, asking(stranger)),
      auto: () => compute.auto(spoken('2.0 ± 0.1 kg'), asking(caller)),
      reverify: () => compute.reverify(uncertain, asking(stranger)),
      attest: () => compute.attest(uncertain, asking(stranger)),
      'earlier rows': () => compute.reverify(old, asking(stranger)),
      'not bound': () => compute.reverify(unbound(plain.claim), asking(stranger)),
    }
    for (const [what, call] of Object.entries(needing)) assert.equal((await refusal(call)).code, 'NODE_BUSY', what)
    assert.deepEqual(stateOf(house, zid), before)

    assert.equal((await compute.quote('compute', DRAWN, asking(stranger))).work, 10)
    assert.equal((await compute.reverify(plain, asking(stranger))).verdict.verdict, 'agree')
    assert.equal((await compute.attest(plain, asking(stranger))).verdict.verdict, 'agree')
    for (const it of [
      await compute.operate(PLAIN, asking(caller)),
      await compute.prove(PLAIN, asking(stranger)),
      await compute.auto(spoken('2 kg'), asking(caller)),
    ]) {
      sealedOf(it)
    }
  },
  MS_MAX,
)

test(
  'one that waits for a thread is left or cancelled: nothing is charged, and its place is free again',
  async (signal) => {
    using dir = tempDir()
    await using house = await open(dir.path, 1)
    const { compute } = house
    const { caller, zid } = await newAccount(house)
    await occupy(house, caller)
    const before = stateOf(house, zid)
    const held = (await house.economy.credits(caller as never)).held
    const waits = () => until(() => compute.load().waiting === 1, signal)
    const given = (more: Partial<RequestContext>): RequestContext => asking(caller, more)

    const client = new AbortController()
    const gone = new Error('gone')
    const left = compute.operate(DRAWN, given({ signal: client.signal })).catch((cause: unknown) => cause)
    await waits()
    client.abort(gone)
    assert.equal(await left, gone)
    await until(() => compute.load().waiting === 0, signal)

    const accepted = await compute.operate(DRAWN, given({ prefer: 'respond-async' }))
    assert.ok(accepted.kind === 'accepted')
    await waits()
    assert.equal((await compute.job(accepted.job.id, caller)).state, 'queued')
    assert.equal((await compute.cancel(accepted.job.id, caller)).state, 'cancelled')
    await until(() => compute.load().waiting === 0, signal)
    assert.deepEqual(stateOf(house, zid), before)
    assert.equal((await house.economy.credits(caller as never)).held, held)
  },
  MS_MAX,
)

test.run()
