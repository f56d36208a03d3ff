import Type from 'typebox'
import { count, model, orNull, tick } from '#core/schema.ts'
import type { View } from '#core/view.ts'

const id = Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Names the message, if you write again.' })

/** What the sender of a message is told. */
export const received = model('Received', { id, tick: tick() })
export type Received = View<typeof received>

/** Messages as the owner sees them. */
export const contactPage = model('ContactPage', {
  total: count({ description: 'Messages kept.' }),
  messages: Type.Array(
    Type.Object({
      number: count(),
      id,
      tick: tick(),
      name: orNull(Type.String()),
      reply_to: orNull(Type.String()),
      subject: orNull(Type.String()),
      message: Type.String(),
    }),
  ),
})
export type ContactPage = View<typeof contactPage>
