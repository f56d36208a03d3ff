import { rowKind } from '#store/row-kind.ts'

/** What was kept of envelopes whose receipt, inputs and output are small: the three in one row, each one's own. */
export interface KeptRows {
  readonly kept: Uint8Array
}

/** Held against their envelopes and what these claim, in the walk over the seal logs. */
export const kept = rowKind<KeptRows>({
  tables: {
    kept: { prefix: 'ek', form: 'bytes', key: "serial number of the envelope's leaf" },
  },
  since: { schema: 3, note: 'until then all of it was blobs, as what is larger still is; those rows stay as they are' },
})
