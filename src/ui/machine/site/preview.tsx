import type { ResultAt } from '#api/result-of.ts'
import { outgoing } from '#core/route.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'

/** A hosted page, as it is listed. */
export type HostedPage = ResultAt<'GET /api/chain/{slug}/site/list'>['pages'][number]

interface Props {
  readonly session: PageSession
  readonly slug: string
  readonly page: HostedPage
  /** Whether a browser gets it without a key in a header. */
  readonly direct: boolean
}

/** Text of a page that a key is needed for: a frame has none, so it is fetched, and shown without its styles. */
const Fetched = ({ session, slug, page }: Omit<Props, 'direct'>) => {
  const { value, problem } = useReading(
    async (signal) => {
      const it = outgoing('GET /api/chain/{slug}/site/file/{sha}', { slug, sha: page.sha })
      return (await session.request(it, { signal })).text()
    },
    { on: [session, slug, page.sha] },
  )
  if (problem !== undefined) return <ProblemCard problem={problem} />
  if (value === undefined) return <p class="about">reading …</p>
  return <iframe class="hosted" title={page.path} sandbox="" srcdoc={value} />
}

/** A hosted page in a frame without an origin: nothing in it runs, and it knows nothing of whoever looks. */
export const Preview = ({ session, slug, page, direct }: Props) => (
  <figure class="preview" data-path={page.path}>
    <figcaption class="about">{page.path}, in a frame in which nothing runs and nothing is loaded</figcaption>
    {direct && (
      <iframe
        class="hosted"
        title={page.path}
        sandbox=""
        referrerpolicy="no-referrer"
        src={`/api/chain/${slug}/site/file/${page.sha}`}
      />
    )}
    {!direct && page.content_type.startsWith('text/') && <Fetched session={session} slug={slug} page={page} />}
    {!direct && !page.content_type.startsWith('text/') && (
      <p class="about">This browser shows pictures of a private machine to the session of the node's owner alone.</p>
    )}
  </figure>
)
