import { indexIssues } from './issues.ts'
import type { Step } from './step.ts'

/** Every step, oldest first; each begins where the one before it ends, and the last one ends at the present schema. */
export const steps: readonly Step[] = [indexIssues]
