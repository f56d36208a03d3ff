import { readChallenge, type SignedChallenge } from '#core/dispute/challenge.ts'
import { type DrawReveal, readReveal, readRuling, type SignedRuling } from '#core/dispute/statements.ts'
import type { MeshEvent } from '#core/events.ts'
import { fitting } from '#core/schema.ts'
import { readAccept, type SignedAccept } from '#core/work/accept.ts'
import { closeSchema, type JobClosed } from '#core/work/audit.ts'
import { readOffer, type SignedOffer } from '#core/work/offer.ts'
import type { WorkPlace } from '#core/work/published.ts'
import { readWork, type SignedWork } from '#core/work/work.ts'
import type { BlobName } from '#domain/network/works/types.ts'

interface Seed {
  readonly seed: string
  readonly node: string
}

/** The golden file of contributed work. */
export interface ContributionVectors {
  readonly seeds: Readonly<Record<'requester' | 'worker' | 'challenger' | 'ruler', Seed>>
  readonly offer: { readonly signed: SignedOffer; readonly digest: string }
  readonly accept: { readonly signed: SignedAccept; readonly digest: string }
  readonly work: { readonly signed: SignedWork; readonly digest: string; readonly outcome: string }
  readonly states: readonly { readonly bytes: string; readonly sha256: string; readonly leaf: string }[]
  readonly dossier: string
  readonly published: {
    readonly event: MeshEvent
    readonly leaves: readonly { readonly leaf: string }[]
    readonly place: WorkPlace
  }
  readonly close: JobClosed
  readonly challenges: readonly { readonly signed: SignedChallenge; readonly digest: string }[]
  readonly reveals: readonly DrawReveal[]
  readonly draw: Parameters<typeof import('#core/dispute/draw.ts').ranksOf>[0] & { readonly ranks: readonly string[] }
  readonly rulings: readonly SignedRuling[]
  readonly frames: readonly {
    readonly kind: 'ask' | 'tell' | 'ack'
    readonly n: number
    readonly message: string
    readonly frame: string
  }[]
  readonly blobs: {
    readonly questions: readonly { readonly name: BlobName; readonly question: string }[]
    readonly heads: readonly { readonly size: number | null; readonly head: string }[]
  }
  readonly packed: readonly { readonly bytes: string }[]
  readonly refused: {
    readonly documents: readonly { readonly of: keyof typeof readers; readonly why: string; readonly value: unknown }[]
    readonly frames: readonly { readonly why: string; readonly frame: string }[]
    readonly questions: readonly { readonly why: string; readonly question: string }[]
    readonly heads: readonly { readonly why: string; readonly head: string }[]
    readonly packed: readonly { readonly why: string; readonly bytes: string }[]
  }
}

type Given = Pick<ContributionVectors, 'seeds' | 'offer'>

/** How each document is read by whoever knows who must have signed it. @throws Fault */
export const readers = {
  offer: (value: unknown, _: Given) => readOffer(value),
  accept: (value: unknown, { offer }: Given) => readAccept(value, offer.signed.offer),
  work: (value: unknown, { seeds }: Given) => readWork(value, seeds.worker.node),
  challenge: (value: unknown, { seeds }: Given) => readChallenge(value, seeds.challenger.node),
  ruling: (value: unknown, { seeds }: Given) => readRuling(value, seeds.ruler.node),
  reveal: (value: unknown, _: Given) => readReveal(value),
  close: (value: unknown, _: Given) => fitting(closeSchema, value),
} as const
