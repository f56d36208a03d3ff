import { Fault } from './fault.ts'

/** Who calls. A credential is looked up once, at the gateway; everything after it reads this. */
export type Caller =
  | {
      readonly kind: 'anonymous'
      /** IPv4 /32 or IPv6 /64 of the client: what budgets and ladders count by. */
      readonly bucket: string
      /**
       * A publish key of a machine: it puts pages there, and whoever knows nothing of that sees nobody. No other
       * endpoint lets it in.
       */
      readonly publisher?: {
        readonly slug: string
        readonly keyId: string
        /** SHA-256 of the key, hex: where its row stands. */
        readonly keyHash: string
      }
    }
  | {
      /**
       * `demo`: the shared or a minted demo key. `account`: an account key. `owner`: this node's owner, by local link.
       */
      readonly kind: 'demo' | 'account' | 'owner'
      readonly bucket: string
      /** Owner of what is minted: an account's ZID, or `house` for demo keys. */
      readonly zid: string
      /** Id of the key presented (a digest prefix, never the key). */
      readonly keyId: string
      /** Ledger account that pays: `zid…` or `demo:<key id>`. */
      readonly account: string
      /** Shared demo key: counted per bucket and day instead of by balance. */
      readonly shared: boolean
    }
  | {
      /** A key that was made under a machine: never a person. */
      readonly kind: 'machine'
      readonly bucket: string
      /** ZID of the machine's owner, who pays. */
      readonly zid: string
      readonly keyId: string
      /** SHA-256 of the key, hex: where its row stands. */
      readonly keyHash: string
      readonly account: string
      readonly shared: false
      readonly machine: { readonly slug: string; readonly scope: 'read' | 'write' | 'admin' }
      readonly tier: 'standard' | 'low'
    }
  | {
      /** The key of a channel, which reaches that channel and nothing else: never a person, and nobody's account. */
      readonly kind: 'channel'
      readonly bucket: string
      /** ZID of the channel's owner, who pays. */
      readonly zid: string
      readonly keyId: string
      /** SHA-256 of the key, hex. */
      readonly keyHash: string
      readonly account: string
      readonly shared: false
      /** Id of the channel. */
      readonly channel: string
    }

/** @param detail what is for the owner of the node alone. @throws Fault SCOPE_REQUIRED */
export const assertOwner = (caller: Caller, detail: string): void => {
  if (caller.kind !== 'owner') throw new Fault('SCOPE_REQUIRED', detail, { scope: 'owner' })
}

/** Whether a caller has more to show than a demo key, which anybody is given. */
export const isSignedIn = ({ kind }: Caller): boolean => kind === 'account' || kind === 'owner' || kind === 'machine'

/** A caller that has an account; demo, machine and anonymous ones have none. @throws Fault SCOPE_REQUIRED */
export const accountCaller = (caller: Caller): Extract<Caller, { readonly kind: 'demo' | 'account' | 'owner' }> => {
  if (caller.kind === 'account' || caller.kind === 'owner') return caller
  throw new Fault('SCOPE_REQUIRED', 'This needs the key of an account.', { scope: 'account' })
}
