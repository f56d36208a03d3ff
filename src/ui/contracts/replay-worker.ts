import { type ContractExport, contractExportOf } from '#core/contract/export.ts'
import { type ReplayedContract, replayContract } from '#numerics/contracts/fire/replay.ts'
import { createTellPage } from '#ui/part/tell-page.ts'

const tell = createTellPage<ReplayedContract>()
const unavailable = 'the page computes nothing again; its receipt is verified by itself'

addEventListener('message', ({ data }: MessageEvent<ContractExport>) => {
  const file = contractExportOf(data)
  const steps = file.rows.length
  const onRow = ({ no }: { readonly no: number }): void => tell({ kind: 'progress', step: no, steps })
  tell({ kind: 'found', found: replayContract(file, { recompute: () => ({ unavailable }), onRow }) })
})
