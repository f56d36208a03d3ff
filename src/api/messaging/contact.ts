import Type from 'typebox'
import { endpoint } from '#api/endpoint.ts'
import { closed, count, orNull, PAGE_ROWS_DEFAULT, pageLimit, text, tick } from '#core/schema.ts'

/** Messages to the owner of the node. */
const common = { domain: 'messaging-files', tier: 'computation' } as const

const NAME_CHARS_MAX = 128
const ADDRESS_CHARS_MAX = 256
const SUBJECT_CHARS_MAX = 200
const MESSAGE_CHARS_MAX = 4_000
const CALLS_PER_MINUTE = 6

/** One line without control characters, and a text that has none but tab and line feed: it may meet a terminal. */
const LINE = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$'
const LINES = '^[^\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]*$'
const line = (maxLength: number, description: string) =>
  Type.Optional(text(maxLength, { minLength: 1, pattern: LINE, description }))

const id = Type.String({ pattern: '^[0-9a-f]{32}$', description: 'Names the message, if you write again.' })

const send = endpoint({
  ...common,
  access: { credential: 'none' },
  limits: { callsPerMinute: CALLS_PER_MINUTE },
  id: 'messaging.contact',
  route: 'POST /api/contact',
  summary: 'Leaves a message for the owner of this node; it is kept here, and mailed to nobody.',
  input: closed({
    name: line(NAME_CHARS_MAX, 'Who writes.'),
    reply_to: line(ADDRESS_CHARS_MAX, 'Where an answer would reach you; it is not checked.'),
    subject: line(SUBJECT_CHARS_MAX, 'What it is about.'),
    message: text(MESSAGE_CHARS_MAX, { minLength: 1, pattern: LINES, description: 'The message.' }),
  }),
  result: Type.Object({ ok: Type.Boolean(), id, tick: tick() }),
  faults: ['DAILY_LIMIT_EXCEEDED', 'NODE_BUSY'],
  example: { subject: 'A question', message: 'Which machine does this node run on?' },
  async handle({ messaging }, { input: { message, name, reply_to, subject }, caller }) {
    const letter = {
      message,
      ...(name === undefined ? {} : { name }),
      ...(reply_to === undefined ? {} : { replyTo: reply_to }),
      ...(subject === undefined ? {} : { subject }),
    }
    return { ok: true, ...(await messaging.contact.send(letter, caller.bucket)) }
  },
})

const list = endpoint({
  ...common,
  access: { credential: 'bearer', reach: { to: 'node-owner' } },
  id: 'messaging.contacts',
  route: 'GET /api/contact',
  summary: 'The messages to the owner, newest first: for the owner alone.',
  input: closed({
    limit: pageLimit(),
    before: Type.Optional(count({ description: 'Only messages with a smaller number: the last of the page before.' })),
  }),
  result: Type.Object({
    ok: Type.Boolean(),
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
  }),
  faults: ['SCOPE_REQUIRED'],
  example: { limit: 10 },
  async handle({ messaging }, { input: { limit, before }, caller }) {
    const page = { limit: limit ?? PAGE_ROWS_DEFAULT, ...(before === undefined ? {} : { before }) }
    const { total, messages } = await messaging.contact.list(caller, page)
    return { ok: true, total, messages: messages.map((it) => ({ ...it })) }
  },
})

export const contactEndpoints = [send, list] as const
