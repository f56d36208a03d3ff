import type { Store } from '#store/store.ts'
import { type Contact, createContact } from './contact.ts'

/** What people send each other, and the node's owner. */
export interface Messaging {
  readonly contact: Contact
}

/** The messaging of one node. */
export const createMessaging = (store: Store): Messaging => ({ contact: createContact(store) })
