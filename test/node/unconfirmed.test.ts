/**
 * Goal: an identity that was put back from an archive is not passed on before its witnesses were asked: it would end
 * the log at less than the world has seen of it; and nothing is sealed until one of them has spoken, however long.
 * Method: a real node's data are restored from an archive, with and without a word of a witness in them; without one
 * nothing is waited for, and with one the owner may give the log up by its name alone.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { publicKeyOfSeed } from '#core/keys.ts'
import { encodeVkey } from '#core/note.ts'
import { witnessVerifier } from '#core/witness-key.ts'
import { beginNewLog, rotateIdentity } from '#domain/identity/succession.ts'
import { createBackup, restoreBackup } from '#node/backup.ts'
import { isUnconfirmed } from '#store/backup/unconfirmed.ts'
import { openDatabase } from '#store/database.ts'
import { databaseDirectory } from '#store/lock.ts'
import { StoreRefused } from '#store/open.ts'
import { makeLog } from '../domain/network/log-kit.ts'
import { START } from '../kit/clock.ts'
import { testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('node: data that were put back')
const random = seeded()

/** Rotates at a moment some seconds after the tests' start; waiting moves the clock. */
const rotate = (directory: string) => {
  let now = START + 60_000_000_000n
  const sleep = async (ms: number): Promise<void> => {
    now += BigInt(Math.ceil(ms)) * 1_000_000n
  }
  const signal = new AbortController().signal
  return rotateIdentity({ directory, reason: 'test', clock: { now: () => now }, sleep, signal })
}

for (const witnessed of [true, false]) {
  test(`${witnessed ? 'witnessed' : 'unwitnessed'} data: rotation after a restore`, async () => {
    using from = tempDir()
    using to = tempDir()
    {
      await using it = await testNode({ directory: from.path })
      await it.advanceTicks(1)
    }
    if (witnessed) {
      const { node, seed } = makeLog(random)
      const vkey = encodeVkey(witnessVerifier(node, publicKeyOfSeed(seed)))
      await using database = await openDatabase(databaseDirectory(from.path), false)
      await database.write([
        { table: 'cosigned', key: 'seal', row: { sizes: [], best: null, witnesses: { [vkey]: 1 } } },
      ])
    }
    const file = join(from.path, 'node.backup')
    await createBackup({ directory: from.path, file, keys: true })
    assert.equal(isUnconfirmed(from.path), false)
    const directory = join(to.path, 'again')
    await restoreBackup({ directory, file, opening: {}, force: false, check: false })
    assert.equal(isUnconfirmed(directory), true)
    if (witnessed) {
      const refused = (cause: unknown): boolean => cause instanceof StoreRefused && /put back/.test(cause.message)
      await assert.rejects(rotate(directory), refused)
      // However long its witness is away, it answers and says why, and seals nothing.
      const origin = await (async () => {
        await using it = await testNode({ directory })
        await it.advanceTicks(40)
        const { store, services } = it.node
        await assert.rejects(services.identity.signUp({ bucket: 'b' } as never), { code: 'LOG_UNCONFIRMED' })
        assert.equal((await services.witness.status()).state, 'unconfirmed')
        const { checks } = await services.explorer.readiness()
        assert.match(checks.find(({ name }) => name === 'log_whole')?.detail ?? '', /put back.*--unconfirmed/)
        assert.equal((await it.client.call('explorer.status', {})).log.leaves, store.log.size)
        return store.log.origin
      })()
      assert.equal(isUnconfirmed(directory), true)
      await assert.rejects(rotate(directory), refused)
      // Its owner gives the log up by its name, and by no other; what follows has another origin.
      const clock = { now: () => START + 60_000_000_000n }
      await assert.rejects(beginNewLog({ directory, clock }), refused)
      await assert.rejects(beginNewLog({ directory, clock, unconfirmed: `${origin}0` }), refused)
      const begun = await beginNewLog({ directory, clock, unconfirmed: origin })
      assert.equal(begun.left, origin)
      assert.notEqual(begun.origin, origin)
      assert.equal(isUnconfirmed(directory), false)
    }
    const { succession } = await rotate(directory)
    assert.notEqual(succession.new_node, succession.old_node)
  })
}

test.run()
