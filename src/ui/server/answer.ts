import type { ResultAt } from '#api/result-of.ts'

/** An answer of a computation: the members of its result, and those of its receipt. */
export type JobAnswer = NonNullable<ResultAt<'GET /api/jobs/{id}'>['answer']>

/** An envelope as a list or an answer shows it. */
export type EnvelopeSummary = NonNullable<JobAnswer['envelope']>
