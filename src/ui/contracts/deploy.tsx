import { useState } from 'preact/hooks'
import type { Json } from '#core/canonical.ts'
import { CheckRow } from '#ui/part/check-row.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'
import { placeOf } from './contract.ts'
import { keepDraft } from './draft.ts'
import { MigrateForm, useMigrate } from './migrate-form.tsx'
import type { ShownContract } from './reads.ts'
import { SecretRows, useSecrets } from './secret-rows.tsx'
import { keepWarnings } from './told-warnings.tsx'

interface Props {
  readonly session: PageSession
  /** Machine that it goes to, as the address names it. */
  readonly slug: string
  /** What is deployed; undefined while there are faults. */
  readonly definition: object | undefined
}

/** Whoever is nobody in person has no machines. */
export const NotInPerson = () => (
  <p class="about">
    Contracts belong to machines of accounts. <a href="#settings">Sign in or make an account</a> to deploy one.
  </p>
)

/** Deploys a definition on a machine. */
export const Deploy = ({ session, slug: given, definition }: Props) => {
  const [slug, name] = useState(given)
  const [start, begin] = useState(true)
  const task = useTask()
  const secrets = useSecrets()
  const submit = (event: Event): void => {
    event.preventDefault()
    if (definition === undefined) return
    task.run(async () => {
      const order = {
        ...{ slug: slug.trim(), definition: definition as Json, start },
        ...(secrets.given !== undefined && { secrets: secrets.given }),
      }
      try {
        const { contract, warnings } = await session.call('POST /api/chain/{slug}/contracts/custom', order)
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
    <section class="card" aria-label="Deploy">
      <h3>Deploy</h3>
      {session.self.kind === 'demo' ? (
        <NotInPerson />
      ) : (
        <form onSubmit={submit}>
          <TextRow
            id="deploy-slug"
            label="Machine"
            placeholder="its slug"
            spellcheck={false}
            maxLength={64}
            value={slug}
            onText={name}
          />
          <SecretRows of={secrets} />
          <CheckRow checked={start} onCheck={begin}>
            Start it at once
          </CheckRow>
          <div class="actions">
            <Submit disabled={task.busy || definition === undefined || slug.trim() === ''}>Deploy</Submit>
            {definition === undefined && <span class="about">There are faults to be mended first.</span>}
          </div>
        </form>
      )}
      <TaskOutcome of={task} />
    </section>
  )
}

interface ChangeProps {
  readonly session: PageSession
  readonly contract: ShownContract
  readonly definition: object | undefined
}

/** Makes a definition the next version of a contract, if that is still at the version that was read. */
export const DeployChange = ({ session, contract, definition }: ChangeProps) => {
  const task = useTask()
  const secrets = useSecrets()
  const migrate = useMigrate(definition)
  const { slug, id, version } = contract
  const submit = (event: Event): void => {
    event.preventDefault()
    if (definition === undefined) return
    task.run(async () => {
      const headers = { 'If-Match': `"${version}"` }
      const order = {
        ...{ slug, id, definition: definition as Json },
        ...(migrate.moved !== undefined && { migrate: migrate.moved }),
        ...(secrets.given !== undefined && { secrets: secrets.given }),
      }
      try {
        const { warnings } = await session.call('PATCH /api/chain/{slug}/contracts/{id}', order, { headers })
        keepWarnings(contract, warnings)
      } catch (error) {
        if (error instanceof Error) {
          migrate.refused(error, definition)
          secrets.refused(error)
        }
        throw error
      }
      secrets.forget()
      keepDraft(`${slug}/${id}`, undefined)
      location.hash = `${placeOf(contract)}/versions`
      return 'It is the next version.'
    })
  }
  return (
    <section class="card" aria-label="Deploy">
      <h3>Next version of {contract.name}</h3>
      <p class="about">
        State and context stay where they fit. It is refused where somebody else has changed the contract since it was
        read here.
      </p>
      <form onSubmit={submit}>
        <MigrateForm of={migrate} contract={contract} />
        <SecretRows of={secrets} />
        <div class="actions">
          <Submit disabled={task.busy || definition === undefined}>Make it version {contract.version_no + 1}</Submit>
        </div>
      </form>
      <TaskOutcome of={task} />
    </section>
  )
}
