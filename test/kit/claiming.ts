import { searchWork, type WorkToDo, workOf } from '#core/proof-of-work.ts'
import { hourPeriod } from '#domain/economy/calendar.ts'
import { quotaKey } from '#domain/economy/quota.ts'
import type { TestNode } from './node.ts'

/** Where a test's own calls come from. */
const BUCKET = '127.0.0.1'
/** Nonces that are tried at once. */
const TRIES = 1 << 16

/** The nonce that a challenge asks for. */
export const solved = (work: WorkToDo): string => {
  const search = searchWork(work, 0)
  for (;;) {
    const nonce = search.go(TRIES)
    if (nonce !== undefined) return nonce
  }
}

/** A nonce whose work is too little, and the bits that it gives. */
export const unsolved = ({ challenge, bits }: WorkToDo): { readonly nonce: string; readonly given: number } => {
  for (let n = 0; ; n++) {
    const given = workOf(challenge, String(n))
    if (given < bits) return { nonce: String(n), given }
  }
}

/** Burns what an account has beyond some credits, as computations would, but for their envelopes. */
export const impoverish = ({ node: { store } }: TestNode, zid: string, left = 3): Promise<void> =>
  store.commit((tx) => {
    const amount = tx.balance('free', zid) - left
    tx.post({ asset: 'free', debit: zid, credit: 'burned:compute', amount, reason: 'compute', ref: 'spent' })
  })

/** A new account with three credits. */
export const poorAccount = async (it: TestNode) => {
  const account = await it.client.call('identity.sign-up', {})
  await impoverish(it, account.zid)
  return { ...account, client: it.as(account.api_key) }
}

/** Says how many claims were paid to the test's address in this hour. */
export const claimsInHour = ({ node: { store } }: TestNode, count: number): Promise<void> =>
  store.commit((tx) => tx.put('quota', quotaKey('claim', hourPeriod(store.now().instant), BUCKET), count))
