const HEAD_CHARS = 10
const TAIL_CHARS = 6

/** A long name or hash: its ends are seen, the whole stands in its title and is what a copy takes. */
export const Short = ({ text }: { readonly text: string }) =>
  text.length <= HEAD_CHARS + TAIL_CHARS + 1 ? (
    <code>{text}</code>
  ) : (
    <code class="short" title={text}>
      {text.slice(0, HEAD_CHARS)}…{text.slice(-TAIL_CHARS)}
    </code>
  )
