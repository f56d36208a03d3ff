import { immovable } from '#core/token/decide.ts'
import { lockAt } from '#core/token/state.ts'
import type { EnvelopeItem } from '#domain/economy/views.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'

/** What of an envelope is shown of its ties. */
type Ties = Pick<EnvelopeItem, 'movable' | 'immovable' | 'lock' | 'locked_for_vote' | 'bonded' | 'spend_seq'>

/**
 * What of an envelope depends on whether it may move at a mesh tick.
 *
 * @param unheard whether its home has been silent for too long to be believed.
 */
export const tiesOf = (
  row: Pick<EnvelopeRow, 'soulbound' | 'lock' | 'spend_seq'>,
  meshTick: number,
  unheard = false,
): Ties => {
  const lock = lockAt(row.lock, meshTick)
  const why = immovable(row, meshTick) ?? (unheard ? 'unconfirmed' : null)
  return {
    ...{ movable: why === null, immovable: why, lock, spend_seq: row.spend_seq },
    locked_for_vote: lock?.kind === 'vote',
    bonded: lock?.kind === 'bond',
  }
}
