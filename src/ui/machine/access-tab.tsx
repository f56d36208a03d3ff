import type { Session } from '#ui/session.ts'
import { KeysPart } from './keys-part.tsx'
import { type Machine, reaches } from './machine.ts'
import { MembersPart } from './members-part.tsx'
import { SharePart } from './share-part.tsx'

export interface AccessProps {
  readonly session: Session
  readonly machine: Machine
  readonly onChange: () => void
}

/** Who may do what with a machine: members, keys, the share. */
export const AccessTab = (props: AccessProps) => {
  const admin = reaches(props.machine.role, 'admin')
  return (
    <>
      <MembersPart {...props} />
      {admin && <KeysPart {...props} />}
      {admin && <SharePart {...props} />}
      {!admin && <p class="card about">Keys and shares are for admins.</p>}
    </>
  )
}
