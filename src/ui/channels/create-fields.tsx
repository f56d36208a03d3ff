import type { ComponentChildren } from 'preact'
import { CheckRow } from '#ui/part/check-row.tsx'
import { Select } from '#ui/part/select.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import type { PageSession } from '#ui/session.ts'
import { ContractRow } from './contract-row.tsx'
import { bounds, isInterval, kinds, modes, type StreamTerms } from './create-terms.ts'

interface ChoiceProps<T extends string> {
  readonly id: string
  readonly label: string
  readonly options: readonly T[]
  readonly value: T
  readonly onChoose: (option: T) => void
}

const Choice = <T extends string>({ label, ...given }: ChoiceProps<T>) => (
  <div class="form-row">
    <label for={given.id}>{label}</label>
    <Select {...given} />
  </div>
)

interface JsonProps {
  readonly id: string
  readonly label: string
  readonly placeholder?: string
  readonly value: string
  readonly onText: (text: string) => void
  /** What is said of it. */
  readonly children: ComponentChildren
}

const JsonRow = ({ id, label, placeholder, value, onText, children }: JsonProps) => (
  <div class="form-row wide">
    <label for={id}>{label}</label>
    <textarea
      id={id}
      class="stream-inputs"
      rows={4}
      placeholder={placeholder}
      spellcheck={false}
      aria-describedby={`${id}-about`}
      value={value}
      onInput={(event) => onText(event.currentTarget.value)}
    />
    <p id={`${id}-about`} class="about">
      {children}
    </p>
  </div>
)

/** The form of an oracle. */
const ORACLE = JSON.stringify({
  load: { from: { kind: 'machine', slug: '…', event: '…', field: '…' }, type: 'number', max_age: 1_287 },
})

interface Props {
  readonly session: PageSession
  readonly terms: StreamTerms
  readonly set: (change: Partial<StreamTerms>) => void
}

/** When it ticks, and what it has to do with others of the node. */
const Beside = ({ session, terms, set }: Props) => (
  <>
    <div class="form-row wide">
      <CheckRow checked={terms.autotick} onCheck={(autotick) => set({ autotick })}>
        It ticks by itself
      </CheckRow>
    </div>
    {terms.autotick && (
      <TextRow
        id="stream-first-interval"
        label="Mesh ticks from one due tick to the next"
        inputMode="numeric"
        value={terms.interval}
        aria-invalid={!isInterval(terms.interval)}
        onText={(text) => set({ interval: text.trim() })}
      />
    )}
    <TextRow
      id="stream-slug"
      label="Machine"
      placeholder="one that your streams share"
      spellcheck={false}
      value={terms.slug}
      onText={(text) => set({ slug: text.trim(), contract: '' })}
    />
    <ContractRow
      session={session}
      slug={terms.slug}
      value={terms.contract}
      onChoose={(contract) => set({ contract })}
    />
    <JsonRow
      id="stream-oracles"
      label="Oracles, as JSON"
      placeholder={ORACLE}
      value={terms.oracles}
      onText={(oracles) => set({ oracles })}
    >
      What expressions read as <code>oracle.name</code>: members of contracts and fields of events of this node, in the
      form that contracts have.
    </JsonRow>
  </>
)

/** All that is typed of a stream. */
export const StreamFields = ({ session, terms, set }: Props) => (
  <div class="form-grid">
    <Choice id="stream-kind" label="Computes" options={kinds} value={terms.kind} onChoose={(kind) => set({ kind })} />
    <TextRow
      id="stream-names"
      label={terms.kind === 'solver' ? 'Name of the solver' : 'Ids of operators, with commas'}
      spellcheck={false}
      value={terms.names}
      onText={(names) => set({ names })}
    />
    <JsonRow id="stream-inputs" label="Inputs, as JSON" value={terms.inputs} onText={(inputs) => set({ inputs })}>
      <code>{'{"$": "…"}'}</code> is worked out anew for each tick from <code>tick</code>, <code>count</code>,{' '}
      <code>head</code> and <code>oracle</code>. A solver has defaults for what is left out.
    </JsonRow>
    <Choice id="stream-mode" label="Each tick" options={modes} value={terms.mode} onChoose={(mode) => set({ mode })} />
    {terms.mode === 'continue' && (
      <Choice
        id="stream-bound"
        label="When errors pass 0.1 %"
        options={bounds}
        value={terms.onBound}
        onChoose={(onBound) => set({ onBound })}
      />
    )}
    <Beside session={session} terms={terms} set={set} />
  </div>
)
