import { fromHex } from '#core/bytes.ts'
import { purposes } from '#core/digest.ts'
import { nodeIdOf, verifyByNode, zidOf } from '#core/keys.ts'
import { closed, meshTick, nodeId, publicKey, signature } from '#core/schema.ts'
import { lastingType } from '#domain/network/event-type.ts'
import { ASSERTIONS_MAX } from '#store/rows/event.ts'

/** Mesh ticks that the signed tick may lie from the event's, either way: as at sign-up. */
const TICKS_APART_MAX = 120

/**
 * A ZID's key names its node: the statement of a sign-up, signed by that key, in the event log of the node it names. Of
 * the assertions of one key the newest counts, by the tick that the key signed; of two at one tick the larger node id.
 */
export const identityAssert = lastingType({
  type: 'identity.assert',
  payload: closed({
    node: nodeId(),
    public_key: publicKey({ description: "The account's raw public key; its ZID follows from it." }),
    mesh_tick: meshTick(),
    signature: signature(),
  }),
  atOnce: false,

  check: ({ sourceNodeId, tick }, { node, public_key, mesh_tick, signature: signed }) => {
    if (node !== sourceNodeId) return 'The assertion names another node than its source.'
    if (Math.abs(mesh_tick - tick) > TICKS_APART_MAX) return 'The assertion was signed at another time than the event.'
    // A key and the node id that would hold it are one thing, and there the key's soundness is checked too.
    const holder = nodeIdOf(fromHex(public_key))
    const fits = verifyByNode(holder, purposes.signUp, { node, public_key, mesh_tick }, signed)
    return fits ? undefined : 'The assertion is not signed by the key it names.'
  },

  apply: (tx, _, { node, public_key, mesh_tick }) => {
    const zid = zidOf(fromHex(public_key))
    const known = tx.get('assertion', zid)
    if (known !== undefined) {
      if (known.public_key !== public_key || known.mesh_tick > mesh_tick) return
      if (known.mesh_tick === mesh_tick && known.node >= node) return
    } else {
      const count = tx.get('assertionCount', 'all') ?? 0
      if (count >= ASSERTIONS_MAX) return
      tx.put('assertionCount', 'all', count + 1)
    }
    tx.put('assertion', zid, { public_key, node, mesh_tick })
  },
})
