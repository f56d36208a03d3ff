import { concat, utf8 } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { AbroadContext } from './context.ts'
import { BUNDLES_BYTES_MAX, frameOf, type QuestionOf } from './forms.ts'

/** An answer: a frame, and the bytes that follow it in pieces. */
export interface AnsweredFrames {
  readonly frame: Uint8Array
  readonly pieces?: Uint8Array
}

/** Bytes in pieces behind the frame that announces them. */
export const inPieces = (pieces: Uint8Array): AnsweredFrames => ({
  frame: frameOf({ v: 1, answer: 'pieces', bytes: pieces.length }),
  pieces,
})

const inSizes = (all: readonly Uint8Array[]): AnsweredFrames => ({
  frame: frameOf({ v: 1, answer: 'bundles', sizes: all.map((it) => it.length) }),
  pieces: concat(...all),
})

/** Bundles that are made at once for one question. */
const MADE_AT_ONCE = 8

const accountOf = (zid: string): Caller => ({
  ...{ kind: 'account', bucket: '', zid, keyId: '', account: zid, shared: false },
})

/** How this node gives bundles of what it minted to the nodes of those whose they are. */
export const createBundleAnswers = (
  { ports }: Pick<AbroadContext, 'ports'>,
  rowOf: (tokenId: string) => EnvelopeRow | undefined,
) => {
  /** The bundle of a token of a ZID, as bytes; none for any other token. */
  const bytesOf = async (zid: string, token_id: string): Promise<Uint8Array> => {
    const here = ports()
    if (here === undefined || rowOf(token_id)?.listed_under !== zid) return new Uint8Array(0)
    return utf8(JSON.stringify(await here.bundle(token_id, accountOf(zid))))
  }

  const bundleOf = async ({ zid, token_id }: QuestionOf<'bundle'>): Promise<AnsweredFrames> => {
    const bytes = await bytesOf(zid, token_id)
    if (bytes.length === 0) throw new Fault('NOT_FOUND', undefined, { token_id })
    return inPieces(bytes)
  }

  /** As many of the first as come at once, and one at least. */
  const bundlesOf = async ({ zid, token_ids }: QuestionOf<'bundles'>): Promise<AnsweredFrames> => {
    const found: Uint8Array[] = []
    let total = 0
    for (let at = 0; at < token_ids.length; at += MADE_AT_ONCE) {
      const some = token_ids.slice(at, at + MADE_AT_ONCE).map((token_id) => bytesOf(zid, token_id))
      for (const made of await Promise.allSettled(some)) {
        // What cannot be given now is asked for again, behind those before it.
        if (made.status === 'rejected' && found.length === 0) throw made.reason
        if (made.status === 'rejected' || (found.length > 0 && total + made.value.length > BUNDLES_BYTES_MAX)) {
          return inSizes(found)
        }
        found.push(made.value)
        total += made.value.length
      }
    }
    return inSizes(found)
  }

  return { bundleOf, bundlesOf }
}
