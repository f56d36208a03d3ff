import { Ago as AgoPart } from '#ui/part/ago.tsx'

/** How long ago a mesh tick was. */
export const Ago = ({ tick, now }: { readonly tick: number; readonly now: number }) => (
  <AgoPart tick={tick} now={now} unit="mesh tick" />
)
