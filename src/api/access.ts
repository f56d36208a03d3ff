import type { TObject } from 'typebox'
import type { Standing } from '#domain/credentials/standing.ts'

/**
 * `none`: credentials are not read. `optional`: a good one is used, a bad one is refused. `bearer`: 401 without one.
 * `handshake`: the mesh's own header, which the handler checks over the exact body bytes. `signed-link`: a signature in
 * the address. `stream-session`: the id of a session in which answers are encrypted. Of both the handler is the judge.
 */
export type Credential = 'none' | 'optional' | 'bearer' | HandledCredential
type HandledCredential = 'handshake' | 'signed-link' | 'stream-session'

/** Whether a handler judges the credential, and the gateway reads none. */
export const isHandled = (credential: Credential): credential is HandledCredential =>
  credential === 'handshake' || credential === 'signed-link' || credential === 'stream-session'

/** How far a caller must reach once its credential is good. The domain checks it again, inside its transaction. */
export type Reach =
  /** No further: whoever is let in is answered. */
  | { readonly to: 'anyone' }
  /** Whoever may spend: a machine's key that may only read spends nothing. */
  | { readonly to: 'payer' }
  /** A person with an account: neither a demo key nor a machine's key is one. */
  | { readonly to: 'account' }
  /** Whoever has a list: an account, or a demo key of its own, whose soulbound envelopes may still be filed. */
  | { readonly to: 'filer' }
  /** A key of one's own: the shared demo key is everyone's. */
  | { readonly to: 'own-key' }
  /** The owner of the node. */
  | { readonly to: 'node-owner' }
  /** The node's owner in person: a session of the page that was opened within a quarter of an hour, and no key. */
  | { readonly to: 'person' }
  /**
   * The owner's own key, as a bearer, on the node's own machine: elsewhere there is no such path, and no session or
   * other key of the same account will do.
   */
  | { readonly to: 'owner-key' }
  /** The list of one account, which is not there for anyone else. */
  | { readonly to: 'own-list' }
  /**
   * An envelope: its owner, the node's owner, and, of what a key of a machine had sealed, keys of that machine that may
   * spend. Channel: of a tick, the key of its channel as well. For anyone else it is not there.
   */
  | { readonly to: 'envelope'; readonly channel?: true }
  /** The same for its owner alone, account or demo key; whoever else is shown it may not do this with it. */
  | { readonly to: 'own-envelope' }
  /** A job, which is there for the key that began it alone. */
  | { readonly to: 'job' }
  /**
   * A role in the machine that the path names, or the input where no path does. A private machine is not there for a
   * stranger, whatever the role. In person: a key of the machine will not do, whatever it may. Publisher: the machine's
   * publish key will do as well, and does nowhere else.
   */
  | { readonly to: 'machine'; readonly role: Standing; readonly inPerson?: true; readonly publisher?: true }
  /** Whoever brings what a member of the machine signed, who has the role: the bearer needs none. */
  | { readonly to: 'signer' }
  /** A share token, which an account redeems. */
  | { readonly to: 'share' }
  /** A reactor: there for whoever has this role in the machine that holds its entries. */
  | { readonly to: 'reactor'; readonly role: Standing }
  /**
   * A channel. `owner`: the account that it is of. `tick`: that, the channel's own key, and keys of its machine that
   * may spend. `read`: those, and whoever sees the machine.
   */
  | { readonly to: 'channel'; readonly may: 'read' | 'tick' | 'owner' }

/** Who may use an endpoint. Without a credential it is for anyone, unless it is about a machine that may be private. */
export type Access =
  | { readonly credential: 'none'; readonly reach?: Extract<Reach, { readonly to: 'machine' }> }
  | { readonly credential: 'optional' | 'bearer'; readonly reach: Reach }
  | { readonly credential: HandledCredential; readonly reach?: never }

/** Whether an endpoint is there for callers on the node's own machine alone. */
export const isLocal = ({ access }: { readonly access: Access }): boolean => access.reach?.to === 'owner-key'

/** The member of the input that names the machine which an endpoint is about. */
export const machineMember = ({ input }: { readonly input: TObject }): string =>
  'motherSlug' in input.properties ? 'motherSlug' : 'slug'
