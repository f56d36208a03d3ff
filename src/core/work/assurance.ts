import Type, { type Static } from 'typebox'
import { purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { closed, count, hex64, integer, signature, tokenId } from '#core/schema.ts'
import { signedDocument } from '#core/signed-document.ts'
import { RATE_MIN, RATE_ONE } from './audit.ts'
import { STATES_MAX } from './segments.ts'
import { signedWorkSchema } from './work.ts'

/** Form of what a requester says that it checked of a work before it sealed the result. */
export const assuranceSchema = closed(
  {
    token_id: tokenId({ description: 'Of the envelope that holds the result.' }),
    work: hex64({ description: 'Digest of the work.' }),
    samples: count({ maximum: STATES_MAX, description: 'Segments run again, `init` and `finish` beside them.' }),
    of: count({ maximum: STATES_MAX, description: 'Segments of the run; 0 for one that does not step.' }),
    rate: integer({ minimum: RATE_MIN, maximum: RATE_ONE, description: 'Audit rate, in millionths.' }),
    audited: Type.Boolean({ description: 'Whether the whole run was done again and came out the same.' }),
  },
  { title: 'Assurance' },
)
/** What was checked of a contributed result, by its requester's word. */
export type Assurance = Static<typeof assuranceSchema>

const document = signedDocument<'assurance', Assurance>('assurance', purposes.assurance)

/** Form of a bundle's member `work`: the worker's word, and the requester's. */
export const bundledWorkSchema = closed(
  { ...signedWorkSchema.properties, assurance: assuranceSchema, assurance_signature: signature() },
  { title: 'BundledWork' },
)
/** What a bundle says of the work behind a result. */
export type BundledWork = Static<typeof bundledWorkSchema>

/** Signs an assurance, on the signer's thread. */
export const signAssuranceWith = document.signWith

/** Whether an assurance is signed by a node. */
export const isAssuredBy = ({ assurance, assurance_signature }: BundledWork, node: string): boolean => {
  try {
    document.assertBy({ assurance, signature: assurance_signature }, node, 'requester')
    return true
  } catch (cause) {
    if (cause instanceof Fault) return false
    throw cause
  }
}
