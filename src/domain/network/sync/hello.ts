import { fromUtf8 } from '#core/bytes.ts'
import { checkHandshake, makeHandshake } from '#core/handshake.ts'
import { type Hello, handshakeFrame, helloFrame, readHello } from './frames.ts'
import { refuse } from './refused.ts'

/** Whose word counts on a stream: Noise says who is there, the secret who belongs. */
export interface Members {
  readonly secrets: readonly Uint8Array[]
  readonly meshTick: number
}

/** The two frames each side begins with: the handshake over the hello's bytes, empty in an open mesh, and these. */
export const helloFrames = (hello: Hello, { secrets, meshTick }: Members): readonly [Uint8Array, Uint8Array] => {
  const body = helloFrame(hello)
  const [secret] = secrets
  const header = secret === undefined ? undefined : makeHandshake(secret, { sender: hello.node, meshTick, body })
  return [handshakeFrame(header), body]
}

const textOf = (frame: Uint8Array): string => {
  try {
    return fromUtf8(frame)
  } catch {
    return refuse('bad_frame', 'The handshake is not UTF-8.')
  }
}

/** Checks what the node at the far end begins with; the MAC before anything is parsed. @throws SyncRefused */
export const openHello = (
  node: string,
  [handshake, body]: readonly [Uint8Array, Uint8Array],
  { secrets, meshTick }: Members,
): Hello => {
  const header = textOf(handshake)
  if (secrets.length > 0) {
    const verdict = checkHandshake({ header, body, secrets, meshTick })
    if (!verdict.ok || verdict.sender !== node) refuse('not_a_member', 'The handshake does not hold.')
  }
  const hello = readHello(body)
  if (hello === undefined || hello.node !== node) return refuse('bad_frame', 'The hello is not one of this node.')
  if (secrets.length === 0 && header !== '') refuse('private_mesh', 'The other side is in a private mesh.')
  return hello
}
