// Goal and method: as credentials.test.ts, for the endpoints of the machines: each is asked about a public, a private
// and an absent one, and the last two must answer who may not know of them alike, to the byte.
import assert from 'node:assert/strict'
import type { Endpoint } from '#api/endpoint.ts'
import { machineEndpoints } from '#api/machines/index.ts'
import { suite } from '../kit/suite.ts'
import { judgeAll } from './matrix.ts'

const test = suite('hostile: every endpoint of the machines × every credential')

test('each credential reaches exactly as far as the document says; a refusal changes nothing', async () => {
  assert.deepEqual(await judgeAll(machineEndpoints as unknown as readonly Endpoint[]), [])
}, 110_000)

test.run()
