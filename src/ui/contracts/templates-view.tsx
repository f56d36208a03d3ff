import { useState } from 'preact/hooks'
import type { Json } from '#core/canonical.ts'
import type { Query } from '#ui/address.ts'
import { TextRow } from '#ui/part/text-row.tsx'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { SentenceBox } from './sentence-box.tsx'
import { TemplateForm } from './template-form.tsx'
import '#ui/style/contracts.css'

const ROWS = 100

interface Props {
  readonly session: PageSession
  readonly id: string
  readonly query: Query
}

const addressOf = (id: string, slug: string): string =>
  `contracts/template/${id}${slug === '' ? '' : `?slug=${encodeURIComponent(slug)}`}`

/** What a sentence said of a template, until that is opened. */
let heard: { readonly id: string; readonly said: Readonly<Record<string, Json>> } | undefined

const One = ({ session, id, slug }: { readonly session: PageSession; readonly id: string; readonly slug: string }) => {
  const { value, problem } = useReading(
    (signal) => session.call('GET /api/contracts/templates/{id}', { id }, { signal }),
    { on: [session, id] },
  )
  const said = heard?.id === id ? heard.said : undefined
  return (
    <article class="contracts" data-template={id}>
      <p class="crumb">
        <a href={`#contracts/templates${slug === '' ? '' : `?slug=${slug}`}`}>All templates</a>
      </p>
      <h2>{value?.title ?? 'Template'}</h2>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value !== undefined && (
        <>
          <p class="lead">{value.summary}</p>
          <TemplateForm key={id} session={session} template={value} slug={slug} said={said} />
        </>
      )}
    </article>
  )
}

const Gallery = ({ session, slug }: { readonly session: PageSession; readonly slug: string }) => {
  const [words, search] = useState('')
  const [category, choose] = useState('')
  const { value, problem } = useReading(
    (signal) => session.call('GET /api/contracts/templates', { limit: ROWS }, { signal }),
    { on: [session] },
  )
  const wanted = words.trim().toLowerCase()
  const fits = (value?.templates ?? []).filter(
    (it) =>
      (category === '' || it.category === category) &&
      `${it.title} ${it.summary} ${it.keywords.join(' ')}`.toLowerCase().includes(wanted),
  )
  const categories = [...new Set(value?.templates.map((it) => it.category) ?? [])]
  const shown = categories.filter((it) => fits.some((one) => one.category === it))
  return (
    <article class="contracts">
      <p class="crumb">
        <a href="#contracts">Contracts</a>
      </p>
      <h2>Templates of contracts</h2>
      <SentenceBox
        session={session}
        slug={slug}
        onTemplate={(id, said) => {
          heard = { id, said }
          location.hash = addressOf(id, slug)
        }}
      />
      <div class="form-grid two">
        <TextRow id="find-template" label="Find" type="search" value={words} onText={search} />
        <div class="form-row">
          <label for="template-category">Category</label>
          <select id="template-category" value={category} onChange={(event) => choose(event.currentTarget.value)}>
            <option value="">all</option>
            {categories.map((it) => (
              <option key={it} value={it}>
                {it}
              </option>
            ))}
          </select>
        </div>
      </div>
      <p class="about" role="status" data-found={fits.length}>
        {fits.length} of {value?.total ?? '…'} templates
      </p>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {shown.map((it) => (
        <section key={it} aria-label={it}>
          <h3>{it}</h3>
          <ul class="tiles">
            {fits
              .filter((one) => one.category === it)
              .map((one) => (
                <li key={one.id} class="card">
                  <a href={`#${addressOf(one.id, slug)}`}>{one.title}</a>
                  <p class="about">{one.summary}</p>
                </li>
              ))}
          </ul>
        </section>
      ))}
    </article>
  )
}

/** Templates by category, or one of them with its places. */
export const TemplatesView = ({ session, id, query: { slug = '' } }: Props) =>
  id === '' ? <Gallery session={session} slug={slug} /> : <One key={id} session={session} id={id} slug={slug} />
