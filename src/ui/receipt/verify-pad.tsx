import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useHanded } from '#ui/front/handed.ts'
import { FILES_MAX, type Given, keyIn, type Sorted, sorted } from './given-file.ts'
import { useVerifying, VerifyButton, VerifyOutcome } from './verifying.tsx'

interface ChosenProps {
  readonly given: Given
  readonly trusted: string
  readonly past: unknown
  /** Begins by itself: what was just given is verified without a further press. */
  readonly begins: boolean
}

const Chosen = ({ given: { name, blob }, trusted, past, begins }: ChosenProps) => {
  const verifying = useVerifying({ evidence: () => Promise.resolve(blob), trusted, past })
  useEffect(() => {
    if (begins) verifying.start()
  }, [])
  return (
    <section class="card" aria-label={name} data-file={name}>
      <div class="actions">
        <VerifyButton of={verifying} label={verifying.found === undefined ? 'Verify' : 'Verify again'} />
        <span class="about">
          <b>{name}</b>, {blob.size.toLocaleString('en')} bytes
        </span>
      </div>
      <VerifyOutcome of={verifying} />
    </section>
  )
}

interface DropProps {
  readonly onFiles: (files: readonly File[]) => void
  /** Whether a file may be dropped anywhere on the page. */
  readonly everywhere: boolean
}

/** Takes files that are dropped on an element, or anywhere: a browser would go away to show one that missed. */
const useDrop = ({ onFiles, everywhere }: DropProps) => {
  const [over, hover] = useState(false)
  const take = useRef(onFiles)
  take.current = onFiles
  const on = {
    onDragOver: (event: DragEvent): void => {
      event.preventDefault()
      hover(true)
    },
    onDragLeave: (): void => hover(false),
    onDrop: (event: DragEvent): void => {
      event.preventDefault()
      event.stopPropagation()
      hover(false)
      take.current([...(event.dataTransfer?.files ?? [])])
    },
  }
  useEffect(() => {
    if (!everywhere) return
    addEventListener('dragover', on.onDragOver)
    addEventListener('drop', on.onDrop)
    return () => {
      removeEventListener('dragover', on.onDragOver)
      removeEventListener('drop', on.onDrop)
    }
  }, [everywhere])
  return { over, on }
}

const DropZone = (props: DropProps) => {
  const { over, on } = useDrop(props)
  return (
    <div class={over ? 'drop over' : 'drop'} {...on}>
      <label for="bundle">Receipt, chain or key file</label>
      <input
        id="bundle"
        type="file"
        multiple
        accept="application/json,.json,.chain,.key,.vkey,text/plain"
        onChange={(event) => props.onFiles([...(event.currentTarget.files ?? [])])}
      />
      <p class="about">Choose files, or drop them here; several at once, and a file with the trusted key among them.</p>
    </div>
  )
}

const Paste = ({ onText }: { readonly onText: (text: string) => void }) => {
  const [text, write] = useState('')
  return (
    <details class="paste">
      <summary>Paste its text instead</summary>
      <div class="form-row">
        <label for="pasted">Text of a receipt or of a chain</label>
        <textarea
          id="pasted"
          rows={5}
          spellcheck={false}
          value={text}
          onInput={(event) => write(event.currentTarget.value)}
        />
      </div>
      <button type="button" disabled={text.trim() === ''} onClick={() => onText(text.trim())}>
        Verify this text
      </button>
    </details>
  )
}

interface KeyProps {
  readonly value: string
  readonly onText: (text: string) => void
  /** Where the key that stands there comes from. */
  readonly about: string
}

const KeyField = ({ value, onText, about }: KeyProps) => {
  const id = useId()
  return (
    <div class="form-row">
      <label for="trusted">Trusted key</label>
      <textarea
        id="trusted"
        rows={3}
        spellcheck={false}
        aria-describedby={id}
        value={value}
        onInput={(event) => onText(event.currentTarget.value.trim())}
      />
      <p class="about" id={id}>
        {about}
      </p>
    </div>
  )
}

/** By what something is judged. */
interface Trust {
  readonly key: string
  readonly past: unknown
}

/** What was given last, and by what it was to be judged then. */
interface Round {
  readonly all: readonly Given[]
  readonly trust: Trust
}

const saidOf = (files: readonly File[], { key, past }: Sorted): string =>
  [
    files.length > FILES_MAX && `The first ${FILES_MAX} of ${files.length} files were taken.`,
    key !== undefined && 'The trusted key was taken from a file.',
    past !== undefined && 'Key successions were taken from a file.',
  ]
    .filter(Boolean)
    .join(' ')

const useRounds = (vkey: string, past: unknown) => {
  const [round, begin] = useState<Round>({ all: [], trust: { key: vkey, past } })
  const [key, type] = useState(vkey)
  const [said, say] = useState('')
  const count = useRef(0)
  const present = useRef(key)
  present.current = key
  /** Something to verify, under another key or the same. */
  const show = (all: readonly Omit<Given, 'id'>[], trust: Partial<Trust>): void => {
    type(trust.key ?? present.current)
    begin((old) => ({
      trust: { past: old.trust.past, key: present.current, ...trust },
      all: all.map((it) => ({ ...it, id: ++count.current })),
    }))
  }
  const onFiles = async (files: readonly File[]): Promise<void> => {
    if (files.length === 0) return
    const standing = round.all
    begin((old) => ({ ...old, all: [] })) // A verdict on what was there before is none on this.
    const found = await sorted(files.slice(0, FILES_MAX))
    const { evidence, ...trust } = found
    say(saidOf(files, found))
    // A key alone is one for what stands there.
    show(evidence.length === 0 ? standing : evidence.map((it) => ({ name: it.name, blob: it })), trust)
  }
  const onText = (text: string): void => {
    const found = keyIn(text)
    say(found === undefined ? '' : 'That is a key: it is the trusted one now.')
    if (found === undefined) show([{ name: 'pasted text', blob: new Blob([text]) }], {})
    else show(round.all, { key: found })
  }
  return { round, key, type, said, onFiles, onText }
}

interface Props {
  /** The key that stands in the field at first. */
  readonly vkey: string
  readonly past: unknown
  readonly aboutKey: string
  readonly everywhere?: boolean
}

/** Takes receipts and chains in any way, a trusted key beside them, and shows a verdict on each. */
export const VerifyPad = ({ vkey, past, aboutKey, everywhere = false }: Props) => {
  const { round, key, type, said, onFiles, onText } = useRounds(vkey, past)
  useHanded((file) => void onFiles([file]))
  return (
    <>
      <form class="card verify-pad" onSubmit={(event) => event.preventDefault()}>
        <DropZone onFiles={(files) => void onFiles(files)} everywhere={everywhere} />
        <Paste onText={onText} />
        <KeyField value={key} onText={type} about={aboutKey} />
        <p class="about said" role="status">
          {said}
        </p>
      </form>
      {round.all.map((it) => (
        <Chosen
          key={`${it.id} ${key}`}
          given={it}
          begins={round.trust.key === key}
          trusted={key}
          past={round.trust.past}
        />
      ))}
    </>
  )
}
