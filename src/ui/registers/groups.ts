import type { ResultAt } from '#api/result-of.ts'

type Manifest = ResultAt<'GET /api/svc/mmio'>

/** A register with its place and, where this visitor sees one, its value. */
export type LiveRegister = Manifest['registers'][number]

/** Where each part of the page begins, in bytes: a row that is added stands with its neighbours. */
const parts = [
  { title: 'Page', from: 0 },
  { title: 'Clock', from: 56 },
  { title: 'State and work', from: 128 },
  { title: 'Log', from: 168 },
  { title: 'Owner', from: 264 },
  { title: 'Interrupts and requests', from: 448 },
] as const

/** The registers by the part of the page that they stand in, those alone of which there is a value. */
export const partsOf = (
  rows: readonly LiveRegister[],
): readonly { readonly title: string; readonly rows: readonly LiveRegister[] }[] =>
  parts
    .map(({ title, from }, at) => {
      const end = parts[at + 1]?.from ?? Number.POSITIVE_INFINITY
      return { title, rows: rows.filter((it) => it.value !== null && it.offset >= from && it.offset < end) }
    })
    .filter((it) => it.rows.length > 0)
