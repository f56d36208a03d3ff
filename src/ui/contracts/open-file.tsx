import { useRef, useState } from 'preact/hooks'
import { givenContractIn } from './given-definition.ts'

/** Opens a contract that was saved, an export or a definition in the editor. */
export const OpenFile = ({ onDefinition }: { readonly onDefinition: (definition: object) => void }) => {
  const field = useRef<HTMLInputElement>(null)
  const [problem, say] = useState('')
  const open = async (file: Blob): Promise<void> => {
    try {
      const { definition } = await givenContractIn(file)
      say('')
      onDefinition(definition)
    } catch (error) {
      say(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <>
      <button type="button" class="small" onClick={() => field.current?.click()}>
        Open a file …
      </button>
      <input
        ref={field}
        id="open-contract"
        type="file"
        hidden
        aria-label="Saved contract, export or definition"
        accept="application/json,.json,.contract"
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? []
          if (file !== undefined) void open(file)
          currentTarget.value = ''
        }}
      />
      <span class="wrong" role="status">
        {problem}
      </span>
    </>
  )
}
