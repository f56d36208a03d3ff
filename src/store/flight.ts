import { Fault } from '#core/fault.ts'
import { type Coming, groundOf } from './coming.ts'
import type { Durable } from './durable.ts'
import { durableGround, type Ground } from './ground.ts'
import type { Awaiting } from './queued.ts'
import { writeGroup } from './write-group.ts'

/** The one group that may be on its way to the disk. */
export interface Flight {
  readonly isOn: boolean
  /** What is planned on now. */
  readonly ground: Ground
  /** Why nothing can be written any more; undefined while all is well. */
  readonly failure: Error | undefined
  /** Resolves at the next {@link ring}. */
  rung(): Promise<void>
  /** Wakes what waits: something was queued, or the group has landed. */
  ring(): void
  /** Lets nothing more be written, and says so. */
  fail(all: readonly Awaiting[], cause: unknown): void
  /** Waits until nothing is on its way. @throws Fault STORE_FAILED */
  landed(): Promise<void>
  /** Writes a group and lets its callers go on, whichever way it ends; none may be on its way. */
  send(coming: Coming, all: readonly Awaiting[]): void
}

/** Nothing is on its way. */
export const createFlight = (durable: Durable): Flight => {
  let flying: Ground | undefined
  let failure: Error | undefined
  let bell = Promise.withResolvers<void>()

  const ring = (): void => {
    bell.resolve()
    bell = Promise.withResolvers()
  }
  const fail = (all: readonly Awaiting[], cause: unknown): void => {
    // Whether a failed write reached the disk is unknown, so nothing more may be built on it in this process.
    failure ??= Object.assign(new Fault('STORE_FAILED'), { cause })
    for (const it of all) it.reject(failure)
  }
  return {
    get isOn() {
      return flying !== undefined
    },
    get ground() {
      return flying ?? durableGround(durable)
    },
    get failure() {
      return failure
    },
    rung: () => bell.promise,
    ring,
    fail,
    landed: async () => {
      while (flying !== undefined) await bell.promise
      if (failure !== undefined) throw failure
    },
    send: (coming, all) => {
      flying = groundOf(durable, coming)
      void writeGroup(durable, coming)
        .catch((cause: unknown) => fail(all, cause))
        .finally(() => {
          flying = undefined
          ring()
        })
    },
  }
}
