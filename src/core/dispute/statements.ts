import type { Static } from 'typebox'
import { purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { patterns } from '#core/ids.ts'
import { closed, fitting, hex64, oneOf, orNull, signature, text } from '#core/schema.ts'
import { signedDocument } from '#core/signed-document.ts'
import { codeSchema } from '#core/verdict.ts'

/** What a ruling can say: of a wrong work the first three, of one whose data could not be had the last two. */
export const rulingOutcomes = ['upheld', 'dismissed', 'not_reproducible', 'available', 'unavailable'] as const
export type RulingOutcome = (typeof rulingOutcomes)[number]

/** Form of what a pool member found. */
export const rulingSchema = closed(
  {
    challenge: hex64({ description: 'Id of the event of the challenge.' }),
    work: hex64({ description: 'Digest of the work.' }),
    outcome: oneOf(rulingOutcomes),
    recomputed: orNull(hex64({ description: 'What running the segment again gave; null where nothing was run.' })),
    code: orNull(codeSchema),
  },
  { title: 'RulingOfChallenge' },
)
export type RulingOfChallenge = Static<typeof rulingSchema>

/** Form of the payload of a `ruling` event: a document with its author's signature, which stands alone as evidence. */
export const signedRulingSchema = closed({ ruling: rulingSchema, signature: signature() })
export type SignedRuling = Static<typeof signedRulingSchema>

const document = signedDocument<'ruling', RulingOfChallenge>('ruling', purposes.ruling)

/** Signs a ruling. */
export const signRuling = document.sign

/** As {@link signRuling}, on the signer's thread. */
export const signRulingWith = document.signWith

/**
 * Reads the payload of a ruling by its author. Whether that is one of the pool, the dispute says.
 *
 * @throws Fault INVALID_INPUT, BAD_SIGNATURE
 */
export const readRuling = (value: unknown, author: string): SignedRuling => {
  const signed = fitting(signedRulingSchema, value)
  const { outcome, recomputed, code } = signed.ruling
  const aboutData = outcome === 'available' || outcome === 'unavailable'
  if (aboutData !== (recomputed === null) || aboutData !== (code === null)) {
    throw new Fault('INVALID_INPUT', '/ruling/recomputed: it stands there, with its code, iff something was run.')
  }
  document.assertBy(signed, author, 'author')
  return signed
}

/** Form of the payload of a `reveal` event: one of the two values of a draw. */
export const revealSchema = closed(
  {
    of: oneOf(['w', 'c'], { description: "The worker's value, or the challenger's." }),
    challenge: hex64({ description: 'Id of the event of the challenge.' }),
    value: hex64({ description: '32 random bytes, hex, committed to before.' }),
    next: orNull(hex64(), { description: "Of w: commitment to the worker's value for this work's next challenge." }),
    after: orNull(hex64(), { description: 'Of c: id of the reveal of w that it answers; null where none came.' }),
  },
  { title: 'DrawReveal' },
)
export type DrawReveal = Static<typeof revealSchema>

/** Reads the payload of a reveal. @throws Fault INVALID_INPUT */
export const readReveal = (value: unknown): DrawReveal => {
  const reveal = fitting(revealSchema, value)
  const { of, next, after } = reveal
  if (of === 'w' ? next === null || after !== null : next !== null) {
    throw new Fault('INVALID_INPUT', '/next: w names the next commitment, c the reveal that it answers.')
  }
  return reveal
}

/** Form of the payload of a `withheld` event. */
export const withheldSchema = closed(
  {
    home: text(256, { pattern: patterns.logName, description: 'The log whose tokens are withheld.' }),
    bond: hex64(),
    challenge: hex64({ description: 'The challenge that this home checked itself.' }),
    ruling: orNull(hex64(), { description: 'A ruling that says the same, where there was one.' }),
  },
  { title: 'BondWithheld' },
)
export type BondWithheld = Static<typeof withheldSchema>

/** Reads the payload of a withheld. @throws Fault INVALID_INPUT */
export const readWithheld = (value: unknown): BondWithheld => fitting(withheldSchema, value)
