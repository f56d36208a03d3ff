import { keyEndpoints } from './keys.ts'
import { readIdentity } from './node.ts'
import { signUp } from './sign-up.ts'

export const identityEndpoints = [readIdentity, signUp, ...keyEndpoints] as const
