import { assertOwner, type Caller } from '#core/caller.ts'
import type { WorkPlace } from '#core/work/published.ts'
import { type BlobRoom, createBlobs } from '#domain/network/blobs/blobs.ts'
import { createLinks, type Links } from '#domain/network/links/links.ts'
import type { WorkPage } from '#domain/network/views/works.ts'
import { partnersOf } from './partners.ts'
import { placeOf } from './requester/publish.ts'
import { createRequester } from './requester/requester.ts'
import type { Requester, RequesterPorts } from './requester/types.ts'
import { pageOfWorks } from './show.ts'
import type { Worker, WorkerPorts } from './worker/types.ts'
import { createWorker } from './worker/worker.ts'

/** What contributed work is made of. */
export interface WorksPorts
  extends Omit<WorkerPorts, 'links' | 'blobs'>,
    Omit<RequesterPorts, 'links' | 'blobs' | keyof WorkerPorts> {
  /** Bytes of all that is kept for others. */
  readonly blobsBytesMax: number
}

/** Contributed work: what this node does for others, and what others do for it. */
export interface Works extends AsyncDisposable {
  readonly links: Links
  readonly blobs: BlobRoom
  readonly worker: Worker
  readonly requester: Requester
  /** Where a work that this node took or gave was published. */
  placeOf(work: string): Promise<WorkPlace | undefined>
  /** Nodes whose events concern this one because of works, a few. */
  partners(): readonly string[]
  /** Jobs that this node took and gave, the newest first. @throws Fault SCOPE_REQUIRED */
  list(caller: Caller, page: { readonly limit: number; readonly offset: number }): Promise<WorkPage>
  /** Reads what stood before the restart. Call it before anything is asked. */
  load(): Promise<void>
  /** What comes round with the ticks. */
  beat(): void
}

const OWNER_ONLY = 'what a node does for others only its owner sees'

/** Contributed work of one node. */
export const createWorks = (ports: WorksPorts): Works => {
  const { store, log, sleep } = ports
  const links = createLinks({ log, sleep })
  const blobs = createBlobs({ store, bytesMax: ports.blobsBytesMax, log })
  const worker = createWorker({ ...ports, links, blobs })
  const requester = createRequester({ ...ports, links, blobs })
  return {
    links,
    blobs,
    worker,
    requester,
    placeOf: async (work) => {
      const taken = worker.takenOf(work)
      if (taken?.place != null && taken.published !== null) return taken.place
      const given = requester.givenOf(work)
      return given === undefined ? undefined : placeOf(store, given)
    },
    partners: () => partnersOf({ taken: worker.taken(), given: requester.given() }, store.now().meshTick),
    list: async (caller, page) => {
      assertOwner(caller, OWNER_ONLY)
      return pageOfWorks(store, { taken: worker.taken(), given: requester.given() }, page)
    },
    load: async () => {
      await worker.load()
      await requester.load()
    },
    beat: () => {
      links.beat()
      worker.beat()
      requester.beat()
      blobs.beat().catch((error: unknown) => log.error({ error }, 'blobs_not_swept'))
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all([worker[Symbol.asyncDispose](), requester[Symbol.asyncDispose]()])
      await links[Symbol.asyncDispose]()
    },
  }
}
