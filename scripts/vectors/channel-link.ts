import { concat, fromHex, toBase64Url, toHex, utf8 } from '#core/bytes.ts'
import { frameContext, frameNonce, frameOf, secureInfo } from '#core/channel/frame.ts'
import { channelLinkKey, signChannelLink } from '#core/channel/link.ts'
import { hmacSha256 } from '#crypto'

const secret = Uint8Array.from({ length: 32 }, (_, i) => i)
const channel = '00112233445566778899aabbccddeeff'
const salt = 'a0a1a2a3a4a5a6a7a8a9aaabacadaeaf'
const link = { c: channel, e: 2_300_000_000, n: '0011223344556677' }

/** Signatures that open nothing, each with why. */
const refusedOf = (sig: string) => {
  const [first = '', last = ''] = sig.split('.')
  const other = toBase64Url(utf8(`{"e":${link.e},"c":"${link.c}","n":"${link.n}"}`))
  return [
    { sig: first, why: 'no second part' },
    { sig: `${sig}.${last}`, why: 'three parts' },
    { sig: `${first}=.${last}`, why: 'padding' },
    { sig: `${other}.${last}`, why: 'not the canonical form' },
    { sig: `${toBase64Url(utf8('{"c":"x","e":1}'))}.${last}`, why: 'a member is missing' },
    { sig: `${first}.${last.startsWith('A') ? 'B' : 'A'}${last.slice(1)}`, why: 'another MAC' },
    { sig: `${toBase64Url(utf8(`{"c":"${link.c}","e":${link.e + 1},"n":"${link.n}"}`))}.${last}`, why: 'another tick' },
  ]
}

const bearer = `sck_${'0'.repeat(43)}`
const session = toHex(Uint8Array.from({ length: 32 }, (_, i) => 255 - i))
const bound = { channel, session, public_key: null }
/** HKDF-SHA256 with one block: extract, then expand. */
const frameKey = hmacSha256(hmacSha256(fromHex(session), utf8(bearer)), concat(secureInfo(bound), Uint8Array.of(1)))
const counter = 258
const plain = '{"claim":{},"signature":"00"}'
/** AES-256-GCM of the plaintext, by another implementation (WebCrypto). */
const sealed = '5fcf17abc27fcdf037340e28fc2f553781cc5468a98dfb0e039fed82d417ca538203c819c1d62f7dbb17f04851'

/** Signed links to channels and encrypted frames. */
export const channelLinkVectors = () => {
  const key = channelLinkKey(secret, { id: channel, salt })
  const sig = signChannelLink(key, link)
  return {
    links: [{ secret: toHex(secret), channel, salt, key: toHex(key), link, sig }],
    refused: refusedOf(sig),
    frames: [
      {
        ...{ ...bound, bearer, info: toHex(secureInfo(bound)), key: toHex(frameKey), counter },
        nonce: toHex(frameNonce(counter)),
        aad: toHex(frameContext(bound, counter)),
        plain,
        frame: toHex(frameOf(counter, fromHex(sealed))),
      },
    ],
  }
}
