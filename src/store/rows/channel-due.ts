/** What of a channel says when it is due. */
interface Rhythm {
  readonly autotick: boolean
  readonly interval: number
  readonly created_mesh: number
}

/** What of where it stands says which due tick is next, and which were refused. */
interface Standing {
  readonly status: string
  readonly next_due: number | null
  readonly refused_to?: number
  readonly refusals: number
  readonly last_fault: { readonly mesh_tick: number } | null
}

/** What the chain of a channel's machine, and its rows, say of when it was due. */
interface DueTold {
  /** The last due mesh tick that a gap says. */
  readonly gapTo: number | undefined
  /** Mesh tick of the newest of all that sets when a channel is due: its making, a change, a tick, a gap. */
  readonly set: number
}

const nextDueFault = (
  { autotick, interval, created_mesh }: Rhythm,
  { status, next_due }: Standing,
  { gapTo = created_mesh, set }: DueTold,
): string | undefined => {
  const moves = autotick && status !== 'closed'
  if (!moves) return next_due === null ? undefined : 'it is due, and does not tick by itself'
  if (next_due === null) return 'it ticks by itself, and is never due'
  if ((next_due - created_mesh) % interval !== 0) return 'it is due beside the grid of its creation'
  if (next_due <= gapTo) return 'it is due before it was made, or where a tick is said to be missed'
  return next_due > set + interval ? 'it is due later than whatever last said when' : undefined
}

const refusedFault = (
  { interval, created_mesh }: Rhythm,
  { next_due, refused_to, refusals, status, last_fault }: Standing,
): string | undefined => {
  const faulty = refusals > 0 || refused_to !== undefined || status === 'starved' || status === 'stopped'
  if (faulty && last_fault === null) return 'it was refused ticks, and no refusal is known'
  if (refused_to === undefined || last_fault === null) return undefined
  if (refused_to <= created_mesh) return 'a due tick of before its creation was refused'
  if (refused_to > last_fault.mesh_tick) return 'a due tick was refused after the last refusal'
  const waits = next_due !== null && refused_to >= next_due
  return waits && (refused_to - next_due) % interval !== 0 ? 'a tick was refused that was not due' : undefined
}

/** Why a channel cannot stand as its row says when it is due and which due ticks were refused; or undefined. */
export const dueFault = (row: Rhythm, head: Standing, told: DueTold): string | undefined =>
  nextDueFault(row, head, told) ?? refusedFault(row, head)
