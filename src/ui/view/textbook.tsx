import { useLayoutEffect, useRef } from 'preact/hooks'
import { useReading } from '#ui/server/reading.ts'
import { type Chapter, readTextbook } from './read-textbook.ts'

/** Nodes of a document that was read, as children of an element of this page. */
const Nodes = ({
  nodes,
  name,
  scrolls,
}: {
  readonly nodes: readonly Node[]
  readonly name: string
  /** What it is called, where it may be wider than its place: it then has to be reached by the keyboard. */
  readonly scrolls?: string
}) => {
  const host = useRef<HTMLElement>(null)
  useLayoutEffect(() => host.current?.replaceChildren(...nodes.map((it) => it.cloneNode(true))), [nodes])
  const reached = scrolls === undefined ? {} : { 'aria-label': scrolls, tabIndex: 0 }
  return <section ref={host} class={name} {...reached} />
}

const ChapterPart = ({ chapter: { title, nodes } }: { readonly chapter: Chapter }) => (
  <details class="chapter" data-chapter={title}>
    <summary>{title}</summary>
    <Nodes nodes={nodes} name="prose" scrolls={title} />
  </details>
)

/** The page of a solver: equations and setting on top, then what it says of method, check and limits, folded. */
export const Textbook = ({ name }: { readonly name: string }) => {
  const { value: book } = useReading((signal) => readTextbook(name, signal), { on: [name] })
  if (book === undefined) return null
  const { equations, picture, chapters } = book
  return (
    <section class="card textbook" aria-label="The problem">
      <div class="setting">
        {equations.length > 0 && <Nodes nodes={equations} name="equations" scrolls="Equations" />}
        {picture !== undefined && <Nodes nodes={[picture]} name="picture" />}
      </div>
      <div class="chapters">
        {chapters.map((chapter) => (
          <ChapterPart key={chapter.title} chapter={chapter} />
        ))}
      </div>
      <p class="about">
        <a href={`/docs/solvers/${name}`}>The whole page of this solver</a>
      </p>
    </section>
  )
}
