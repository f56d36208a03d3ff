import type { Json } from '#core/canonical.ts'
import { canonicalBytes, parseCanonical } from '#core/canonical.ts'
import { commitmentTo } from '#core/dispute/draw.ts'
import { Fault } from '#core/fault.ts'
import { type SignedAccept, signAcceptWith } from '#core/work/accept.ts'
import { DISPUTE_TICKS } from '#core/work/exposure.ts'
import { offerDigest, readOffer, type SignedOffer } from '#core/work/offer.ts'
import type { AskedOfWorker } from '#domain/network/works/messages.ts'
import { servedUntil } from '#domain/network/works/served.ts'
import type { TakenRow } from '#store/works.ts'
import { inputsRefusal, type OfferRefusal, offerRefusal } from './admit.ts'
import type { TakenJobs } from './taken.ts'
import type { Tasks } from './tasks.ts'
import type { WorkerPorts } from './types.ts'

/** How long inputs that do not travel inside an offer may take, in milliseconds. */
const INPUTS_MS_MAX = 60_000

type OfferMessage = Extract<AskedOfWorker, { readonly type: 'offer' }>

/** An offer that was taken, or why it was not. */
export type OfferOutcome =
  | { readonly kind: 'taken'; readonly row: TakenRow; readonly inputs: Json }
  | { readonly kind: 'known'; readonly row: TakenRow }
  | { readonly kind: 'refused'; readonly refusal: OfferRefusal }

/** Takes offers: what is accepted is durable before anybody is told. */
export const createOffers = (ports: WorkerPorts, { taken, tasks }: { taken: TakenJobs; tasks: Tasks }) => {
  const { store, blobs, parts, nodeId, policy, values, signer } = ports

  const inputsOf = async ({ offer: { offer }, inputs }: OfferMessage, signal: AbortSignal): Promise<Json> => {
    if (inputs !== null) return inputs as Json
    const name = { kind: 'inputs', digest: offer.inputs } as const
    const bytes = await blobs.pull(name, [offer.job.requester], { signal })
    if (bytes === undefined) throw new Fault('NODE_UNREACHABLE', 'The inputs could not be had.')
    return parseCanonical(bytes)
  }

  const acceptOf = (offer: SignedOffer): Promise<SignedAccept> => {
    const name = offerDigest(offer.offer)
    return signAcceptWith(signer, {
      offer: name,
      worker: nodeId,
      bond: offer.offer.at_risk ? (store.peek('contribution', 'own')?.bond ?? null) : null,
      w: commitmentTo({ of: 'w', about: name, value: values.w(name, 0) }),
      mesh_tick: store.now().meshTick,
    })
  }

  const refusalOf = (offer: SignedOffer['offer'], from: string): OfferRefusal | undefined => {
    const bond = store.peek('contribution', 'own')?.bond
    return offerRefusal(offer, from, {
      node: nodeId,
      policy,
      meshTick: store.now().meshTick,
      takesWork: ports.contribution().takesWork,
      // Of a place that was just taken there is no row yet.
      open: (bond == null ? 0 : taken.worksOpen(bond)) + tasks.all().filter((it) => taken.get(it) === undefined).length,
      tasks: tasks.size,
      rows: taken.all.size,
      codeOf: parts.codeOf,
    })
  }

  return async (node: string, message: OfferMessage, stop: AbortSignal): Promise<OfferOutcome> => {
    const offer = readOffer(message.offer)
    const known = taken.get(offer.offer)
    if (known !== undefined && known.offer.signature === offer.signature) return { kind: 'known', row: known }
    if (known !== undefined) {
      return { kind: 'refused', refusal: { code: 'UNFIT', detail: 'This attempt was offered before in other words.' } }
    }
    const before = refusalOf(offer.offer, node)
    if (before !== undefined) return { kind: 'refused', refusal: before }
    const inputs = await inputsOf(message, AbortSignal.any([stop, AbortSignal.timeout(INPUTS_MS_MAX)]))
    // While the inputs came others may have taken the last place, and the node may have stopped contributing.
    const refusal = inputsRefusal(offer.offer, inputs, parts) ?? refusalOf(offer.offer, node)
    if (refusal !== undefined) return { kind: 'refused', refusal }
    tasks.begin(offer.offer, { node, meshTick: store.now().meshTick })
    try {
      const accept = await acceptOf(offer)
      const fresh: TakenRow = {
        ...{ state: 'running', offer, accept, result: null },
        ...{ place: null, published: null, closed: null, reason: null },
      }
      const row = await taken.change(offer.offer, (before, tx) => {
        if (before !== undefined) return undefined
        const until = servedUntil(offer.offer.deadline + DISPUTE_TICKS)
        blobs.put(tx, { kind: 'inputs', digest: offer.offer.inputs }, canonicalBytes(inputs), until)
        return fresh
      })
      if (row === undefined) throw new Fault('INVALID_INPUT', 'This attempt was offered twice at once.')
      return { kind: 'taken', row, inputs }
    } catch (cause) {
      tasks.end(offer.offer)
      throw cause
    }
  }
}
