import type { MachineContext } from '#domain/machines/context.ts'
import { createSiteKeys } from './keys.ts'
import { createSitePages } from './pages.ts'

/** The hosted pages of machines. */
export const createSite = (context: MachineContext) => ({ ...createSiteKeys(context), ...createSitePages(context) })
