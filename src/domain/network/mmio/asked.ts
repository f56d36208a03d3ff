import { registerOf } from '#core/mmio/page.ts'
import { controlRegisters, registerIn } from '#core/mmio/table.ts'

const at = (name: string) => registerIn(controlRegisters, name)
const rows = {
  doorbell: at('doorbell'),
  request: at('request'),
  argument: at('argument'),
  mask: at('irq_mask'),
  acknowledged: at('irq_ack'),
}

/** What the owner's file asks for. */
export interface ControlWords {
  readonly doorbell: bigint
  readonly request: number
  readonly argument: number
  /** Interrupts that wake nobody. */
  readonly mask: number
  readonly acknowledged: number
}

/** Reads a control file. */
export const askedIn = (control: Uint8Array): ControlWords => ({
  doorbell: registerOf(control, rows.doorbell) as bigint,
  request: registerOf(control, rows.request) as number,
  argument: registerOf(control, rows.argument) as number,
  mask: registerOf(control, rows.mask) as number,
  acknowledged: registerOf(control, rows.acknowledged) as number,
})

/** Rows that a new control file starts with, so that no word of it asks for anything. */
export const controlRows = { doorbell: rows.doorbell, acknowledged: rows.acknowledged } as const
