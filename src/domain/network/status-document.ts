import Type, { type Static } from 'typebox'
import { fromUtf8, utf8 } from '#core/bytes.ts'
import { canonicalBytes, type Json, parseCanonical } from '#core/canonical.ts'
import { checkHandshake, makeHandshake } from '#core/handshake.ts'
import { closed, meshTick, misfit, nodeId, orNull, text } from '#core/schema.ts'
import { HEAD_NOTE_BYTES_MAX } from './heads.ts'

/** What a node says of itself on `/tickmesh/status/1`. */
export const statusSchema = closed({
  v: Type.Literal(1),
  node: nodeId(),
  version: text(64),
  /** Mesh tick of its genesis. */
  genesisTick: meshTick(),
  /** The newest signed checkpoint of its seal log. */
  head: orNull(text(HEAD_NOTE_BYTES_MAX)),
  registry_version: text(128),
  /** `open`, or the SHA-256 of its policy file. */
  policy: text(128),
  mesh_tick: meshTick(),
})
export type StatusDocument = Static<typeof statusSchema>

/** Whose word counts on a stream: Noise says who is there, the secret who belongs. */
export interface Membership {
  readonly secrets: readonly Uint8Array[]
  readonly meshTick: number
}

/** The two frames of a status: handshake over the document's bytes (empty in an open mesh), document. */
export const statusFrames = (
  document: StatusDocument,
  { secrets, meshTick: now }: Membership,
): [Uint8Array, Uint8Array] => {
  const body = canonicalBytes(document as unknown as Json)
  const [secret] = secrets
  const header = secret === undefined ? '' : makeHandshake(secret, { sender: document.node, meshTick: now, body })
  return [utf8(header), body]
}

/** What does not fit about a peer, in one word each. */
export type Reason =
  /** It gave no status, or one that cannot be read. */
  | 'no_status'
  | 'bad_status'
  /** This mesh is private and it does not know the secret; or the other way round. */
  | 'not_a_member'
  | 'private_mesh'
  /** It shows a head that its key has not signed. */
  | 'bad_head'
  | 'other_registry'
  | 'other_policy'
  /** Its clock is two ticks or more from ours. */
  | 'clock_skew'

/** Reads a peer's frames. `node` is Noise's remote peer. Never throws: what is wrong is a reason. */
export const readStatus = (
  node: string,
  [handshake, body]: readonly [Uint8Array, Uint8Array],
  { secrets, meshTick: now }: Membership,
): { readonly document: StatusDocument } | { readonly reason: Reason } => {
  let header: string
  let document: Json
  try {
    header = fromUtf8(handshake)
    if (secrets.length > 0) {
      const verdict = checkHandshake({ header, body, secrets, meshTick: now })
      if (!verdict.ok || verdict.sender !== node) return { reason: 'not_a_member' }
    }
    document = parseCanonical(body)
  } catch {
    return { reason: 'bad_status' }
  }
  if (misfit(statusSchema, document) !== undefined) return { reason: 'bad_status' }
  const status = document as unknown as StatusDocument
  if (status.node !== node) return { reason: 'bad_status' }
  return secrets.length === 0 && header !== '' ? { reason: 'private_mesh' } : { document: status }
}
