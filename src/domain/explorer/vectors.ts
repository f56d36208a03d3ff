import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkAddCheckpoint, parseAddCheckpoint } from '#core/add-checkpoint.ts'
import * as advisory from '#core/advisory.ts'
import { digestible, littleEndianBytes, typedArrayOf } from '#core/arrays.ts'
import * as batches from '#core/batch/forms.ts'
import { bundleText, parseBundle } from '#core/bundle.ts'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import { canonical, parseCanonical } from '#core/canonical.ts'
import { openCheckpoint } from '#core/checkpoint.ts'
import { digest } from '#core/digest.ts'
import * as envelope from '#core/envelope.ts'
import { verifyEquivocation } from '#core/equivocation.ts'
import { eventId, eventLeaf, parseEvent } from '#core/events.ts'
import { checkHandshake } from '#core/handshake.ts'
import { apiKey, tokenIdOf } from '#core/ids.ts'
import { assertSoundKey, nodeIdOf, publicKeyOf, publicKeyOfSeed, verifyValue, zidOf } from '#core/keys.ts'
import * as machine from '#core/machine.ts'
import { leafHash, rootOf, verifyConsistency, verifyInclusion } from '#core/merkle.ts'
import { encodeVkey, parseVkey, takeSignatureLines, verifierOf } from '#core/note.ts'
import { workOf } from '#core/proof-of-work.ts'
import { readingDigest } from '#core/question.ts'
import { successionLeaf, verifySuccession } from '#core/succession.ts'
import { genesisAtOrAfter, meshTickAt, phaseAt } from '#core/tick.ts'
import { verifyTlogProof } from '#core/tlog-proof.ts'
import { verifyTokenEvidence } from '#core/token/evidence.ts'
import { assertList } from '#core/token/list.ts'
import { moveLeaf, opDigest } from '#core/token/op.ts'
import { verifyState } from '#core/token/state.ts'
import { verifyTokenReceipt } from '#core/token/verify.ts'
import { verifyVerdict } from '#core/verdict.ts'
import { verifyBundle } from '#core/verify.ts'
import * as voteDocuments from '#core/vote/documents.ts'
import { stakeFault } from '#core/vote/stake.ts'
import { sortStakes, tallyOf, voteLeaf } from '#core/vote/tally.ts'
import { readStatement } from '#core/witness-key.ts'
import { challengeText, createProofOfWork } from '#domain/identity/proof-of-work.ts'
import * as frames from '#domain/network/sync/frames.ts'
import { interpret } from '#domain/network/sync/interpret.ts'
import { channel, channelLink } from './channel-vectors.ts'
import { contract, fire, zone } from './contract-vectors.ts'
import { tally, tx } from './machine-vectors.ts'
import { mmio } from './mmio-vectors.ts'
import { each, type Golden, refuses, same, type Vector, type Vectors } from './vector.ts'
import { contribution } from './work-vectors.ts'

/** A row whose condition alone matters. */
const exampleAdvisory = {
  ...{ id: 'TM-2026-1', solver: 'heat', revisions: [1], says: 'It is wrong.', off: '1 %' },
  ...{ successor: null, tick: 0 },
}

const merkle: Vectors = (it) => {
  const leaves: readonly Uint8Array[] = it.leaf_hashes.map(fromHex)
  const roots: readonly Uint8Array[] = it.roots.map(fromHex)
  const leafAt = (i: number) => leaves[i] as Uint8Array
  const rootAt = (i: number) => roots[i] as Uint8Array
  return [
    ...each(it.roots, (root, size) => toHex(rootOf(leaves.slice(0, size))) === root),
    ...each(it.inclusion, ({ index, size, path }) =>
      verifyInclusion({ leafHash: leafAt(index), index, size, root: rootAt(size), path: path.map(fromHex) }),
    ),
    ...each(it.consistency, ({ oldSize, newSize, path }) => {
      const ends = { oldRoot: rootAt(oldSize), newRoot: rootAt(newSize) }
      return verifyConsistency({ oldSize, newSize, ...ends, path: path.map(fromHex) })
    }),
  ]
}

const claim: Vectors = (it) => [
  () => canonical(it.claim) === it.claim_text && envelope.claimDigest(it.claim) === it.claim_digest,
  () => envelope.verifyClaim(publicKeyOf(it.claim.node), it.claim, it.signature),
  () => envelope.receiptDigest(it.tick_receipt) === it.claim.receipt_digest,
  () => envelope.equationsDigest(it.equations) === it.claim.equations_digest,
  () => envelope.pulseHmac(fromHex(it.pulse.key), it.pulse.stamp) === it.pulse.hmac,
  () => envelope.hiddenDigest(fromHex(it.hidden.nonce), it.hidden.digest) === it.hidden.shown,
  () => toHex(envelope.ledgerLeaf(it.ledger.entry, it.ledger.signature)) === it.leaves[0].data,
  ...each(it.leaves, ({ data, hash }) => toHex(leafHash(fromHex(data))) === hash),
]

/** A claim of version 2, the bundle of it, and what the same key signed against the rules. */
const askedClaim: Vectors = (it) => {
  const judged = (part: object) =>
    verifyBundle({ bundle: { ...it.bundle, ...part }, trusted: it.trusted[0], schemas: () => it.schemas })
  const key = publicKeyOf(it.claim.node)
  return [
    ...each(it.digests, (row) => digest(row.purpose, row.value) === row.digest),
    () => canonical(it.claim) === it.claim_text && envelope.claimDigest(it.claim) === it.claim_digest,
    () => envelope.verifyClaim(key, it.claim, it.signature),
    () => !envelope.verifyClaim(key, it.claim, it.other_version),
    () => toHex(envelope.envelopeLeaf(it.claim, it.signature)) === it.leaf.data,
    () => toHex(leafHash(fromHex(it.leaf.data))) === it.leaf.hash,
    () => readingDigest(it.bundle.question) === it.reading_digest,
    () => judged({}).outcome === 'verified' && judged({}).answers === it.answers,
    () => judged(it.unconfirmed).outcome === 'verified',
    ...each(it.refused, ({ failing, question, envelope: forged, proof }) => {
      return judged({ question, envelope: forged, proof }).failing === failing
    }),
  ]
}

const note: Vectors = (it) => {
  const log = parseVkey(it.log_vkey)
  const witness = parseVkey(it.witness_vkey)
  const leaf = fromHex(it.leaf_hash)
  return [
    () => toHex(openCheckpoint(it.note, log).checkpoint.root) === it.checkpoint.root,
    () => openCheckpoint(it.cosigned, log, [witness]).cosignatures.length === 1,
    () => verifyTlogProof(it.proof, leaf, { log }).index === 2,
    () => verifyTlogProof(it.cosigned_proof, leaf, { log, witnesses: [witness] }).cosignatures.length === 1,
  ]
}

const witness: Vectors = (it) => [
  () => encodeVkey(readStatement(utf8(canonical(it.statement)), it.statement.node)) === it.statement.vkey,
  () => {
    const { text, line, vkey, seconds } = it.cosignature
    return takeSignatureLines(text, line, [parseVkey(vkey)])[0]?.timestamp === seconds
  },
  ...each(it.requests, ({ body, recorded, status }) => {
    const before = recorded === null ? undefined : { size: recorded.size, root: fromHex(recorded.root) }
    return checkAddCheckpoint(parseAddCheckpoint(utf8(body)), before).status === status
  }),
  ...each(it.malformed, ({ body }) => refuses(() => parseAddCheckpoint(utf8(body)))),
  ...each(it.evidence.proven, ({ proof, size }) => verifyEquivocation(proof).size === size),
  ...each(it.evidence.refused, ({ proof }) => refuses(() => verifyEquivocation(proof))),
]

const machines: Vectors = (it) => {
  const walk = machine.chainWalk({ seq: 0, previous: it.genesis_hash, tick: it.genesis.genesis_tick })
  return [
    () => machine.genesisHash(it.genesis) === it.genesis_hash,
    () => machine.machineIdHash(it.genesis.slug, it.genesis_hash) === it.id_hash,
    ...each(it.chain, ({ entry, hash }) => walk.step(entry, hash)),
    () => toHex(machine.headLeaf(it.head)) === it.head_leaf,
  ]
}

const keys: Vectors = (it) => [
  ...each(it.parties, ({ seed, public_key, zid, node }) => {
    const key = publicKeyOfSeed(fromHex(seed))
    return same([toHex(key), zidOf(key), nodeIdOf(key)], [public_key, zid, node])
  }),
  () => verifyValue(fromHex(it.parties[0].public_key), it.signed.purpose, it.signed.value, it.signed.signature),
  ...each(it.unsound, ({ public_key }) => refuses(() => assertSoundKey(fromHex(public_key)))),
  ...each(it.tokens, ({ log, index, token_id }) => tokenIdOf(log, index) === token_id),
  ...each(it.api_keys, ({ kind, bytes, key }) => apiKey(kind, fromHex(bytes)) === key),
]

const sync: Vectors = (it) => {
  const leaves: readonly Uint8Array[] = it.leaves.map((leaf: Golden) => fromHex(leaf.data))
  const hashes = leaves.map(leafHash)
  const [, node] = it.origin.split('/')
  const log = verifierOf(it.origin, publicKeyOf(node))
  const [three, five] = it.notes.map((row: Golden) => openCheckpoint(row.note, log).checkpoint)
  const leads = (oldRoot: Uint8Array, oldSize: number, path: readonly Uint8Array[]): boolean =>
    verifyConsistency({ oldSize, newSize: five.size, oldRoot, newRoot: five.root, path })
  const rangeOf = (frame: string): frames.Range => frames.readRange(fromHex(frame)) as frames.Range
  return [
    ...each(it.events, ({ event, leaf, id }) => toHex(eventLeaf(event)) === leaf && eventId(event) === id),
    ...each(it.leaves, ({ hash }, i) => toHex(hashes[i] as Uint8Array) === hash),
    ...each(it.notes, ({ size, root }) => toHex(rootOf(hashes.slice(0, size))) === root),
    () =>
      same(
        leaves.map((leaf, i) => interpret(node, i, leaf)?.event.type ?? null),
        ['identity.assert', null, null, null, null],
      ),
    () => frames.readHello(utf8(it.hello))?.logs[it.origin]?.[1] === it.notes[1].note,
    () => same(frames.readAsk(utf8(it.ask)), [[it.origin, 0, five.size]]),
    ...each(it.ranges, ({ from, to, frame }) => {
      const range = rangeOf(frame)
      const fits = range.leaves.every((leaf, i) => toHex(leaf) === it.leaves[from + i].data)
      return fits && range.leaves.length === to - from && leads(rootOf(hashes.slice(0, to)), to, range.path)
    }),
    () => {
      const [root, ...path] = rangeOf(it.continued.frame).before
      return root !== undefined && same([...root], [...three.root]) && leads(root, three.size, path)
    },
    () => frames.readAck(fromHex(it.ack)) === it.ranges.length,
  ]
}

/** How each golden file is read: from its stated inputs to its stated outputs. */
const readers: Readonly<Record<string, Vectors>> = {
  canonical: (it) => [
    ...each(it.accepted, ({ value, text, bytes }) => canonical(value) === text && toHex(utf8(text)) === bytes),
    ...each(it.refused, ({ bytes }) => refuses(() => parseCanonical(fromHex(bytes)))),
  ],
  digests: (it) => [
    ...each(it.digests, (row) => digest(row.purpose, row.value) === row.digest),
    ...each(it.arrays, (row) => same(digestible(row.schema, row.value, row.sizes), row.digestible)),
    ...each(it.bytes, (row) => toHex(littleEndianBytes(typedArrayOf(row.type, row.values))) === row.bytes),
  ],
  tick: (it) =>
    each(it.instants, ({ unix_ns, mesh_tick, phase, genesis }) => {
      const at = BigInt(unix_ns)
      return same([meshTickAt(at), phaseAt(at), genesisAtOrAfter(at)], [mesh_tick, phase, genesis])
    }),
  keys,
  merkle,
  claim,
  'claim-2': askedClaim,
  note,
  machine: machines,
  sync,
  witness,
  advisory: (it) => [
    ...each(it.conditions, ({ where, meets: yes, misses: no }) => {
      const [row] = advisory.readAdvisories([{ ...exampleAdvisory, where }]) as [advisory.Advisory]
      return (
        yes.every((inputs: Golden) => advisory.meets(row.where, inputs)) &&
        no.every((inputs: Golden) => !advisory.meets(row.where, inputs))
      )
    }),
    ...each(it.refused, (list) => refuses(() => advisory.readAdvisories(list))),
  ],
  bundle: (it) => [
    ...each(it.trusted, (trusted) => {
      const bundle = parseBundle(bundleText(it.bundle))
      return verifyBundle({ bundle, trusted, schemas: () => it.schemas }).outcome === 'verified'
    }),
    ...each(it.refused, ({ failing, envelope: forged, proof }) => {
      const bundle = { ...it.bundle, envelope: forged, proof }
      return verifyBundle({ bundle, trusted: it.trusted[0], schemas: () => it.schemas }).failing === failing
    }),
  ],
  event: (it) => [
    () => {
      const event = parseEvent(utf8(it.text))
      return toHex(eventLeaf(event)) === it.leaf && eventId(event) === it.id
    },
  ],
  succession: (it) => [
    ...each(it.proven, (row) => toHex(successionLeaf(verifySuccession(row.proven).succession)) === row.leaf),
    ...each(it.refused, (row) => refuses(() => verifySuccession(row.proven))),
  ],
  'token-op': (it) => [
    ...each(it.bad_lists, ({ bytes }) => refuses(() => assertList(fromHex(bytes)))),
    ...each(it.applied, (row) => {
      const { file } = row
      const trust = { trusted: it.trusted[0], list: fromHex(row.list_bytes) }
      const named = opDigest(file.op) === row.op_digest && toHex(moveLeaf(file)) === row.leaf
      return named && verifyTokenReceipt(file, trust).outcome === 'verified'
    }),
    ...each(
      it.refused,
      ({ failing, file }) => verifyTokenReceipt(file, { trusted: it.trusted[0] }).failing === failing,
    ),
    ...each(it.evidence.proven, ({ evidence }) => verifyTokenEvidence(evidence).token_id === evidence.token_id),
    ...each(it.evidence.refused, ({ evidence }) => refuses(() => verifyTokenEvidence(evidence))),
    () => verifyState(it.state),
  ],
  batch: (it) => [
    ...each(it.digests, ({ purpose, value, digest: hex }) => digest(purpose, value) === hex),
    ...each(it.calls, ({ call, bytes }) => toHex(batches.callLeaf(call)) === bytes),
    ...each(it.outcomes, ({ outcome, bytes }) => toHex(batches.outcomeLeaf(outcome)) === bytes),
    () => batches.verifyOpening(it.opening) && toHex(batches.openLeaf(it.opening)) === it.opening.bytes,
    () => batches.verifyClosing(it.closing) && toHex(batches.closeLeaf(it.closing)) === it.closing.bytes,
    () => batches.callsRoot(it.calls.map((row: Golden) => row.call)) === it.opening.opening.root,
    () => batches.outcomesRoot(it.outcomes.map((row: Golden) => row.outcome)) === it.closing.closing.outcomes,
  ],
  vote: (it) => [
    () => voteDocuments.proposalId(it.proposal.proposal) === it.proposal.id,
    ...each(it.stakes, ({ signed, id }) => stakeFault(signed) === undefined && voteDocuments.stakeId(signed) === id),
    ...each(it.refused, ({ signed }) => stakeFault(signed) !== undefined),
    ...each(it.leaves, ({ stake, leaf }) => toHex(voteLeaf(stake)) === leaf),
    ...each(it.counts, ({ rules, stakes, left_out, tally }) => {
      const by = { closes: rules.closes, logs: rules.logs ?? undefined, voided: new Set<string>(rules.voided) }
      const sorted = sortStakes(stakes, by)
      return same(Object.fromEntries(sorted.out), left_out) && same(tallyOf(sorted, by), tally)
    }),
  ],
  'proof-of-work': (it) => {
    const { check } = createProofOfWork(fromHex(it.secret))
    return each(it.cases, ({ terms, challenge, nonce, given, asked, mesh_tick, refused }) => {
      const work = { challenge, nonce }
      const made = challengeText(fromHex(it.secret), terms) === challenge && workOf(challenge, nonce) === given
      if (refused !== null) return made && refuses(() => check(work, asked, mesh_tick))
      return made && check(work, asked, mesh_tick).random === terms.random
    })
  },
  handshake: (it) =>
    each(it.handshakes, ({ header, body }) => {
      const ask = { header, body: fromHex(body), secrets: [fromHex(it.secret)], meshTick: it.mesh_tick }
      const verdict = checkHandshake(ask)
      return verdict.ok && verdict.sender === it.sender
    }),
  contribution,
  channel,
  'channel-link': channelLink,
  tally,
  tx,
  contract,
  fire,
  zone,
  mmio,
  verdict: (it) => [
    ...each(it.verdicts, (row) => verifyVerdict('verdict', row) && !verifyVerdict('attestation', row)),
    ...each(it.attestations, (row) => verifyVerdict('attestation', row)),
  ],
}

export interface Tally {
  readonly passed: number
  readonly total: number
}

const holds = (vector: Vector): boolean => {
  try {
    return vector()
  } catch {
    return false
  }
}

const checkFile = async (folder: string, file: string): Promise<Tally> => {
  const reader = readers[file.slice(0, -'.json'.length)]
  try {
    const vectors = reader?.(JSON.parse(await readFile(join(folder, file), 'utf8'))) ?? []
    // A file that nobody here can read counts as one vector that fails.
    return { passed: vectors.filter(holds).length, total: Math.max(1, vectors.length) }
  } catch {
    return { passed: 0, total: 1 }
  }
}

/** Checks every golden vector of a folder with the code that runs here, a file at a time. */
export const checkVectors = async (folder: string): Promise<Tally> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.json'))
  let sum: Tally = { passed: 0, total: 0 }
  for (const file of files) {
    const { passed, total } = await checkFile(folder, file)
    sum = { passed: sum.passed + passed, total: sum.total + total }
  }
  return sum
}
