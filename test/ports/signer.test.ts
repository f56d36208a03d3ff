// Goal: a signer's signatures are those of its key over the very bytes it was given, to whoever asked for them, however
// many ask in one turn of the loop. Method: drawn messages, alone and in bursts, of two signers between each other,
// against the plain signature of the port.
import assert from 'node:assert/strict'
import { ed25519Sign, ed25519Verify } from '#crypto'
import { signMany } from '#ports/sign-bursts.node.ts'
import { createSigner } from '#ports/signer.node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('ports: signer')

const random = seeded()
const drawn = (length: number): Uint8Array => Uint8Array.from({ length }, () => random.integer(0, 255))
const seeds = [drawn(32), drawn(32)] as const

test('one alone and many at once are signed each over its own bytes', async () => {
  const signers = seeds.map(createSigner)
  for (const count of [1, 2, 15, 16, 17, 300]) {
    const asked = Array.from({ length: count }, () => {
      const of = random.integer(0, 1) as 0 | 1
      return { of, bytes: drawn(random.integer(0, 2_000)) }
    })
    const signed = await Promise.all(asked.map(({ of, bytes }) => signers[of]?.sign(bytes)))
    for (const [i, { of, bytes }] of asked.entries()) assert.deepEqual(signed[i], ed25519Sign(seeds[of], bytes))
  }
})

test('bursts that overlap are not mixed up', async () => {
  const signer = createSigner(seeds[0])
  const burst = () => Array.from({ length: 40 }, () => drawn(30))
  const bursts = [burst(), burst(), burst()]
  const asked = bursts.map(async (messages, i) => {
    for (let turn = 0; turn < i; turn++) await undefined
    return Promise.all(messages.map(async (it) => ed25519Verify(signer.publicKey, it, await signer.sign(it))))
  })
  assert.ok((await Promise.all(asked)).flat().every((verifies) => verifies))
})

test('a key that the thread cannot sign with leaves the others as they were, and all are answered', async () => {
  // What no Ed25519 key is ends the thread; the next burst has another one.
  const { createSecretKey } = await import('node:crypto')
  await assert.rejects(signMany(createSecretKey(drawn(16)), [drawn(8)]))
  const signer = createSigner(seeds[1])
  const messages = Array.from({ length: 32 }, () => drawn(64))
  const signed = await Promise.all(messages.map((it) => signer.sign(it)))
  for (const [i, it] of messages.entries()) assert.deepEqual(signed[i], ed25519Sign(seeds[1], it))
})

test.run()
