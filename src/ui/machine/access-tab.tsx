import type { AccessProps } from './access-props.ts'
import { KeysPart } from './keys-part.tsx'
import { reaches } from './machine.ts'
import { MembersPart } from './members-part.tsx'
import { SharePart } from './share-part.tsx'

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
