/** A view of the page: the part of the address that names it, and its name for people. */
export interface View {
  readonly place: string
  readonly title: string
}

/** Views that belong together: one word among the links, which leads to the first of them. */
export interface ViewGroup {
  readonly title: string
  readonly views: readonly View[]
}

const skip = (): void => document.getElementById('main')?.focus()

/** Views of many things, and the beginning of the address of one of them. */
const oneOf: Readonly<Record<string, string>> = { machines: 'machine/', operators: 'operators/', reactors: 'reactor/' }

/** Whether an address lies in a view: the view itself, or one machine of the machines. */
const isIn = (place: string, { place: view }: View): boolean => {
  const { [view]: one } = oneOf
  return place === view || (one !== undefined && place.startsWith(one))
}

interface Props {
  readonly groups: readonly ViewGroup[]
  readonly place: string
}

/** Links to the groups of views. */
export const Navigation = ({ groups, place }: Props) => (
  <nav class="main-nav" aria-label="views">
    {groups.map(({ title, views }) => {
      const [first] = views
      const open = views.find((view) => isIn(place, view))
      return (
        <a
          key={title}
          href={`#${first?.place ?? ''}`}
          aria-current={open === undefined ? undefined : open === first ? 'page' : 'true'}
        >
          {title}
        </a>
      )
    })}
  </nav>
)

/** For the keyboard alone, before everything else: jumps over the links. */
export const SkipLink = () => (
  <button type="button" class="skip" onClick={skip}>
    Skip to the content
  </button>
)
