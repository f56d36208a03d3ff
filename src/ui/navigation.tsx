import { groups, type Spot } from './views.tsx'

const skip = (): void => document.getElementById('main')?.focus()

/** Links to the groups of views. */
export const Navigation = ({ spot: { at, group } }: { readonly spot: Spot }) => (
  <nav class="main-nav" aria-label="views">
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
