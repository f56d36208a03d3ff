import type { JobAnswer } from './answer.ts'
import { store, stored } from './storage.ts'

/** A receipt of this browser: what finds it again and opens it, and what it says in short. */
export interface RememberedReceipt {
  readonly token: string
  /** What opens it: whoever has it sees what the receipt is of. */
  readonly nonce: string
  readonly kind: string
  readonly value: number | null
  readonly unit: string
  readonly tick: number
  /** The node that made it: another one may be at this address later. */
  readonly node: string
}

const PLACE = 'tickmesh.receipts'
/** Receipts that a browser remembers; the oldest goes first. */
export const REMEMBERED_MAX = 100

const isOne = (it: unknown): it is RememberedReceipt => {
  if (typeof it !== 'object' || it === null) return false
  const { token, nonce, kind, unit, tick, node, value } = it as Readonly<Record<string, unknown>>
  return (
    [token, nonce, kind, unit, node].every((text) => typeof text === 'string') &&
    /^[0-9a-f]{32}$/.test(token as string) &&
    typeof tick === 'number' &&
    (value === null || typeof value === 'number')
  )
}

/** The receipts that this browser remembers of a node, newest first; what else stands there is passed over. */
export const remembered = (node: string): readonly RememberedReceipt[] => {
  try {
    const all: unknown = JSON.parse(stored(PLACE) ?? '[]')
    return Array.isArray(all) ? all.filter(isOne).filter((it) => it.node === node) : []
  } catch {
    return []
  }
}

/** The same list with one more in front, as long as it may be. */
export const withOne = (known: readonly RememberedReceipt[], one: RememberedReceipt): readonly RememberedReceipt[] =>
  [one, ...known.filter(({ token }) => token !== one.token)].slice(0, REMEMBERED_MAX)

/** What an answer leaves to be remembered; nothing where it was not sealed. */
export const memoryOf = ({ envelope, claim, value, unit }: JobAnswer, node: string): RememberedReceipt | undefined =>
  envelope === null || claim === null
    ? undefined
    : { token: envelope.token_id, nonce: claim.nonce, kind: envelope.kind, value, unit, tick: envelope.tick, node }

/** Remembers the receipt of an answer in this browser. */
export const remember = (answer: JobAnswer, node: string): void => {
  const one = memoryOf(answer, node)
  if (one !== undefined) store(PLACE, JSON.stringify(withOne(remembered(node), one)))
}
