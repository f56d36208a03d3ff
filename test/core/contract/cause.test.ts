// Goal: a fire has one name wherever and whenever it is worked out, and no two causes share one.
// Method: names held against SHA-256 over the text that the wire document gives, written out here by hand.
import assert from 'node:assert/strict'
import { toHex, utf8 } from '#core/bytes.ts'
import { type Cause, contractDigest, fireId } from '#core/contract/cause.ts'
import { sha256 } from '#crypto'
import { suite } from '../../kit/suite.ts'

const test = suite('core/contract/cause')
const hashOf = (text: string): string => toHex(sha256(utf8(text)))

test('the names of a contract and of a fire are digests of what is written in the wire document', () => {
  const contract = contractDigest('ab'.repeat(32), '0123456789abcdef0123456789abcdef')
  const id = `{"id":"0123456789abcdef0123456789abcdef","id_hash":"${'ab'.repeat(32)}"}`
  assert.equal(contract, hashOf(`tickmesh/contract-id/1\n${id}`))
  const fire = fireId(contract, { trigger: 'a1', due: 1_800_000_000 })
  assert.equal(fire, hashOf(`tickmesh/fire/1\n{"cause":{"due":1800000000,"trigger":"a1"},"contract":"${contract}"}`))
})

test('causes of every kind have names of their own, under each contract', () => {
  const causes: readonly Cause[] = [
    { trigger: 'a1', due: 1 },
    { trigger: 'a1', due: 2 },
    { slug: 'a1', seq: 1 },
    { trigger: 'a1', entered: '1' },
    { key: '1' },
    { fire: '1', action: 1 },
  ]
  const names = ['x', 'y'].flatMap((contract) => causes.map((it) => fireId(contract, it)))
  assert.equal(new Set(names).size, names.length)
})

test.run()
