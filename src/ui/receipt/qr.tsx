import { useEffect, useState } from 'preact/hooks'

/** Modules of white around a code beside the one that it brings; readers need four. */
const MARGIN = 3

type Modules = readonly (readonly boolean[])[]

/** Dark modules as one path: a square each. */
const pathOf = (modules: Modules): string =>
  modules.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join('')

/** A text as a QR code, dark on white in every theme: readers do not know it the other way round. */
export const Qr = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [drawn, show] = useState<{ readonly text: string; readonly modules: Modules }>()
  useEffect(() => {
    let over = false
    const draw = async (): Promise<void> => {
      const { encodeQR } = await import('qr')
      if (!over) show({ text, modules: encodeQR(text, 'raw', { ecc: 'medium', border: 1 }) })
    }
    void draw()
    return () => {
      over = true
    }
  }, [text])
  // A code of the text before would lead elsewhere than its name says.
  if (drawn?.text !== text) return null
  const { modules } = drawn
  const side = modules.length + 2 * MARGIN
  return (
    <svg class="qr" viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`} role="img" aria-label={label}>
      <rect x={-MARGIN} y={-MARGIN} width={side} height={side} fill="#fff" />
      <path d={pathOf(modules)} fill="#000" shape-rendering="crispEdges" />
    </svg>
  )
}
