/** A view of the page: the part of the address that names it, and its name for people. */
export interface View {
  readonly place: string
  readonly title: string
}

const skip = (): void => document.getElementById('main')?.focus()

interface Props {
  readonly views: readonly View[]
  readonly place: string
}

/** Links to the views; the first one, seen when it has the focus, leads past them. */
export const Navigation = ({ views, place }: Props) => (
  <nav aria-label="views">
    {views.map(({ place: to, title }) => (
      <a key={to} href={`#${to}`} aria-current={to === place ? 'page' : undefined}>
        {title}
      </a>
    ))}
    <a href="/docs">API</a>
  </nav>
)

/** For the keyboard alone, before everything else: jumps over the links. */
export const SkipLink = () => (
  <button type="button" class="skip" onClick={skip}>
    Skip to the content
  </button>
)
