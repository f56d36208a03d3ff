import { contactEndpoints } from './contact.ts'

export const messagingEndpoints = [...contactEndpoints] as const
