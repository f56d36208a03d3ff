import { Fact } from '#ui/part/fact.tsx'
import { Short } from '#ui/part/short.tsx'

const HASH = /^[0-9a-f]{64}$/

const Value = ({ value }: { readonly value: unknown }) => {
  if (typeof value === 'string') return HASH.test(value) ? <Short text={value} /> : <span>{value}</span>
  if (value === null) return <span class="about">none</span>
  return <code>{JSON.stringify(value)}</code>
}

const isSealed = (value: unknown): value is { readonly kid: string; readonly ct: string } =>
  typeof value === 'object' && value !== null && 'ct' in value && 'kid' in value

/** What an entry says: open members as they are; sealed ones are named, and open to the owner alone. */
export const EntryBody = ({ body }: { readonly body: unknown }) => {
  if (typeof body !== 'object' || body === null) return <Value value={body} />
  return (
    <dl class="tight">
      {Object.entries(body).map(([name, value]) => (
        <Fact key={name} name={name.replaceAll('_', ' ')}>
          {isSealed(value) ? (
            <span class="about">for the owner alone, under data key {value.kid}</span>
          ) : (
            <Value value={value} />
          )}
        </Fact>
      ))}
    </dl>
  )
}
