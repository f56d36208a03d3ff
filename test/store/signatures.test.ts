/*
 * Goal: signatures that are verified beside everything else are all verified, and the first wrong one is the one that
 * is told. Method: thousands of good ones with wrong ones among them, and a log into which a claim was put that another
 * key signed.
 */
import assert from 'node:assert/strict'
import { fromUtf8, utf8 } from '#core/bytes.ts'
import { purposes } from '#core/digest.ts'
import { signValue } from '#core/keys.ts'
import { createSigner } from '#ports/signer.node.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { createSignatures } from '#store/fsck/signatures.ts'
import { grantOnce, newAccount, openHouse, ownerCaller, QUESTION, sealOne } from '../domain/house.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { SEED, signer } from './kit.ts'

const test = suite('fsck: signatures')
const { publicKey } = signer
const purpose = purposes.claim

/** Checks so many signatures, of which those at some places are made wrong, as fsck does. @returns the place told */
const firstWrong = async (count: number, wrong: ReadonlyMap<number, string>): Promise<number | undefined> => {
  const signatures = createSignatures()
  try {
    for (let i = 0; i < count; i++) {
      const value = { i }
      const signature = wrong.get(i) ?? signValue(SEED, purpose, value)
      const refuse = (): never => {
        throw new RangeError(String(i))
      }
      signatures.add({ publicKey, purpose, value, signature, refuse })
      const busy = signatures.full()
      if (busy !== undefined) await busy
    }
    await signatures.done()
    return undefined
  } catch (cause) {
    assert.ok(cause instanceof RangeError, String(cause))
    return Number(cause.message)
  }
}

test('good ones pass, and of wrong ones the first is told, wherever it stands', async () => {
  const random = seeded()
  assert.equal(await firstWrong(2_000, new Map()), undefined)
  for (const bad of [
    '',
    'zz',
    '0'.repeat(128),
    'f'.repeat(128),
    'A'.repeat(128),
    signValue(SEED, purpose, { i: -1 }),
  ]) {
    const at = random.integer(0, 999)
    const later = Math.min(999, at + random.integer(1, 300))
    assert.equal(
      await firstWrong(
        1_000,
        new Map([
          [later, bad],
          [at, bad],
        ]),
      ),
      at,
      JSON.stringify(bad),
    )
  }
  assert.equal(await firstWrong(1, new Map([[0, '00']])), 0)
})

test('a claim in the log that another key signed is named by its leaf', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const { caller, zid } = await newAccount(house)
    await house.economy.grant(ownerCaller(house), { zid, credits: 50, reason: 'test' }, grantOnce('once'))
    await sealOne(house, { caller })
    const other = createSigner(new Uint8Array(32).fill(3))
    await sealOne({ ...house, keys: { ...house.keys, signer: other } }, { caller })
    await sealOne(house, { caller })
  }
  const { bad } = await fsck({ directory: dir.path })
  assert.deepEqual([bad?.table, bad?.what], ['leaf', 'the signature does not verify'])
})

test('claims of both versions are verified, each under its own purpose', async () => {
  const sealed = async (directory: string, from: string, to: string) => {
    await using house = await openHouse(directory)
    const { caller, zid } = await newAccount(house)
    await house.economy.grant(ownerCaller(house), { zid, credits: 50, reason: 'test' }, grantOnce('once'))
    await sealOne(house, { caller })
    await sealOne(house, { caller, question: QUESTION })
    const { signer: own } = house.keys
    const sign = (bytes: Uint8Array) => own.sign(utf8(fromUtf8(bytes).replace(from, to)))
    await sealOne({ ...house, keys: { ...house.keys, signer: { ...own, sign } } }, { caller, question: QUESTION })
  }
  for (const [to, what] of [
    ['tickmesh/claim/2', undefined],
    ['tickmesh/claim/1', 'the signature does not verify'],
  ] as const) {
    using dir = tempDir()
    await sealed(dir.path, 'tickmesh/claim/2', to)
    assert.equal((await fsck({ directory: dir.path })).bad?.what, what, to)
  }
})

test.run()
