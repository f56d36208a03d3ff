import { readJwks } from './jwks.ts'
import { keyEndpoints } from './keys.ts'
import { readIdentity } from './node.ts'
import { linkEndpoints } from './owner-link.ts'
import { signUp } from './sign-up.ts'

export const identityEndpoints = [readIdentity, readJwks, signUp, ...keyEndpoints, ...linkEndpoints] as const
