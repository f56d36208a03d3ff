import Type from 'typebox'
import { closed, fitting, hex64 } from '#core/schema.ts'
import type { BlobName } from '#domain/network/works/types.ts'

const named = <const K extends string, const P extends Parameters<typeof closed>[0]>(kind: K, members: P) =>
  closed({ kind: Type.Literal(kind), ...members })

const nameSchema = Type.Union([
  named('bytes', { sha256: hex64() }),
  named('states', { root: hex64() }),
  named('inputs', { digest: hex64() }),
  named('records', { work: hex64() }),
  named('dossier', { work: hex64() }),
  named('list', { bond: hex64(), tokens_root: hex64() }),
])

/** Reads what is asked for. @throws Fault INVALID_INPUT */
export const readBlobName = (value: unknown): BlobName => fitting(nameSchema, value)

/** A name as a key of a row. */
export const blobKey = ({ kind, ...parts }: BlobName): string => [kind, ...Object.values(parts)].join('/')
