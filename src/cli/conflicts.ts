import type { ProvenSuccession } from '#core/succession.ts'
import { type HeldReceipt, type TokenEvidence, tokenEvidenceOf } from '#core/token/evidence.ts'
import { packList, placesOf, type TokenList } from '#core/token/list.ts'
import type { TokenStepName, TokenVerification } from '#core/token/verify.ts'

/** Tokens of all receipts of a call that are held against each other; 50 MB of names. */
const PLACES_MAX = 250_000

/** Two receipts of a call that take one token twice. */
export interface Conflict {
  readonly files: readonly [string, string]
  readonly home: string
  readonly evidence: TokenEvidence
}

/** Steps that must hold before a receipt says anything against its home, whoever is trusted. */
const SPEAKING: readonly TokenStepName[] = ['op', 'list', 'applied', 'signature']

interface Known extends HeldReceipt {
  readonly file: string
}

/** A receipt that says something, and lists its tokens. */
const heldOf = ({ steps, token }: TokenVerification): HeldReceipt | undefined => {
  const speaks = SPEAKING.every((name) => steps.some(({ step, state }) => step === name && state === 'ok'))
  if (!speaks || token?.list === undefined) return undefined
  const { op, public_key, signature, receipt, receipt_signature, list } = token
  return { op, public_key, signature, receipt, receipt_signature, list: packList(list) }
}

/** What receipts of one call say against each other. */
export interface ConflictSearch {
  /** Takes a receipt in; answers its conflict with one that came before. */
  add(file: string, found: TokenVerification): Conflict | undefined
  /** Whether receipts were left out because there were too many tokens. */
  readonly isPartial: boolean
}

/** Looks for receipts of one home that take the same token at the same spend_seq. */
export const conflictSearch = (successions: readonly ProvenSuccession[] = []): ConflictSearch => {
  const first = new Map<string, Known>()
  let isPartial = false
  const keysOf = function* (home: string, list: TokenList): Generator<string> {
    for (const { token_id, spend_seq } of placesOf(list)) yield `${token_id}${spend_seq}/${home}`
  }
  return {
    get isPartial() {
      return isPartial
    },
    add: (file, found) => {
      const held = heldOf(found)
      if (held === undefined) return undefined
      const { home } = held.receipt
      if (first.size + held.op.count > PLACES_MAX) {
        isPartial = true
        return undefined
      }
      const known: Known = { ...held, file }
      const before = new Set<Known>()
      for (const key of keysOf(home, held.list)) {
        const taken = first.get(key)
        if (taken === undefined) first.set(key, known)
        else before.add(taken)
      }
      for (const other of before) {
        const evidence = tokenEvidenceOf(other, held, successions)
        if (evidence !== undefined) return { files: [other.file, file], home, evidence }
      }
      return undefined
    },
  }
}
