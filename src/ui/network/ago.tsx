/** How long ago a mesh tick was. */
export const Ago = ({ tick, now }: { readonly tick: number; readonly now: number }) => {
  const ticks = Math.max(0, now - tick)
  return <span title={`mesh tick ${tick}`}>{ticks < 2 ? 'now' : `${ticks} ticks ago`}</span>
}
