import Type from 'typebox'
import { count, finite, hex64, model, oneOf } from '#core/schema.ts'
import type { View } from '#core/view.ts'

/** Codecs that bytes are folded with. */
export const codec = oneOf(['gzip', 'brotli'], { description: 'RFC 1952 or RFC 7932.' })

/** What bytes are, how much they say, and what each codec makes of them. */
export const analysis = model('Analysis', {
  size: count({ description: 'Bytes.' }),
  entropy: finite({ minimum: 0, maximum: 8, description: 'Of single bytes, in bits per byte.' }),
  type: Type.String({ description: 'Media type that the first bytes or the text show.' }),
  ratios: Type.Object(
    { gzip: finite({ minimum: 0 }), brotli: finite({ minimum: 0 }) },
    {
      description: 'Original bytes over compressed ones, as measured.',
    },
  ),
  recommendation: oneOf(['gzip', 'brotli', 'none'], {
    description: 'The smallest; none when no codec saves a byte.',
  }),
  recommended: Type.Array(codec, { description: 'Codecs that make it smaller, the best first.' }),
  estimatedRatio: finite({ minimum: 0, description: 'Ratio of the recommendation; 1 for none.' }),
  sha256: hex64({ description: 'SHA-256 of the bytes.' }),
})
export type Analysis = View<typeof analysis>
