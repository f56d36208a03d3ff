// Goal: names of fires and decisions stay as the golden file says. Method: the file read as another implementation
// would read it: names by SHA-256 over their texts, decisions from a definition and what it is asked.
import assert from 'node:assert/strict'
import { toHex, utf8 } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import type { ContractStanding } from '#core/contract/standing.ts'
import { sha256 } from '#crypto'
import type { ZoneTable } from '#numerics/contracts/cron/cron.ts'
import { type ComputeOutcome, decide, type Stimulus } from '#numerics/contracts/fire/decide.ts'
import { readVector } from '../../../hostile/vectors.ts'
import { suite } from '../../../kit/suite.ts'
import { readyOf } from './drawn.ts'

const test = suite('contracts/fire/vectors')

const file = readVector<{
  readonly contract: { readonly id: string; readonly id_hash: string; readonly digest: string }
  readonly fires: readonly { readonly cause: Json; readonly fire: string }[]
  readonly triggers: readonly { readonly id: string; readonly trigger: Json }[]
  readonly definition: object
  readonly zones: Readonly<Record<string, ZoneTable>>
  readonly beginning: { readonly standing: ContractStanding; readonly context: string }
  readonly decisions: readonly {
    readonly standing: ContractStanding
    readonly stimulus: Stimulus
    readonly outcomes: readonly ComputeOutcome[]
    readonly decision: Json
  }[]
}>('fire')
const hashOf = (purpose: string, value: Json): string =>
  toHex(sha256(utf8(`tickmesh/${purpose}/1\n${canonical(value)}`)))

test('contracts, fires, triggers and contexts have the names that the file says', () => {
  const { contract, fires, triggers, beginning } = file
  assert.equal(hashOf('contract-id', { id: contract.id, id_hash: contract.id_hash }), contract.digest)
  for (const { cause, fire } of fires) assert.equal(hashOf('fire', { cause, contract: contract.digest }), fire)
  for (const { id, trigger } of triggers) assert.equal(hashOf('trigger', trigger).slice(0, 16), id)
  assert.equal(hashOf('context', beginning.standing.context), beginning.context)
})

test('what a contract is asked has the decision that the file says', () => {
  const ready = readyOf(file.definition, file.zones)
  assert.ok(file.decisions.length > 10)
  for (const { standing, stimulus, outcomes, decision } of file.decisions) {
    const found = decide(ready, standing, stimulus, outcomes)
    assert.equal(canonical(JSON.parse(JSON.stringify(found)) as Json), canonical(decision))
  }
})

test.run()
