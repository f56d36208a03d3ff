import { readFileSync } from 'node:fs'
import { toHex } from '#core/bytes.ts'
import { sha256 } from '#crypto'

const TABLE = new URL('../../../../protocols/mmio.json', import.meta.url)

let digest: string | undefined

/** SHA-256 of the register table's file, byte for byte, hex: what the page names its layout by. */
export const layoutDigest = (): string => {
  digest ??= toHex(sha256(readFileSync(TABLE)))
  return digest
}
