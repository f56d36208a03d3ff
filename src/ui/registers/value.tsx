import { bitsOf } from '#core/mmio/page.ts'
import { meaningOf } from '#core/mmio/shown.ts'
import { Short } from '#ui/part/short.tsx'
import type { LiveRegister } from './groups.ts'

const HEX_SHORT = 24

/** Bits as lamps, each with its name: lit ones are said to be set, and not by their colour alone. */
const Lamps = ({ word, names }: { readonly word: number; readonly names: readonly string[] }) => {
  const set = bitsOf(word, names)
  return (
    <ul class="lamps">
      {names.map((name) => {
        const isSet = set.includes(name)
        return (
          <li key={name} class={isSet ? 'lamp lit' : 'lamp'} data-bit={name} data-set={isSet}>
            <span aria-hidden="true">{isSet ? '●' : '○'}</span> {name.replaceAll('_', ' ')}
            <span class="unseen">{isSet ? ', set' : ', not set'}</span>
          </li>
        )
      })}
    </ul>
  )
}

/** What a register holds, as it is read best. */
export const Value = ({ row: { value, bits, values, type, unit } }: { readonly row: LiveRegister }) => {
  if (value === null) return <>–</>
  if (bits !== null) return <Lamps word={Number(value)} names={bits} />
  const named = meaningOf({ unit, ...(values === null ? {} : { values }) }, value)
  if (unit === 'code' && named !== undefined) {
    return (
      <a href={`/docs/errors/${named}`}>
        <code>{named}</code>
      </a>
    )
  }
  if (named !== undefined) return <>{named}</>
  if (unit === 'code' && value === 0) return <>none</>
  // No digest is all zeros: nothing was written there yet.
  if (value === '' || (type === 'bytes' && /^0+$/.test(String(value)))) return <>none yet</>
  if (type === 'bytes' && String(value).length > HEX_SHORT) return <Short text={String(value)} />
  return (
    <>
      {value}
      {unit !== null && unit !== 'code' && unit !== '1' && <span class="unit"> {unit}</span>}
    </>
  )
}
