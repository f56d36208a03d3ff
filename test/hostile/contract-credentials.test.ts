// Goal and method: as credentials.test.ts, for the endpoints of contracts: each is asked about a contract of a public, a
// private and an absent machine, and the last two must answer who may not know of them alike, to the byte.
import assert from 'node:assert/strict'
import { contractEndpoints } from '#api/contracts/index.ts'
import type { Endpoint } from '#api/endpoint.ts'
import { suite } from '../kit/suite.ts'
import { judgeAll } from './matrix.ts'

const test = suite('hostile: every endpoint of contracts × every credential')

test('each credential reaches exactly as far as the document says; a refusal changes nothing', async () => {
  assert.deepEqual(await judgeAll(contractEndpoints as unknown as readonly Endpoint[]), [])
}, 110_000)

test.run()
