import type { FireReading } from '#core/contract/fire-row.ts'
import type { Scalar } from '#core/contract/standing.ts'
import type { Log } from '#core/telemetry.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import type { Signer } from '#ports/crypto.ts'
import { numberedKey } from '#store/rows/contract.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import { createOutwardCall } from './call.ts'
import { createGate } from './gate.ts'
import type { GivenUp } from './gave-up.ts'
import { createOutbox } from './outbox.ts'
import { OutwardProblem } from './problem.ts'
import { readValue, type UrlOrder } from './read-url.ts'
import type { NameServers } from './resolve.ts'
import type { SecretOf } from './secrets.ts'
import { assertTarget, type CallTarget, targetRules } from './targets.ts'

/** Calls outward at once, of one owner, and to one host: of notifications, and as many again of readings. */
export const bounds = { callsMax: 16, perOwnerMax: 4, perHostMax: 4 } as const

export interface OutwardPorts extends NameServers {
  readonly store: Store
  readonly log: Log
  /** Signs notifications: a key for nothing else. */
  readonly signer: Signer
  readonly secretOf: SecretOf
  /** Writes down that a notification was given up. */
  readonly gaveUp: (tx: Transaction, of: GivenUp) => void
  /** The setting `contracts.targets`. */
  readonly targets: readonly string[]
  /** Certificates that are trusted beside the system's, PEM. */
  readonly trusted?: readonly string[]
  /** Aborts when a call that begins now has taken too long. */
  readonly limit?: () => AbortSignal
}

const fits: Readonly<Record<string, (value: Scalar) => boolean>> = {
  number: (it) => typeof it === 'number',
  integer: (it) => Number.isSafeInteger(it),
  boolean: (it) => typeof it === 'boolean',
  text: (it) => typeof it === 'string',
}

/** What contracts do outside of this node: notifications, and readings of documents. */
export const createOutward = ({ store, log, signer, secretOf, gaveUp, targets, ...more }: OutwardPorts) => {
  const rules = targetRules(targets)
  const call = createOutwardCall({ rules, ...more })
  const stop = new AbortController()
  const outbox = createOutbox({
    ...{ store, call, gate: createGate(bounds), signer, secretOf, gaveUp, log },
    signal: stop.signal,
  })
  const readings = createGate(bounds)

  const ownerOf = (contract: string): string => {
    const slug = store.peek('contract', contract)?.slug
    return (slug === undefined ? undefined : store.peek('machine', slug)?.owner_zid) ?? ''
  }
  const readUrl = async (order: UrlOrder, owner: string, signal: AbortSignal): Promise<Scalar> => {
    const both = AbortSignal.any([signal, stop.signal])
    using _ = await readings.enter({ owner, host: URL.parse(order.url)?.host ?? '' }, both)
    return await readValue(call, order, both)
  }
  const readOracle = async (
    contract: string,
    oracle: string,
    signal: AbortSignal,
  ): Promise<FireReading | undefined> => {
    const row = store.peek('contract', contract)
    const version = row === undefined ? undefined : store.peek('contractVersion', numberedKey(contract, row.version_no))
    const said = (version?.definition as unknown as Definition | undefined)?.oracles[oracle]
    if (said === undefined || said.from.kind !== 'url') return undefined
    const { url, pointer, secret: name } = said.from
    const host = URL.parse(url)?.host ?? ''
    try {
      const secret = name === undefined ? undefined : secretOf(contract, name)
      if (name !== undefined && secret === undefined) throw new OutwardProblem('secret', `There is no secret ${name}.`)
      const value = await readUrl({ url, pointer, secret }, ownerOf(contract), signal)
      if (fits[said.type]?.(value) !== true) throw new OutwardProblem('absent', `What stands there is no ${said.type}.`)
      return { oracle, value, tick: store.now().meshTick, source: `url:${host}`, basis: 'node' }
    } catch (cause) {
      signal.throwIfAborted()
      if (stop.signal.aborted) return undefined
      if (!(cause instanceof OutwardProblem)) throw cause
      const { reason, status = null } = cause
      log.warn({ contract, oracle, host, reason, status }, 'reading_failed')
      return undefined
    }
  }

  return {
    /** Judges an address when a contract is written. @throws Fault TARGET_REFUSED */
    assertTarget: (url: string): CallTarget => assertTarget(rules, url),

    /** One value of a document elsewhere, now. @throws OutwardProblem; the signal's reason. */
    readUrl,

    /**
     * Reads the url of an oracle, by the contract's present version; undefined when no value that fits was to be had.
     *
     * @throws the signal's reason
     */
    read: (of: { readonly contract: string; readonly oracle: string }, signal: AbortSignal) =>
      readOracle(of.contract, of.oracle, signal),

    /** Begins to send what is due. */
    run: outbox.run,
    /** Resolves when nothing that was begun is under way. */
    settled: outbox.settled,

    [Symbol.asyncDispose]: async (): Promise<void> => {
      stop.abort(new Error('the node stops'))
      await outbox.settled()
    },
  }
}

export type OutwardService = ReturnType<typeof createOutward>
