import { indexIssues } from './issues.ts'
import { indexMovable } from './movable.ts'
import type { Migration } from './step.ts'

/** Every step, oldest first; each begins where the one before it ends, and the last one ends at the present schema. */
export const steps: readonly Migration[] = [indexIssues, indexMovable]
