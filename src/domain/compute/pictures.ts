import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { keptOf } from '#store/kept.ts'
import type { Answers } from './answers.ts'
import type { Pool } from './pool.ts'
import { type ComputePorts, type Picture, pictureTypes, type Sealed, type Unsealed, type Wanted } from './types.ts'

/** Whose picture it is: where inputs and output are. */
interface Result {
  readonly kind: string
  readonly inputs: unknown
  readonly output: string
  /** A line of evidence below the title. */
  readonly note: string
}

const noteOf = (it: Sealed | Unsealed): string => {
  if (it.kind === 'unsealed') return 'not sealed'
  const { token_id, tick } = it.envelope
  return `token ${token_id}, tick ${tick}, measured error ${Number(it.precisionActual.toPrecision(3))} %`
}

/** Draws results, fresh or stored, in the threads that compute. */
export const createPictures = (
  { store, economy }: Pick<ComputePorts, 'store' | 'economy'>,
  { answers, pool, solvers }: { readonly answers: Answers; readonly pool: Pool; readonly solvers: readonly Solver[] },
) => {
  const draw = async ({ kind, note, ...result }: Result, { format, index, signal }: Wanted): Promise<Picture> => {
    const about = solvers.find((it) => it.name === kind)?.title ?? kind
    const bytes = await pool.draw({ ...result, name: kind, format, index, caption: { about, note } }, signal)
    return { type: pictureTypes[format], bytes }
  }

  return {
    picture: (kind: string, inputs: unknown, it: Sealed | Unsealed, wanted: Wanted): Promise<Picture> =>
      draw({ kind, inputs, output: it.output, note: noteOf(it) }, wanted),

    async storedPicture(tokenId: string, of: { caller: Caller; nonce?: string | undefined }, wanted: Wanted) {
      await economy.envelopeRow(tokenId, of.caller, of.nonce)
      const it = await answers.recall(tokenId)
      const row = await store.get('envelope', tokenId)
      const inputs = row === undefined ? undefined : await keptOf(store, row).inputs()
      if (inputs === undefined) throw new Fault('NOT_FOUND', 'The inputs of this envelope are not kept here.')
      return draw(
        { kind: it.evidence.claim.kind, inputs: JSON.parse(inputs), output: it.output, note: noteOf(it) },
        wanted,
      )
    },
  }
}
