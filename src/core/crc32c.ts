const POLYNOMIAL = 0x82f63b78
const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n
  for (let bit = 0; bit < 8; bit++) c = (c & 1) === 1 ? (c >>> 1) ^ POLYNOMIAL : c >>> 1
  return c >>> 0
})

/** CRC-32C (Castagnoli polynomial, RFC 3720 B.4) of bytes `from` to `to`. */
export const crc32c = (bytes: Uint8Array, from = 0, to = bytes.length): number => {
  let c = 0xffffffff
  for (let i = from; i < to; i++) c = (table[(c ^ (bytes[i] as number)) & 0xff] as number) ^ (c >>> 8)
  return (c ^ 0xffffffff) >>> 0
}
