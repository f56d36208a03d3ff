import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Level } from 'level'
import { toHex } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { purposes, signedText } from '#core/digest.ts'
import { leafHash } from '#core/merkle.ts'

/** Leaves that share a write and its fsync in the floor, as many as in the store. */
const GROUP = 256

/** Bytes of all files below a directory. */
export const bytesIn = (directory: string): number =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((it) => it.isFile())
    .reduce((sum, it) => sum + (statSync(join(it.parentPath, it.name), { throwIfNoEntry: false })?.size ?? 0), 0)

/** The least that a seal could cost: its claim's text, a signature, a hash, and its share of an fsynced write. */
export const sealFloor = async (claim: Readonly<Record<string, Json>>, count: number): Promise<number> => {
  const directory = mkdtempSync(join(tmpdir(), 'tickmesh-floor-'))
  const database = new Level<string, Uint8Array>(directory, { valueEncoding: 'view' })
  const { privateKey } = generateKeyPairSync('ed25519')
  const key = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  try {
    await database.open()
    const from = performance.now()
    for (let at = 0; at < count; at += GROUP) {
      const batch = database.batch()
      for (let index = at; index < Math.min(count, at + GROUP); index++) {
        const text = canonical({ ...claim, index })
        const signature = toHex(sign(null, signedText(purposes.claim, text), key))
        const leaf = signedText(purposes.envelope, `{"claim":${text},"signature":"${signature}"}`)
        batch.put(`l/${index}`, leaf).put(`n/${index}`, leafHash(leaf))
      }
      await batch.write({ sync: true })
    }
    return count / ((performance.now() - from) / 1_000)
  } finally {
    await database.close()
    rmSync(directory, { recursive: true, force: true })
  }
}
