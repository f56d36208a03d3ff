import table from '#protocols/mmio.json' with { type: 'json' }

/** How a register is written in the page, little-endian: integers, IEEE doubles and singles, bytes, ASCII text. */
export type RegisterType = 'u16' | 'u32' | 'u64' | 'f32' | 'f64' | 'bytes' | 'text'

/** One row of the table: all that there is to say of a register. */
export interface Register {
  readonly name: string
  /** Where it begins in its file, in bytes. */
  readonly offset: number
  /** Bytes. */
  readonly width: number
  readonly type: RegisterType
  /** Its unit; null for a number, bits or bytes. */
  readonly unit: string | null
  /** `w1c`: read only, cleared by the owner through `irq_ack`. */
  readonly access: 'ro' | 'w1c' | 'rw'
  /** What it holds before anything happened; null for what is the node's own from the first page on. */
  readonly reset: number | string | null
  /** Who sees it over HTTP: everybody, or whoever's value it is. */
  readonly view: 'all' | 'owner'
  readonly meaning: string
  /** Names of its bits, from 0. */
  readonly bits?: readonly string[]
  /** Names of its values, from 0. */
  readonly values?: readonly string[]
}

/** Names of the two files. */
export const PAGE_FILE = 'mmio.bin'
export const CONTROL_FILE = 'mmio.ctl'

/** Bytes of either file. */
export const PAGE_BYTES = table.bytes
export const LAYOUT_VERSION = table.layout_version

const files = table.files as unknown as Readonly<
  Record<typeof PAGE_FILE | typeof CONTROL_FILE, { readonly registers: readonly Register[] }>
>
/** What a node writes of itself. */
export const pageRegisters: readonly Register[] = files[PAGE_FILE].registers
/** What its owner writes. */
export const controlRegisters: readonly Register[] = files[CONTROL_FILE].registers

/** The row of a name in one of the files. @throws Error for a name that no row has */
export const registerIn = (registers: readonly Register[], name: string): Register => {
  const found = registers.find((it) => it.name === name)
  if (found === undefined) throw new Error(`no register is called ${name}`)
  return found
}

/** Bits of the interrupt words, from 0. */
export const interrupts = registerIn(pageRegisters, 'irq_status').bits ?? []
/** Modes by their number. */
export const modeValues = registerIn(pageRegisters, 'mode').values ?? []
