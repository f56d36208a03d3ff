import { Fault } from '#core/fault.ts'
import type { JobName } from '#core/work/job.ts'
import { areTwoAnswers, type ContributedWork, readWork } from '#core/work/work.ts'
import type { AskedOfWorker, ToldRequester } from '#domain/network/works/messages.ts'
import { type GivenJobs, givenKey } from './given.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import type { RequesterPorts } from './types.ts'

/** Says something that nobody waits for. */
export type SayToWorker = (node: string, message: AskedOfWorker) => void

/** A worker signed two works for one try at one job: it is asked for nothing more, and neither is taken. */
export class TwoAnswers extends Error {}

/** A job that a worker has in hand. */
export interface Underway {
  readonly job: JobName
  readonly attempt: number
  readonly worker: string
  readonly mailbox: Mailbox
  /** Aborts with {@link TwoAnswers}. */
  readonly twice: AbortController
  /** The work that it signed. */
  work: ContributedWork | undefined
}

/** A work that a worker signed; undefined for what it did not. */
const signedBy = (
  worker: string,
  { work }: Extract<ToldRequester, { readonly type: 'result' }>,
): ContributedWork | undefined => {
  try {
    return readWork(work, worker).work
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

const note = (course: Underway, told: ToldRequester): void => {
  if (told.type !== 'result') return
  const work = signedBy(course.worker, told)
  if (work === undefined || givenKey(work) !== givenKey(course)) return
  if (course.work !== undefined && areTwoAnswers(course.work, work)) course.twice.abort(new TwoAnswers())
  course.work ??= work
}

/** Jobs in the hands of workers: what these say goes to the one that it is about. */
export const createCourses = ({ links, store }: RequesterPorts, given: GivenJobs, say: SayToWorker) => {
  const all = new Map<string, Underway>()
  links.onTold(async (node, told) => {
    const about = told.type === 'beat' ? told.jobs : [told]
    for (const at of about) {
      const course = all.get(givenKey(at))
      if (course?.worker === node) {
        note(course, told)
        course.mailbox.put(told)
      }
      // Whoever still works at what nobody waits for may stop.
      else if (told.type === 'beat' || told.type === 'progress') {
        say(node, { type: 'cancel', job: at.job, attempt: at.attempt })
      }
    }
  })
  return {
    all,
    during: async <T>(
      at: Pick<Underway, 'job' | 'attempt' | 'worker'>,
      work: (course: Underway) => Promise<T>,
    ): Promise<T> => {
      const mailbox = createMailbox(() => store.now().meshTick)
      const course: Underway = { ...at, mailbox, twice: new AbortController(), work: undefined }
      all.set(givenKey(at), course)
      try {
        return await work(course)
      } finally {
        all.delete(givenKey(at))
      }
    },
    tick: (): void => {
      for (const { mailbox } of all.values()) mailbox.beat()
    },
    /** Says to every worker which jobs are waited for: those that it accepted, since an offer may be on its way yet. */
    beat: (): void => {
      const accepted = [...all].flatMap(([key, it]) =>
        (given.all.get(key)?.state ?? 'offered') === 'offered' ? [] : [it],
      )
      for (const [worker, jobs] of Map.groupBy(accepted, (it) => it.worker)) {
        say(worker, { type: 'beat', jobs: jobs.map(({ job, attempt }) => ({ job, attempt })) })
      }
    },
  }
}
export type Courses = ReturnType<typeof createCourses>
