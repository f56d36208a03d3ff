import { useEffect, useRef } from 'preact/hooks'
import { groups, type Spot } from './views.tsx'

const skip = (): void => document.getElementById('main')?.focus()

/** The links where they are one line that is pushed sideways: the one of the view that is seen comes to its middle. */
const useCentred = (group: string) => {
  const nav = useRef<HTMLElement>(null)
  useEffect(() => {
    const here = nav.current?.querySelector<HTMLElement>('[aria-current]')
    if (nav.current === null || here === null || here === undefined) return
    nav.current.scrollLeft = here.offsetLeft - nav.current.offsetLeft - (nav.current.clientWidth - here.offsetWidth) / 2
  }, [group])
  return nav
}

/** Links to the groups of views. */
export const Navigation = ({ spot: { at, group } }: { readonly spot: Spot }) => (
  <nav ref={useCentred(group)} class="main-nav" aria-label="views">
    {groups.map(({ title, home }) => (
      <a key={title} href={`#${home}`} aria-current={title !== group ? undefined : at === home ? 'page' : 'true'}>
        {title}
      </a>
    ))}
  </nav>
)

/** For the keyboard alone, before everything else: jumps over the links. */
export const SkipLink = () => (
  <button type="button" class="skip" onClick={skip}>
    Skip to the content
  </button>
)
