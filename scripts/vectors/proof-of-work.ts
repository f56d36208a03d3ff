import { toHex, utf8 } from '#core/bytes.ts'
import { purposes, withPurpose } from '#core/digest.ts'
import { workOf } from '#core/proof-of-work.ts'
import { sha256 } from '#crypto'
import { type ChallengeTerms, challengeText } from '#domain/identity/proof-of-work.ts'
import { GENESIS, user } from './sample.ts'

/** The secret that makes the challenges: public on purpose, as are the keys of the vectors. */
const secret = sha256(utf8('tickmesh vectors: proof of work'))

const claim: ChallengeTerms = {
  account: user.zid,
  machine: 'pump-7',
  bucket: '192.0.2.1',
  day: '2026-11-26',
  bits: 18,
  expires: GENESIS + 120,
  random: '000102030405060708090a0b0c0d0e0f',
}
const alone: ChallengeTerms = { ...claim, machine: null, random: '101112131415161718191a1b1c1d1e1f' }

const { account, machine, bucket, day } = claim
const asked = { account, machine, bucket, day }

/** Found once by searching; what they give is worked out each time. */
const NONCE = '100000000014788'
const NONCE_ALONE = '100000000033974'

const answered = (
  name: string,
  terms: ChallengeTerms,
  it: { readonly nonce: string; readonly asked: object; readonly mesh_tick: number; readonly refused: object | null },
) => {
  const challenge = challengeText(secret, terms)
  const message = withPurpose(purposes.pow, utf8(`${challenge}\n${it.nonce}`))
  const work = { sha256: toHex(sha256(message)), given: workOf(challenge, it.nonce) }
  return { name, terms, challenge, ...work, ...it }
}

/** Challenges of the daily claim with answers that are taken and that are not. */
export const proofOfWorkVectors = () => {
  const [early, last] = [GENESIS, GENESIS + 120]
  return {
    about:
      'Challenges made with a secret (hex) from their terms, a nonce for each, the SHA-256 of the proof, the leading ' +
      'zero bits that it gives, and what is said of it where these members are asked at this mesh tick: `refused` is ' +
      'null, or what INVALID_INPUT names.',
    secret: toHex(secret),
    cases: [
      answered('valid, in the last tick', claim, { nonce: NONCE, asked, mesh_tick: last, refused: null }),
      answered('valid, without a machine', alone, {
        ...{ nonce: NONCE_ALONE, asked: { ...asked, machine: null }, mesh_tick: early, refused: null },
      }),
      answered('too few bits', claim, {
        ...{ nonce: '7', asked, mesh_tick: early },
        refused: { bits: 18, given: workOf(challengeText(secret, claim), '7') },
      }),
      answered('other day', claim, {
        ...{ nonce: NONCE, asked: { ...asked, day: '2026-11-27' }, mesh_tick: early },
        refused: { day: '2026-11-26' },
      }),
      answered('other machine', claim, {
        ...{ nonce: NONCE, asked: { ...asked, machine: 'pump-8' }, mesh_tick: early, refused: { machine: 'pump-7' } },
      }),
      answered('other account', claim, {
        ...{ nonce: NONCE, asked: { ...asked, account: 'sign-up' }, mesh_tick: early, refused: {} },
      }),
      answered('other address', claim, {
        ...{ nonce: NONCE, asked: { ...asked, bucket: '192.0.2.2' }, mesh_tick: early, refused: {} },
      }),
      answered('late', claim, {
        ...{ nonce: NONCE, asked, mesh_tick: last + 1, refused: { expires_mesh_tick: last } },
      }),
    ],
  }
}
