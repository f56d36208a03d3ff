import Type, { type TSchema } from 'typebox'
import { codesOf } from '#core/fault.ts'
import { patterns } from '#core/ids.ts'
import { anything, byName, closed, integer, json, orNull, preset, slug as slugSchema, text } from '#core/schema.ts'
import { SECRETS_MAX } from '#domain/contracts/secrets.ts'

const ID_CHARS_MAX = 64
const STATE_CHARS_MAX = 64
const SECRET_CHARS_MAX = 4_096
const MEMBERS_MAX = 64

/** The machine that a path names. */
export const slug = () => slugSchema({ title: 'MachineSlug', description: 'Slug of the machine.' })
/** The contract that a path names. */
export const id = () => text(ID_CHARS_MAX, { minLength: 1, title: 'ContractId', description: 'Id of the contract.' })

/** An id as examples show it. */
export const someContract = '00112233445566778899aabbccddeeff'

/** A definition as it is given: what is wrong with it is for the linter to say, all of it at once. */
export const definition = () => anything({ description: 'The contract: protocols/wire/contract.md.' })

/** Whether it runs at once. */
export const start = () =>
  preset(Type.Boolean({ default: false, description: 'Whether it runs at once; else it waits to be resumed.' }))

const secretValues = <T extends TSchema>(value: T, description: string) =>
  Type.Optional(
    Type.Record(Type.String({ pattern: patterns.symbol }), value, {
      maxProperties: SECRETS_MAX,
      additionalProperties: false,
      description,
    }),
  )
const secret = () => text(SECRET_CHARS_MAX, { minLength: 1 })
const SECRETS =
  'Values by name, for headers and bodies of notifications and headers of addresses; they are never shown.'

/** Values of secrets. */
export const secrets = () => secretValues(secret(), SECRETS)
/** The same, where one may also be forgotten. */
export const secretChanges = () => secretValues(orNull(secret()), `${SECRETS} Null forgets one.`)

/** Where a contract is to stand under another version, as far as it cannot stay as it is. */
export const migrate = () =>
  Type.Optional(
    closed(
      {
        state: Type.Optional(text(STATE_CHARS_MAX, { minLength: 1, description: 'The state it is to be in.' })),
        context: Type.Optional(byName(patterns.symbol, json(), MEMBERS_MAX)),
      },
      { description: 'What of state and context does not carry over, said.' },
    ),
  )

/** A version by its number. */
export const versionNo = (description: string) => integer({ minimum: 1, description })

/** What reading a contract may refuse. */
export const reading = ['NOT_FOUND', 'SCOPE_REQUIRED'] as const
/** And changing one. */
export const changing = [
  ...reading,
  'MACHINE_NOT_ACTIVE',
  'RATE_LIMITED',
  'CONTRACT_FROZEN',
  'NODE_BUSY',
  'NODE_STOPPING',
  ...codesOf('commit'),
] as const
/** And saying what it is to do. */
export const authoring = [...changing, 'CONTRACT_INVALID', 'SECRET_UNKNOWN', 'TARGET_REFUSED'] as const
