import Type from 'typebox'
import { answered, endpoint } from '#api/endpoint.ts'
import { closed, count, pageLimit, text } from '#core/schema.ts'
import { contactPage, received } from '#domain/messaging/views.ts'

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
  result: answered(received),
  faults: ['DAILY_LIMIT_EXCEEDED', 'NODE_BUSY'],
  example: { subject: 'A question', message: 'Which machine does this node run on?' },
  handle: ({ messaging }, { input, caller }) => messaging.contact.send(input, caller.bucket),
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
  result: answered(contactPage),
  faults: ['SCOPE_REQUIRED'],
  example: { limit: 10 },
  handle: ({ messaging }, { input, caller }) => messaging.contact.list(caller, input),
})

export const contactEndpoints = [send, list] as const
