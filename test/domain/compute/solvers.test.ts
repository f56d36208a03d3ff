/*
 * Goal: the node's own solvers seal their default case through the gate, a verifier elsewhere finds the same bits, and
 * a solver that went wrong is refused.
 * Method: real solvers in real workers; bundles are replayed by the code a page or another node has; one worker runs
 * heat with a wrong coefficient.
 */
import assert from 'node:assert/strict'
import type { Bundle, Claim } from '#core/claim.ts'
import { verifyBundle } from '#core/verify.ts'
import { loadRegistry } from '#domain/compute/load-registry.ts'
import { replay } from '#numerics/runtime/replay.ts'
import { solverByName, solvers } from '#numerics/solvers/index.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { newAccount, refusal } from '../house.ts'
import { asking, openComputeHouse, stateOf, stranger } from './house.ts'

const test = suite('compute: solvers through the gate')

const MS_MAX = 60_000

for (const { name } of solvers) {
  test(
    `${name} with {} seals, and its bundle is replayed bit for bit elsewhere`,
    async () => {
      using dir = tempDir()
      // A run of a node's thread; the verifier's is its own.
      await using house = await openComputeHouse(dir.path, { keptRuns: true })
      const { caller } = await newAccount(house)
      const it = await house.compute.solve(name, {}, asking(caller))
      assert.ok(it.kind === 'sealed')
      house.clock.advanceTicks(1)
      await house.store.closeTick()
      const bundle = await house.compute.bundle(it.envelope.token_id, caller)
      const found = verifyBundle({
        bundle: JSON.parse(JSON.stringify(bundle)) as Bundle,
        trusted: house.keys.nodeId,
        schemas: (claim: Claim) => solverByName(claim.kind),
        replay: (claim, inputs) => replay(solvers, { kind: claim.kind, inputs, claim, registry: loadRegistry }),
      })
      assert.equal(found.outcome, 'verified', JSON.stringify(found.steps))
      assert.deepEqual(found.steps.at(-1), {
        step: 'replay',
        state: 'ok',
        detail: 'The solver gave the same bits again.',
      })
    },
    MS_MAX,
  )
}

test(
  'a sabotaged scheme is refused at the gate with the measured error; nothing is charged',
  async () => {
    using dir = tempDir()
    const workerFile = new URL('./sabotaged-worker.ts', import.meta.url)
    await using house = await openComputeHouse(dir.path, { workerFile })
    const { caller, zid } = await newAccount(house)
    const before = stateOf(house, zid)
    const { code, details } = await refusal(() => house.compute.solve('heat', {}, asking(caller)))
    assert.equal(code, 'PRECISION_NOT_MET')
    assert.ok((details['measured'] as number) > 0.1)
    assert.deepEqual(stateOf(house, zid), before)
  },
  MS_MAX,
)

test('a step beyond the stability limit is refused before anything runs', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  const before = stateOf(house, zid)
  const { code, details } = await refusal(() =>
    house.compute.solve('heat', { scheme: 'ftcs', dt: 100 }, asking(caller)),
  )
  assert.equal(code, 'UNSTABLE_STEP')
  assert.ok(Object.values(details).some((it) => typeof it === 'number'))
  assert.deepEqual(stateOf(house, zid), before)
})

test('multibody without positions: answered, not conservative, no envelope, nothing charged', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const bodies = [{ mass: 1 }, { mass: 2 }]
  const before = stateOf(house, 'house')
  const it = await house.compute.solve('multibody', { bodies }, asking(stranger))
  assert.ok(it.kind === 'unsealed')
  assert.equal((JSON.parse(it.output) as { conservative: boolean }).conservative, false)
  assert.deepEqual(stateOf(house, 'house'), before)
})

test('multibody that loses its energy: 422 with drift, bound, dt and t_max', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  const before = stateOf(house, zid)
  const { code, details } = await refusal(() => house.compute.solve('multibody', { order: 2, dt: 4e5 }, asking(caller)))
  assert.equal(code, 'ENERGY_NOT_CONSERVED', JSON.stringify(details))
  for (const name of ['measured', 'bound', 'dt', 't_max']) assert.equal(typeof details[name], 'number', name)
  assert.deepEqual(stateOf(house, zid), before)
})

test.run()
