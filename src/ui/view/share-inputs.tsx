import { useState } from 'preact/hooks'
import type { Query } from '#ui/address.ts'
import { copy, download } from '#ui/receipt/evidence.ts'
import { saidAddress } from './use-address.ts'

interface Props {
  /** The address of the view, without `#`. */
  readonly place: string
  readonly query: Query
  /** What the form stands for: the file, where it is too long for a link. */
  readonly input: object
}

/** Hands on what stands in a form: as a link, or as a file for `--input-file` where a link is too short. */
export const ShareInputs = ({ place, query, input }: Props) => {
  const [said, say] = useState('')
  const address = saidAddress(place, query)
  const file = `${place.replaceAll('/', '-')}-input.json`
  const onShare = (): void => {
    if (address === undefined) {
      download(file, new Blob([JSON.stringify(input, undefined, 2)], { type: 'application/json' }))
      say(`Saved ${file}: these inputs are too long for a link. tickmesh takes it with --input-file.`)
      return
    }
    const link = `${location.origin}/${address}`
    copy(new Blob([link])).then(
      () => say('The link is on the clipboard.'),
      // The browser keeps the clipboard from pages without TLS: the link can still be taken by hand.
      () => say(link),
    )
  }
  return (
    <>
      <button type="button" onClick={onShare}>
        {address === undefined ? 'Save the inputs' : 'Copy link'}
      </button>
      <span class="about said" role="status">
        {said}
      </span>
    </>
  )
}
