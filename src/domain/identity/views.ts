import Type from 'typebox'
import {
  closedModel,
  count,
  credits,
  hex64,
  meshTick,
  model,
  nodeId,
  oneOf,
  orNull,
  publicKey,
  tick,
  zid,
} from '#core/schema.ts'
import { provenSuccessionSchema } from '#core/succession.ts'
import type { View } from '#core/view.ts'

/** What identity answers: the node itself, accounts and their keys. */

/** What `GET /api/identity` is made of, as far as the node's keys and clock say it. */
export const nodeDescription = model('NodeDescription', {
  public_key: hex64({ description: 'Raw Ed25519 identity key.' }),
  node: nodeId(),
  zid: zid({ description: "The owner's ZID: that of the first identity key of this node." }),
  vkeys: Type.Object({
    log: Type.String({ description: 'Verifier key of the seal log, as `verify --key` takes it.' }),
    events: Type.String({ description: 'Verifier key of the event log.' }),
    witness: Type.String({ description: 'Verifier key of the witness: another key than the identity key.' }),
  }),
  genesisTick: count({ description: 'Mesh tick of the genesis.' }),
  genesis_ns: Type.String({ description: 'Unix nanoseconds of the genesis, in decimal.' }),
  tick: tick(),
  key_supersessions: Type.Array(provenSuccessionSchema, {
    description: 'Keys that this one took the place of, oldest first, each with its proof.',
  }),
})
export type NodeDescription = View<typeof nodeDescription>

/** A public key, as RFC 7517 and RFC 8037 write it. */
export const jwkItem = model('Jwk', {
  kty: oneOf(['OKP']),
  crv: oneOf(['Ed25519']),
  x: Type.String({ description: 'The raw public key, base64url.' }),
  kid: Type.String({ description: 'Its thumbprint, RFC 7638.' }),
  use: oneOf(['sig']),
  alg: oneOf(['EdDSA']),
})
export type JwkItem = View<typeof jwkItem>

/** Keys of this node that others verify by without knowing tickmesh. */
export const jwkSet = model('JwkSet', {
  keys: Type.Array(jwkItem, { description: 'That of `webhook-signature`, version v1a.' }),
})

/** Where a ZID is at home, as far as it is known here. */
export const zidPlace = closedModel('ZidPlace', {
  zid: zid(),
  known: Type.Boolean({ description: 'Whether an account here has it, or its key has named a node that is known.' }),
  node: orNull(nodeId(), { description: 'The node that its key named last, or the one that took its place.' }),
  here: Type.Boolean({ description: 'Whether that is this node.' }),
})
export type ZidPlace = View<typeof zidPlace>

const custody = (options = {}) => oneOf(['node', 'self'], options)

/** A new account. */
export const signedUp = model('SignedUp', {
  zid: zid(),
  custody: custody({ description: 'Who keeps the key of the ZID.' }),
  public_key: publicKey(),
  api_key: Type.String({ description: 'Shown only here.' }),
  key_id: Type.String(),
  credits: credits({ description: 'Free credits given; 0 when the account existed.' }),
})
export type SignedUp = View<typeof signedUp>

/** The one key that can always be shown. */
export const sharedKey = model('SharedKey', {
  key: Type.String(),
  plan: Type.String(),
  dailyLimit: count({ description: 'Calls a day per address bucket.' }),
})
export type SharedKey = View<typeof sharedKey>

/** A demo key with a budget of its own. */
export const mintedDemoKey = model('MintedDemoKey', {
  key: Type.String({ description: 'Shown only here.' }),
  key_id: Type.String(),
  plan: Type.String(),
  computeBudget: credits({ description: 'Free credits of this key.' }),
})
export type MintedDemoKey = View<typeof mintedDemoKey>

/** What a list shows of a key: never the key, nor its hash. */
export const keyItem = model('Key', {
  id: Type.String({ description: "First 16 digits of the key's SHA-256." }),
  name: Type.String(),
  kind: oneOf(['owner', 'account', 'demo']),
  created_tick: tick(),
  expires_mesh_tick: orNull(meshTick()),
  revoked: Type.Boolean(),
})
export type KeyItem = View<typeof keyItem>

/** A key of an account, shown once. */
export const createdKey = model('CreatedKey', {
  ...keyItem.properties,
  api_key: Type.String({ description: 'Shown only here.' }),
})
export type CreatedKey = View<typeof createdKey>

/** A link that opens the page as the owner of the node. */
export const ownerLink = closedModel('OwnerLink', {
  path: Type.String({ description: 'Path and one-time token, below the node’s URL.' }),
})

/** The account that a credential stands for. */
export const accountItem = model('Account', {
  zid: zid(),
  public_key: publicKey(),
  custody: custody(),
  created_tick: tick(),
  owner: Type.Boolean({ description: "Whether it is the node owner's account." }),
})
export type AccountItem = View<typeof accountItem>

/** The secret of an account whose key the node keeps. */
export const exportedKey = model('ExportedKey', {
  zid: zid(),
  seed: hex64({ description: 'Ed25519 seed: whoever has it is this ZID.' }),
})
export type ExportedKey = View<typeof exportedKey>
