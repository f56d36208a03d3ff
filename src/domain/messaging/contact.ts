import { toHex } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { assertOwner } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { randomBytes } from '#crypto'
import { dayPeriod } from '#domain/economy/calendar.ts'
import { countOne, quotaKey } from '#domain/economy/quota.ts'
import { seqKey, seqOf } from '#store/layout.ts'
import type { ContactRow } from '#store/rows/contact.ts'
import type { Store } from '#store/store.ts'
import type { ContactPage, Received } from './views.ts'

/** Messages of one address bucket in a UTC day. */
export const MESSAGES_PER_DAY = 20
/** Messages kept; the oldest makes room. */
const MESSAGES_MAX = 10_000
const ID_BYTES = 16
const ONLY_ROW = 'all'

export interface Letter {
  readonly name?: string
  readonly reply_to?: string
  readonly subject?: string
  readonly message: string
}

/** Messages to the node's owner. They are kept here and go nowhere: no mail, no mesh. */
export interface Contact {
  /** @throws Fault DAILY_LIMIT_EXCEEDED, NODE_BUSY */
  send(letter: Letter, bucket: string): Promise<Received>
  /** Newest first, those before `before` if it is given. @throws Fault SCOPE_REQUIRED for anyone but the owner. */
  list(caller: Caller, page: { readonly limit: number; readonly before?: number }): Promise<ContactPage>
}

/** What people write to the owner, in a box with a bound. */
export const createContact = (store: Store): Contact => ({
  async send({ name, reply_to, subject, message }, bucket) {
    const id = toHex(randomBytes(ID_BYTES))
    const day = dayPeriod(store.now().instant)
    const tick = await store.commit((tx) => {
      if (countOne(tx, quotaKey('contact', day, bucket)) >= MESSAGES_PER_DAY) {
        const detail = `One address may send ${MESSAGES_PER_DAY} messages a day.`
        throw new Fault('DAILY_LIMIT_EXCEEDED', detail, {
          limit: MESSAGES_PER_DAY,
          retry_after_seconds: day.secondsLeft,
        })
      }
      const { first, next } = tx.get('contactBox', ONLY_ROW) ?? { first: 0, next: 0 }
      const row: ContactRow = {
        id,
        tick: tx.tick,
        name: name ?? null,
        reply_to: reply_to ?? null,
        subject: subject ?? null,
        message,
      }
      tx.put('contact', seqKey(next), row)
      const full = next - first >= MESSAGES_MAX
      if (full) tx.del('contact', seqKey(first))
      tx.put('contactBox', ONLY_ROW, { first: full ? first + 1 : first, next: next + 1 })
      return tx.tick
    })
    return { id, tick }
  },

  async list(caller, { limit, before }) {
    assertOwner(caller, 'Only the owner of the node reads its messages.')
    const { first, next } = (await store.get('contactBox', ONLY_ROW)) ?? { first: 0, next: 0 }
    const messages: ContactPage['messages'][number][] = []
    const older = before === undefined ? {} : { lt: seqKey(before) }
    for await (const [key, row] of store.range('contact', { reverse: true, limit, ...older })) {
      messages.push({ number: seqOf(key), ...row })
    }
    return { total: next - first, messages }
  },
})
