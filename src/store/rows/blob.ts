import { rowKind } from '#store/row-kind.ts'

/** Bytes by their digest. */
export interface BlobRows {
  readonly blob: Uint8Array
}

/** Large fields: each has the name of its bytes, which is seen when `fsck` reads every row. */
export const blob = rowKind<BlobRows>({
  tables: {
    blob: { prefix: 'z', form: 'bytes', key: 'SHA-256, hex' },
  },
  since: { schema: 1, note: 'from the first release on' },
})
