import { fromBase64, toBase64, toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { type ImageForm, imageFormOf } from '#core/image-form.ts'
import { tokenEntries } from '#core/token-ranges.ts'
import { sha256 } from '#crypto'
import { type MachineContext, type MachineRequest, once, type Replayable } from '#domain/machines/context.ts'
import { assertActive, say, type Writing } from '#domain/machines/record.ts'
import { openBytes, sealBytes } from '#domain/machines/vault.ts'
import type { TokenShown } from '#domain/machines/views/tally.ts'
import { keyOf } from '#store/layout.ts'
import type { AvatarRow } from '#store/rows/machine-token-range.ts'
import type { Transaction } from '#store/transaction.ts'
import { shownOn, type TokenFound, tokenFor } from './parts.ts'

/** Bytes of a picture. */
export const AVATAR_BYTES_MAX = 262_144
/** Pixels of a side: a picture of few bytes may unfold to many. */
export const AVATAR_SIDE_MAX = 4_096

const refusePicture = (message: string): never => {
  const errors = [{ path: '/image', message }]
  throw new Fault('INVALID_INPUT', 'The picture is none that is taken.', { errors })
}

/** A picture by its base64 text, looked at. @throws Fault INVALID_INPUT */
const pictureOf = (text: string): ImageForm & { readonly bytes: Uint8Array } => {
  let bytes: Uint8Array
  try {
    bytes = fromBase64(text)
  } catch {
    return refusePicture('is not base64 with padding')
  }
  if (bytes.length > AVATAR_BYTES_MAX) refusePicture(`has ${bytes.length} bytes; ${AVATAR_BYTES_MAX} are taken`)
  const form = imageFormOf(bytes)
  if (form === undefined) return refusePicture('is no whole PNG, JPEG or WebP')
  if (Math.max(form.width, form.height) > AVATAR_SIDE_MAX) {
    refusePicture(`is ${form.width} by ${form.height} pixels; ${AVATAR_SIDE_MAX} a side are taken`)
  }
  return { ...form, bytes }
}

/** Shows a token. */
const createShown = ({ store, vault }: MachineContext) => {
  const avatarOf = ({ machine, now: { avatar }, digits }: TokenFound, wanted: boolean): TokenShown['avatar'] => {
    if (avatar === null) return null
    const { kid, ...about } = avatar
    const sealed = wanted ? store.peek('tokenAvatar', digits) : undefined
    if (sealed === undefined) return { ...about, data_url: null }
    const place = { id_hash: machine.id_hash, seq: avatar.seq, type: tokenEntries.avatar }
    const dataKey = store.peek('machineDataKey', keyOf(machine.slug, kid))
    const bytes = openBytes(vault, dataKey, { sealed, kid, place })
    return { ...about, data_url: bytes === undefined ? null : `data:${about.media_type};base64,${toBase64(bytes)}` }
  }
  return (reader: Pick<Transaction, 'get'>, asking: MachineRequest, wanted = false): TokenShown => {
    const found = tokenFor(reader, asking, 'none')
    const { machine, token, digits, asset, now } = found
    const { name, symbol, max_supply } = token
    return {
      ...{ slug: machine.slug, asset, name, symbol, max_supply },
      remaining: max_supply - now.issued,
      description: now.description,
      avatar: avatarOf(found, wanted),
      mint: reader.get('tokenMint', digits)?.rate ?? null,
    }
  }
}

/** What stands beside the name of a token: its words and its picture. */
export const createToken = (context: MachineContext, settle: (slug: string) => Promise<void>) => {
  const { store, vault } = context
  const shown = createShown(context)

  const place = (
    tx: Transaction,
    writing: MachineRequest,
    picture: ReturnType<typeof pictureOf> | null,
  ): TokenShown => {
    const { machine, standing, digits, asset, now } = tokenFor(tx, writing, 'admin')
    assertActive(machine)
    const { caller } = writing
    const speaking = { type: tokenEntries.avatar, caller, standing }
    if (picture === null) {
      say(context, tx, machine, { ...speaking, open: { asset, avatar: null } })
      tx.del('tokenAvatar', digits)
      tx.put('tokenStanding', digits, { ...now, avatar: null })
      return shown(tx, writing)
    }
    const { bytes, media_type, width, height } = picture
    const about = { digest: toHex(sha256(bytes)), media_type, bytes: bytes.length, width, height }
    const { open, secret } = shownOn(machine, { avatar: about })
    const { seq } = say(context, tx, machine, { ...speaking, open: { asset, ...open }, secret }).entry
    const fresh = tx.get('machine', machine.slug) ?? machine
    const at = { id_hash: machine.id_hash, seq, type: tokenEntries.avatar }
    const { sealed, kid } = sealBytes(tx, vault, { machine: fresh, place: at, bytes })
    if (kid !== fresh.kid) tx.put('machine', machine.slug, { ...fresh, kid })
    const avatar: AvatarRow = { ...about, kid, seq }
    tx.put('tokenAvatar', digits, sealed)
    tx.put('tokenStanding', digits, { ...now, avatar })
    return shown(tx, writing)
  }

  return {
    /** What a token says of itself, with its picture if it is wanted. @throws Fault NOT_FOUND also without token. */
    token: async (asking: MachineRequest, wanted: boolean): Promise<TokenShown> => {
      await settle(asking.slug)
      return shown({ get: store.peek }, asking, wanted)
    },

    /** Describes a token. @throws Fault NOT_FOUND, SCOPE_REQUIRED, MACHINE_NOT_ACTIVE, RATE_LIMITED */
    setToken: async (writing: Writing, description: string | null): Promise<Replayable<TokenShown>> => {
      const { caller, slug, scope, idempotencyKey: key } = writing
      await settle(slug)
      tokenFor({ get: store.peek }, writing, 'admin')
      return once(context, { caller, scope, key, input: { slug, description } }, (tx) => {
        const { machine, standing, digits, asset, now } = tokenFor(tx, writing, 'admin')
        assertActive(machine)
        const members = shownOn(machine, { description })
        const open = { asset, ...members.open }
        say(context, tx, machine, { type: tokenEntries.token, open, secret: members.secret, caller, standing })
        tx.put('tokenStanding', digits, { ...now, description })
        return shown(tx, writing)
      })
    },

    /**
     * Gives a token a picture, which rests sealed under the machine's data key, or takes it away.
     *
     * @param image base64, or null.
     * @throws Fault INVALID_INPUT for what is no picture, NOT_FOUND, SCOPE_REQUIRED, MACHINE_NOT_ACTIVE, RATE_LIMITED
     */
    setAvatar: async (writing: Writing, image: string | null): Promise<Replayable<TokenShown>> => {
      const { caller, slug, scope, idempotencyKey: key } = writing
      await settle(slug)
      tokenFor({ get: store.peek }, writing, 'admin')
      const picture = image === null ? null : pictureOf(image)
      const input = { slug, image: picture === null ? null : toHex(sha256(picture.bytes)) }
      return once(context, { caller, scope, key, input }, (tx) => place(tx, writing, picture))
    },
  }
}
