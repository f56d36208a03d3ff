import { useState } from 'preact/hooks'
import type { Json } from '#core/canonical.ts'
import { CheckRow } from '#ui/part/check-row.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'
import { placeOf } from './contract.ts'
import { NotInPerson } from './deploy.tsx'
import { givenContractIn } from './given-definition.ts'
import { SecretRows, useSecrets } from './secret-rows.tsx'
import { keepWarnings } from './told-warnings.tsx'

interface Props {
  readonly session: PageSession
  readonly slug: string
}

/** Deploys what a file says: one that was saved here or elsewhere, an export, or a definition alone. */
export const ImportPart = ({ session, slug }: Props) => {
  const [chosen, choose] = useState<File>()
  const [start, begin] = useState(true)
  const task = useTask()
  const secrets = useSecrets()
  const imported = async (file: Blob) => {
    const { kind, definition, file: whole } = await givenContractIn(file)
    const more = { slug, start, ...(secrets.given !== undefined && { secrets: secrets.given }) }
    // A saved file names the digest of its definition, and the node holds it to that.
    if (kind === 'file') return session.call('POST /api/chain/{slug}/contracts/import', { ...more, contract: whole })
    return session.call('POST /api/chain/{slug}/contracts/custom', { ...more, definition: definition as Json })
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    if (chosen === undefined) return
    task.run(async () => {
      try {
        const { contract, warnings } = await imported(chosen)
        keepWarnings(contract, warnings)
        secrets.forget()
        location.hash = placeOf(contract)
        return 'Deployed.'
      } catch (error) {
        if (error instanceof Error) secrets.refused(error)
        throw error
      }
    })
  }
  return (
    <details class="card">
      <summary>Import a contract</summary>
      {session.self.kind === 'demo' ? (
        <NotInPerson />
      ) : (
        <form onSubmit={submit}>
          <div class="form-row">
            <label for="import-file">Saved contract, export or definition</label>
            <input
              id="import-file"
              type="file"
              accept="application/json,.json,.contract"
              onChange={({ currentTarget }) => {
                choose(currentTarget.files?.[0])
                secrets.forget()
              }}
            />
          </div>
          <SecretRows of={secrets} />
          <CheckRow checked={start} onCheck={begin}>
            Start it at once
          </CheckRow>
          <div class="actions">
            <Submit disabled={task.busy || chosen === undefined}>Import it</Submit>
          </div>
        </form>
      )}
      <TaskOutcome of={task} />
    </details>
  )
}
