import { advisoryVectors } from './advisory.ts'
import { askedClaimVectors } from './asked.ts'
import { batchVectors } from './batch.ts'
import { channelVectors } from './channel.ts'
import { channelLinkVectors } from './channel-link.ts'
import { contractVectors } from './contract.ts'
import { contributionVectors } from './contribution.ts'
import { canonicalVectors, digestVectors, keyVectors, merkleVectors, tickVectors } from './core.ts'
import { fireVectors } from './fire.ts'
import { machineVectors } from './machine.ts'
import { mmioVectors } from './mmio.ts'
import { proofOfWorkVectors } from './proof-of-work.ts'
import { successionVectors } from './succession.ts'
import { syncVectors } from './sync.ts'
import { tallyVectors } from './tally.ts'
import { tokenVectors } from './token.ts'
import { txVectors } from './tx.ts'
import { voteVectors } from './vote.ts'
import { bundleVectors, claimVectors, eventVectors, handshakeVectors, noteVectors, verdictVectors } from './wire.ts'
import { witnessVectors } from './witness.ts'
import { zoneVectors } from './zone.ts'

/** What makes each file of golden vectors, by its name. Pure: a browser makes them too. */
export const makers: Readonly<Record<string, () => object>> = {
  canonical: canonicalVectors,
  digests: digestVectors,
  tick: tickVectors,
  keys: keyVectors,
  merkle: merkleVectors,
  claim: claimVectors,
  'claim-2': askedClaimVectors,
  note: noteVectors,
  bundle: bundleVectors,
  event: eventVectors,
  handshake: handshakeVectors,
  verdict: verdictVectors,
  machine: machineVectors,
  succession: successionVectors,
  sync: syncVectors,
  witness: witnessVectors,
  advisory: advisoryVectors,
  'token-op': tokenVectors,
  vote: voteVectors,
  contribution: contributionVectors,
  'proof-of-work': proofOfWorkVectors,
  mmio: mmioVectors,
  batch: batchVectors,
  zone: zoneVectors,
  contract: contractVectors,
  fire: fireVectors,
  tally: tallyVectors,
  tx: txVectors,
  'channel-link': channelLinkVectors,
  channel: channelVectors,
}
