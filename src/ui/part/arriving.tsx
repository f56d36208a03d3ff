import type { JSX } from 'preact'
import { useCode } from './use-code.ts'

/** Code of the page that is on its way, or does not come. */
const OnItsWay = ({ name, missing }: { readonly name: string; readonly missing: boolean }) =>
  missing ? (
    <div class="card problem" role="alert">
      <p class="wrong">“{name}” could not be loaded. Trying again.</p>
      <p class="about">After an upgrade of the node the page has to be loaded anew.</p>
      <div class="actions">
        <button type="button" onClick={() => location.reload()}>
          Load the page anew
        </button>
      </div>
    </div>
  ) : (
    <p class="opening about">opening …</p>
  )

interface Props {
  /** What it is called for people. */
  readonly name: string
  readonly id: string
  /** What draws it, once it is here. */
  readonly ready: () => (() => JSX.Element) | undefined
  readonly load: () => Promise<unknown>
}

/** A part of the page whose code is fetched when it is first drawn. */
export const Arriving = ({ name, id, ready, load }: Props) => {
  const show = ready()
  const missing = useCode(id, show !== undefined, load)
  return show === undefined ? <OnItsWay name={name} missing={missing} /> : show()
}

/**
 * A component whose code is fetched when it is first drawn.
 *
 * @param name what it is called for people, where it does not come.
 */
export const lazyPart = <P extends object>(name: string, load: () => Promise<(props: P) => JSX.Element | null>) => {
  let Part: ((props: P) => JSX.Element | null) | undefined
  const fetch = async (): Promise<void> => {
    Part = await load()
  }
  return (props: P) => {
    const ready = () => {
      const Here = Part
      return Here === undefined ? undefined : () => <Here {...props} />
    }
    return <Arriving name={name} id={name} ready={ready} load={fetch} />
  }
}
