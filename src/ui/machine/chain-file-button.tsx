import { useEffect, useRef, useState } from 'preact/hooks'
import { download } from '#ui/receipt/evidence.ts'
import type { PageSession } from '#ui/session.ts'

interface Props {
  readonly session: PageSession
  readonly slug: string
  readonly genesis: string
  readonly size: number
  readonly onProblem: (problem: Error | undefined) => void
}

/** Saves the whole chain with its proof: anyone can check the file, without a node. */
export const ChainFileButton = ({ session, slug, genesis, size, onProblem }: Props) => {
  const [share, show] = useState<string>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [slug])
  const save = async (): Promise<void> => {
    const stop = new AbortController()
    running.current = stop
    const { signal } = stop
    onProblem(undefined)
    show('…')
    try {
      const { exportChain } = await import('./chain-export.ts')
      const tell = (entries: number, of: number): void => show(`${entries} of ${of} …`)
      download(`${slug}.chain`, await exportChain({ session, slug, genesis, size, signal, tell }))
    } catch (error) {
      if (!signal.aborted) onProblem(error instanceof Error ? error : new Error(String(error)))
    }
    if (!signal.aborted) show(undefined)
  }
  return (
    <button
      type="button"
      class="small"
      title="The whole chain with its proof, for tickmesh verify and the Verify view"
      disabled={share !== undefined || size === 0}
      onClick={() => void save()}
    >
      {share ?? 'Save chain'}
    </button>
  )
}
