import assert from 'node:assert/strict'
import { toHex } from '#core/bytes.ts'
import { openCheckpoint } from '#core/checkpoint.ts'
import { verifyEquivocation } from '#core/equivocation.ts'
import { publicKeyOf } from '#core/keys.ts'
import { compactRange, leafHash } from '#core/merkle.ts'
import { parseNote, parseVkey, takeSignatureLines, verifierOf } from '#core/note.ts'
import { verifySuccession } from '#core/succession.ts'
import { bundleKey, originOf, unpackLeaves } from '#store/foreign.ts'
import type { SealLog } from '#store/seal-log.ts'
import type { Store } from '#store/store.ts'
import type { ExpectedLog, ExpectedMesh } from './fixtures.ts'
import { all } from './kit.ts'

/** Nothing that was logged has changed, and what was signed of it stands. */
export const assertLog = async (log: SealLog, kept: ExpectedLog): Promise<void> => {
  assert.equal(log.origin, kept.origin)
  assert.equal(toHex(await log.rootAt(kept.size)), kept.root, log.origin)
  if (kept.note !== null) assert.equal((await log.checkpointAt(kept.signed))?.note, kept.note)
}

const assertEras = async (store: Store, eras: ExpectedMesh['eras']): Promise<void> => {
  assert.equal(store.eras.length, eras.length)
  for (const [i, kept] of eras.entries()) {
    const era = store.eras[i]
    assert.ok(era !== undefined)
    assert.equal(era.node, kept.node)
    assert.deepEqual([era.log.size, era.events.size], [kept.logs.seal.size, kept.logs.events.size], 'it has ended')
    await assertLog(era.log, kept.logs.seal)
    await assertLog(era.events, kept.logs.events)
    assert.deepEqual(era.succession ?? null, kept.succession)
    if (kept.succession !== null) assert.deepEqual(verifySuccession(era.succession), kept.succession)
  }
}

/** Each line verifies over the checkpoint that this store shows for it, by the key that it had. */
const assertCosignatures = async (store: Store, kept: ExpectedMesh['cosignatures']): Promise<void> => {
  for (const [key, { cosignatures }] of Object.entries(kept)) {
    assert.deepEqual((await store.get('cosignature', key))?.cosignatures, cosignatures)
    const { text } = parseNote((await store.get('checkpoint', key))?.note ?? '')
    assert.ok(cosignatures.length > 0)
    for (const { vkey, line } of cosignatures) {
      const [found] = takeSignatureLines(text, line, [parseVkey(vkey)])
      assert.equal(found?.line, line, `${key}: it is of the witness`)
    }
  }
}

/** The leaves kept of another node's log give the root that its node signed. */
const assertForeign = async (store: Store, kept: ExpectedMesh['foreign'][number], source: string): Promise<void> => {
  const row = await store.get('foreignLog', source)
  assert.deepEqual(row, kept)
  assert.ok(kept.held !== null && kept.first === 0, 'all of it is kept, up to a note')
  const { checkpoint } = openCheckpoint(kept.held.note, verifierOf(originOf(source), publicKeyOf(kept.node)))
  const range = compactRange()
  for (let bundle = 0; range.size < checkpoint.size; bundle++) {
    const leaves = unpackLeaves((await store.get('foreignBundle', bundleKey(source, bundle))) ?? new Uint8Array(0))
    assert.ok(leaves !== undefined && leaves.length > 0)
    for (const leaf of leaves.slice(0, checkpoint.size - range.size)) range.append(leafHash(leaf))
  }
  assert.equal(toHex(range.root()), toHex(checkpoint.root))
  assert.equal(toHex(checkpoint.root), kept.held.root)
}

/** Whatever other nodes signed for a store, and what its own former keys did, is there and proves itself. */
export const assertMesh = async (store: Store, { eras, foreign, ...kept }: ExpectedMesh): Promise<void> => {
  await assertEras(store, eras)
  await assertCosignatures(store, kept.cosignatures)
  const sources = (await store.get('foreignLogs', 'all')) ?? []
  assert.equal(sources.length, foreign.length)
  for (const row of foreign) {
    await assertForeign(store, row, sources.find((it) => it.startsWith(`${row.node}.`)) ?? '')
  }
  assert.deepEqual(Object.fromEntries(await all(store.range('evidence'))), kept.evidence)
  for (const { origin, size, larger, notes, prefix } of Object.values(kept.evidence)) {
    const proven = verifyEquivocation({
      origin,
      notes: [...notes],
      prefix: prefix && { ...prefix, path: [...prefix.path] },
    })
    assert.deepEqual([proven.size, proven.larger], [size, larger])
  }
  const successors = await all(store.range('successor'))
  assert.deepEqual(
    successors.map(([node]) => node),
    kept.successors,
  )
  for (const [, { claims }] of successors) for (const it of claims) assert.deepEqual(verifySuccession(it), it)
}
