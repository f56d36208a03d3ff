import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import { assertProves, challengeDigest, readChallenge } from '#core/dispute/challenge.ts'
import { ranksOf } from '#core/dispute/draw.ts'
import { readReveal, readRuling } from '#core/dispute/statements.ts'
import { eventId } from '#core/events.ts'
import { packed, unpacked } from '#core/packed.ts'
import { fitting } from '#core/schema.ts'
import { acceptDigest, readAccept } from '#core/work/accept.ts'
import { closeFault, closeSchema } from '#core/work/audit.ts'
import { offerDigest, readOffer } from '#core/work/offer.ts'
import { holdsWork } from '#core/work/published.ts'
import { stateLeafData } from '#core/work/segments.ts'
import { outcomeDigest, readWork, voidBecause, workDigest } from '#core/work/work.ts'
import { sha256 } from '#crypto'
import { headFrame, questionFrame, readHead, readQuestion } from '#domain/network/blobs/frames.ts'
import { isDossier } from '#domain/network/disputes/dossier.ts'
import { linkFrame, readLinkFrame } from '#domain/network/links/frames.ts'
import { each, type Golden, refuses, same, type Vectors } from './vector.ts'

/** How each document is read by whoever knows who must have signed it. @throws Fault */
const readersOf = ({ seeds, offer }: Golden): Readonly<Record<string, (value: unknown) => unknown>> => ({
  offer: readOffer,
  accept: (value) => readAccept(value, offer.signed.offer),
  work: (value) => readWork(value, seeds.worker.node),
  challenge: (value) => readChallenge(value, seeds.challenger.node),
  ruling: (value) => readRuling(value, seeds.ruler.node),
  reveal: readReveal,
  close: (value) => fitting(closeSchema, value),
})

const refusedOf: Vectors = (it) => {
  const readers = readersOf(it)
  const { documents, frames, questions, heads, packed: shapes } = it.refused
  return [
    ...each(documents, ({ of, value }) => refuses(() => readers[of]?.(value))),
    ...each(frames, ({ frame }) => readLinkFrame(fromHex(frame)) === undefined),
    ...each(questions, ({ question }) => refuses(() => readQuestion(utf8(question)))),
    ...each(heads, ({ head }) => refuses(() => readHead(utf8(head)))),
    ...each(shapes, ({ bytes }) => refuses(() => unpacked(fromHex(bytes)))),
  ]
}

/** Contributed work and its disputes: what is signed, said, asked for and packed, and what of it is refused. */
export const contribution: Vectors = (it) => {
  const { seeds, offer, accept, work, published, draw } = it
  const terms = offer.signed.offer
  return [
    () => offerDigest(readOffer(offer.signed).offer) === offer.digest,
    () => acceptDigest(readAccept(accept.signed, terms).accept) === accept.digest,
    () => workDigest(readWork(work.signed, seeds.worker.node).work) === work.digest,
    () => outcomeDigest(work.signed.work) === work.outcome && voidBecause(terms, work.signed.work) === undefined,
    () => closeFault(it.close, { audit: terms.audit, work: work.digest }) === undefined,
    () => isDossier(utf8(it.dossier), { work: work.digest, worker: seeds.worker.node }),
    () => eventId(published.event) === published.place.event && holdsWork(published.event.payload, published.place),
    ...each(it.states, ({ bytes, sha256: name, leaf }, i) => {
      const state = { inputs_digest: terms.inputs, i, step: i, sha256: name }
      return toHex(sha256(utf8(bytes))) === name && toHex(stateLeafData(state)) === leaf
    }),
    ...each(it.challenges, ({ signed, digest }) => {
      const { challenge } = readChallenge(signed, seeds.challenger.node)
      assertProves(challenge, work.signed.work, terms.inputs)
      return challengeDigest(challenge) === digest
    }),
    ...each(it.reveals, (reveal) => same(readReveal(reveal), reveal)),
    () => same(ranksOf(draw, terms.pool), draw.ranks),
    ...each(it.rulings, (signed) => same(readRuling(signed, seeds.ruler.node), signed)),
    ...each(it.frames, ({ kind, n, message, frame }) => {
      const read = readLinkFrame(fromHex(frame))
      return read?.kind === kind && read?.n === n && toHex(linkFrame(kind, n, utf8(message))) === frame
    }),
    ...each(it.blobs.questions, ({ name, question }) => toHex(questionFrame(name)) === toHex(utf8(question))),
    ...each(it.blobs.heads, ({ size, head }) => {
      const bytes = utf8(head)
      return readHead(bytes) === (size ?? undefined) && toHex(headFrame(size ?? undefined)) === toHex(bytes)
    }),
    ...each(it.packed, ({ bytes }) => toHex(packed(unpacked(fromHex(bytes)))) === bytes),
    ...refusedOf(it),
  ]
}
