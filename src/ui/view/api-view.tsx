import { useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { TextRow } from '#ui/part/text-row.tsx'
import { call } from '#ui/server/api.ts'
import { useReading } from '#ui/server/reading.ts'
import { ProblemCard } from './problem-card.tsx'

type Manifest = ResultAt<'GET /api/endpoints'>
type Row = Manifest['endpoints'][number]

const matching = (rows: readonly Row[], words: string, domain: string): readonly Row[] => {
  const wanted = words.toLowerCase().split(/\s+/)
  return rows.filter((row) => {
    const text = `${row.method} ${row.path} ${row.summary}`.toLowerCase()
    return row.alias_of === null && (domain === '' || row.domain === domain) && wanted.every((it) => text.includes(it))
  })
}

const Rows = ({ rows }: { readonly rows: readonly Row[] }) => (
  <ul class="endpoints">
    {rows.map(({ method, path, summary, auth }) => (
      <li key={`${method} ${path}`}>
        <p class="endpoint">
          <span class="method" data-method={method}>
            {method}
          </span>
          <code>{path}</code>
          {auth !== 'none' && <span class="badge">{auth === 'optional' ? 'key optional' : auth}</span>}
        </p>
        <p class="about">{summary}</p>
      </li>
    ))}
  </ul>
)

const Filter = ({ manifest }: { readonly manifest: Manifest }) => {
  const [words, search] = useState('')
  const [domain, choose] = useState('')
  const found = matching(manifest.endpoints, words, domain)
  return (
    <section class="card" aria-label="Endpoints">
      <div class="form-grid two">
        <TextRow
          id="find-endpoint"
          label="Find"
          type="search"
          placeholder="path, method or words"
          value={words}
          onText={search}
        />
        <div class="form-row">
          <label for="find-domain">Domain</label>
          <select id="find-domain" value={domain} onChange={(event) => choose(event.currentTarget.value)}>
            <option value="">all</option>
            {manifest.domains.map(({ slug, count }) => (
              <option key={slug} value={slug}>
                {slug} ({count})
              </option>
            ))}
          </select>
        </div>
      </div>
      <p class="about" role="status">
        {found.length} of {manifest.count} endpoints
      </p>
      <Rows rows={found} />
    </section>
  )
}

/** The interface: where it is described, and every endpoint that this node answers. */
export const ApiView = () => {
  const { value: manifest, problem } = useReading((signal) => call('GET /api/endpoints', {}, { signal }), { on: [] })
  return (
    <article>
      <h2>API</h2>
      <p class="lead">Everything on this page is made with the calls below; each is described, and can be tried.</p>
      <ul class="tiles doors">
        <li class="card">
          <a href="/docs">Interactive documentation</a>
          <p class="about">Every call with its schemas; try them there with your key.</p>
        </li>
        <li class="card">
          <a href="/api/openapi.json">OpenAPI 3.1 description</a>
          <p class="about">For generators and tools{manifest !== undefined && `, interface ${manifest.version}`}.</p>
        </li>
        <li class="card">
          <a href="/api/endpoints">Manifest</a>
          <p class="about">What this node answers, as JSON.</p>
        </li>
      </ul>
      <p class="about">A solver's form shows its present input as a command under “As a command”.</p>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {manifest !== undefined && <Filter manifest={manifest} />}
    </article>
  )
}
