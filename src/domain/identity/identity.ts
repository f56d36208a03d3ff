import type { Caller } from '#core/caller.ts'
import type { Repeat, WithReplayed } from '#core/once.ts'
import type {
  AccountItem,
  CreatedKey,
  ExportedKey,
  JwkItem,
  KeyItem,
  MintedDemoKey,
  NodeDescription,
  SharedKey,
  SignedUp,
  ZidPlace,
} from './views.ts'

/** Whatever a request presents; the bucket counts when it presents nothing. */
export interface Credentials {
  /** The Authorization header. */
  readonly authorization?: string | undefined
  /** Value of the session cookie. */
  readonly session?: string | undefined
  /** IPv4 /32 or IPv6 /64 of the client. */
  readonly bucket: string
}

export interface SignUp {
  /** Raw Ed25519 public key, hex; the node makes and keeps a key when absent. */
  readonly publicKey?: string | undefined
  /** Over (`tickmesh/sign-up/1`, {node, public_key, mesh_tick}), hex. */
  readonly signature?: string | undefined
  readonly meshTick?: number | undefined
  readonly bucket: string
  /** From the fourth sign-up of a bucket's hour on: the challenge as given, and a nonce that solves it. */
  readonly work?: { readonly challenge: string; readonly nonce: string } | undefined
}

/**
 * What a client must solve: leading zero bits of SHA-256(`tickmesh/pow/1`, 0x0A, challenge, 0x0A, nonce in decimal).
 */
export interface WorkTerms {
  readonly challenge: string
  readonly bits: number
  readonly expires_mesh_tick: number
}

export interface SignedInSession {
  /** Value of the cookie: 32 random bytes. */
  readonly token: string
  readonly maxAgeSeconds: number
  readonly zid: string
}

/** Who is who: the node's own keys, accounts, credentials and sessions. */
export interface Identity {
  readonly nodeId: string
  /** The identity key, hex: what a verifier pins. */
  readonly publicKey: string
  /** The owner's ZID. */
  readonly ownerZid: string
  describe(): NodeDescription
  /** Keys that receivers of notifications verify by. */
  jwks(): readonly JwkItem[]
  /** Where a ZID is at home, by what its key told and by the accounts here. */
  placeOf(zid: string): ZidPlace
  /** Tells the mesh where the owner's ZID is at home, once, as soon as the log takes it. Called with every tick. */
  tellOwner(): Promise<void>
  /** @throws Fault UNAUTHENTICATED for a credential that is malformed, unknown, revoked or over. */
  callerOf(credentials: Credentials): Caller
  /** Looks again at the credential of a caller. @throws Fault UNAUTHENTICATED for one that was revoked or is over. */
  assertStillGood(caller: Caller): void
  /** @throws Fault BAD_SIGNATURE, INVALID_INPUT, RATE_LIMITED with the proof-of-work terms in `details.work`. */
  signUp(order: SignUp, repeat?: Repeat): Promise<WithReplayed<SignedUp>>
  /** The one key that can always be shown. */
  sharedDemoKey(): SharedKey
  /** @throws Fault RATE_LIMITED */
  mintDemoKey(bucket: string, repeat?: Repeat): Promise<WithReplayed<MintedDemoKey>>
  account(caller: Caller): Promise<AccountItem>
  /** The seed of a key that the node keeps, hex. @throws Fault SCOPE_REQUIRED, NOT_FOUND */
  exportKey(caller: Caller): Promise<ExportedKey>
  keys(caller: Caller): Promise<readonly KeyItem[]>
  createKey(
    caller: Caller,
    order: { readonly name: string; readonly expiresMeshTick?: number | undefined },
    repeat?: Repeat,
  ): Promise<WithReplayed<CreatedKey>>
  /** @throws Fault NOT_FOUND */
  revokeKey(caller: Caller, id: string): Promise<void>
  /**
   * A token for the owner's first look at the page: works once, within an hour.
   *
   * @param caller who asks for it; nobody where the node itself does.
   * @throws Fault SCOPE_REQUIRED
   */
  ownerLink(caller?: Caller): string
  /** @throws Fault UNAUTHENTICATED */
  openSession(linkToken: string): SignedInSession
  /** Whether a caller is a person who signed in at the page within a quarter of an hour: no key is. */
  isPerson(caller: Caller): boolean
  /** Ends the session that a caller came with; nothing for a caller with a key. */
  closeSession(caller: Caller): void
}
