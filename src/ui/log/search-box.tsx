import type { TargetedSubmitEvent } from 'preact'
import { useState } from 'preact/hooks'
import { meaningsOf, spellPlace } from './place.ts'

/** Characters that anything one can look for has at most. */
const TYPED_CHARS_MAX = 80

/** One box for index, hash, token and tick: what was typed may mean, as links; Enter takes the likeliest. */
export const SearchBox = ({ log }: { readonly log: string }) => {
  const [typed, type] = useState('')
  const meanings = meaningsOf(typed, log)
  const go = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const first = meanings[0]
    if (first !== undefined) location.hash = spellPlace(first.to)
  }
  const isLost = typed.trim() !== '' && meanings.length === 0
  return (
    <form class="card log-search" aria-label="Find a leaf" onSubmit={go}>
      <label for="log-search">Find a leaf by index, hash, token or tick</label>
      <div class="log-search-row">
        <input
          id="log-search"
          type="search"
          maxLength={TYPED_CHARS_MAX}
          spellcheck={false}
          autocomplete="off"
          placeholder="12, tick 340, a hash, a token"
          value={typed}
          aria-describedby="log-search-means"
          aria-invalid={isLost}
          onInput={(event) => type(event.currentTarget.value)}
        />
        <button type="submit" class="primary" disabled={meanings.length === 0}>
          Find
        </button>
      </div>
      <p id="log-search-means" class="about" role="status">
        {isLost && 'That is no index, no tick, no hash (64 hex digits) and no token (32 hex digits).'}
        {meanings.length > 0 && 'Goes to '}
        {meanings.map(({ about, to }, i) => (
          <span key={about}>
            {i > 0 && ', or '}
            <a href={`#${spellPlace(to)}`}>{about}</a>
          </span>
        ))}
      </p>
    </form>
  )
}
