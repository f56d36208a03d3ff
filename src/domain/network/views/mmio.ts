import Type from 'typebox'
import { count, finite, hex64, integer, model, oneOf, orNull, tick, zid } from '#core/schema.ts'
import type { View } from '#core/view.ts'

/** What the register page answers over HTTP. */

const words = (description: string) => Type.String({ description })

const fileStates = ['written', 'off', 'failed'] as const

/** The value of a register: a u64 as its decimal digits, bytes as hex, text as it is, other numbers as numbers. */
const value = () => Type.Union([finite(), Type.String()])

/** Members of a register's row that its table gives. */
const row = {
  name: words('Name of the register.'),
  offset: count({ maximum: 4_095, description: 'Where it begins in its file, in bytes.', 'x-unit': 'B' }),
  width: integer({ minimum: 1, maximum: 4_096, description: 'Its bytes.', 'x-unit': 'B' }),
  type: oneOf(['u16', 'u32', 'u64', 'f32', 'f64', 'bytes', 'text'], { description: 'Little-endian; IEEE 754.' }),
  unit: orNull(Type.String(), { description: 'Unit; null for a number, bits or bytes.' }),
  access: oneOf(['ro', 'w1c', 'rw'], { description: 'w1c: cleared by writing its bits to irq_ack.' }),
  view: oneOf(['all', 'owner'], { description: 'Who is shown its value over HTTP.' }),
  meaning: Type.String(),
  bits: orNull(Type.Array(Type.String()), { description: 'Names of its bits, from 0.' }),
  values: orNull(Type.Array(Type.String()), { description: 'Names of its values, from 0.' }),
} as const

const registerRow = model('Register', row)
const liveRegister = model('LiveRegister', {
  ...row,
  reset: orNull(value(), { description: 'What it holds before anything happened; null for what is the node’s own.' }),
  value: orNull(value(), {
    description:
      'As of the newest page; null for what only its owner sees. The sum is that of a page in which those are zero.',
  }),
})

const pageState = model('RegisterFiles', {
  state: oneOf(fileStates, {
    description: 'Whether the page is written to a file: off by setting, or failed for the reason said.',
  }),
  reason: orNull(Type.String(), { description: 'Why it could not be written, or why requests are not read.' }),
})

/** The public manifest of the register page, with the values that everybody may see. */
export const registerManifest = model('RegisterManifest', {
  layout_version: count(),
  layout_digest: hex64({ description: 'SHA-256 of protocols/mmio.json: a page of the same digest has these rows.' }),
  bytes: count({ description: 'Bytes of each of the two files.', 'x-unit': 'B' }),
  byte_order: words('Of all numbers.'),
  tick: tick({ description: 'Node tick of the page that the values are of.' }),
  page: pageState,
  registers: Type.Array(liveRegister, { description: 'Rows of mmio.bin, which the node writes.' }),
  control: Type.Array(registerRow, {
    description: 'Rows of mmio.ctl, which the owner writes. No value moves by them.',
  }),
  errors: Type.Array(Type.String(), {
    description: 'Codes by the number that the register `error` has for them, from 1.',
  }),
})
export type RegisterManifest = View<typeof registerManifest>

const shownRegister = model('ShownRegister', {
  name: Type.String(),
  unit: orNull(Type.String()),
  value: value(),
  set: orNull(Type.Array(Type.String()), { description: 'Bits that are set, by name; null for what has none.' }),
  means: orNull(Type.String(), { description: 'The value’s name; null for what has none.' }),
})

/** The registers as one caller sees them. */
export const registerView = model('RegisterView', {
  zid: zid({ description: 'Whose credits and coins these are.' }),
  is_owner: Type.Boolean({ description: 'Whether it is the owner of the node, who sees every register.' }),
  tick: tick({ description: 'Node tick of the page: what a later call names as `after`.' }),
  woken: Type.Boolean({ description: 'Whether an interrupt that is not masked came after `after`.' }),
  page: pageState,
  files: orNull(Type.Object({ page: words('Path of mmio.bin.'), control: words('Path of mmio.ctl.') }), {
    description: 'Where the files are, for the owner; null for others, and where none are written.',
  }),
  registers: Type.Array(shownRegister),
})
export type RegisterView = View<typeof registerView>
export type PageState = View<typeof pageState>
