/** A view of the page: the part of the address that names it, and its name for people. */
export interface View {
  readonly place: string
  readonly title: string
}

/** Views that belong together: one word in the first row of links, its views in the second. */
export interface ViewGroup {
  readonly title: string
  readonly views: readonly View[]
}

const skip = (): void => document.getElementById('main')?.focus()

/** Whether an address lies in a view: the view itself, or one machine of the machines. */
const isIn = (place: string, { place: view }: View): boolean =>
  place === view || (view === 'machines' && place.startsWith('machine/'))

interface Props {
  readonly groups: readonly ViewGroup[]
  readonly place: string
}

const Links = ({ views, place }: { readonly views: readonly View[]; readonly place: string }) => (
  <>
    {views.map((view) => (
      <a key={view.place} href={`#${view.place}`} aria-current={isIn(place, view) ? 'page' : undefined}>
        {view.title}
      </a>
    ))}
  </>
)

/** Links to the views: the groups, and below them the views of the group that is open. */
export const Navigation = ({ groups, place }: Props) => {
  const open = groups.find(({ views }) => views.some((view) => isIn(place, view)))
  return (
    <>
      <nav class="main-nav" aria-label="views">
        {groups.map(({ title, views }) => (
          <a
            key={title}
            href={`#${views[0]?.place ?? ''}`}
            aria-current={title === open?.title ? (views.length > 1 ? 'true' : 'page') : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      {open !== undefined && open.views.length > 1 && (
        <nav class="sub-nav" aria-label={open.title}>
          <Links views={open.views} place={place} />
        </nav>
      )}
    </>
  )
}

/** For the keyboard alone, before everything else: jumps over the links. */
export const SkipLink = () => (
  <button type="button" class="skip" onClick={skip}>
    Skip to the content
  </button>
)
