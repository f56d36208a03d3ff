import type { RefObject } from 'preact'
import { CheckRow } from '#ui/part/check-row.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import type { Filters, Registry } from './use-operators.ts'

interface Props {
  readonly filters: Filters
  readonly registry: Registry | undefined
  readonly field: RefObject<HTMLInputElement | null>
  readonly onFilter: (filters: Partial<Filters>) => void
  /** Enter opens the first one found, the arrow down goes to it. */
  readonly onKey: (event: KeyboardEvent) => void
}

const words = (domain: string): string => domain.replaceAll('-', ' ')

const DomainRow = ({ filters, registry, onFilter }: Pick<Props, 'filters' | 'registry' | 'onFilter'>) => (
  <div class="form-row">
    <label for="operators-domain">Domain</label>
    <select
      id="operators-domain"
      value={filters.domain}
      onChange={(event) => onFilter({ domain: event.currentTarget.value })}
    >
      <option value="">all domains ({registry?.count ?? '…'})</option>
      {registry?.domains
        .toSorted((a, b) => a.domain.localeCompare(b.domain))
        .map(({ domain, count }) => (
          <option key={domain} value={domain}>
            {words(domain)} ({count})
          </option>
        ))}
    </select>
  </div>
)

/** Words to look for, and what the list is narrowed to. */
export const SearchCard = ({ filters, registry, field, onFilter, onKey }: Props) => (
  <search class="card operators-search">
    <div class="form-row">
      <label for="operators-words">Find</label>
      <input
        ref={field}
        id="operators-words"
        type="search"
        autocomplete="off"
        placeholder="id, name, variable, equation …"
        maxLength={64}
        value={filters.q}
        onInput={(event) => onFilter({ q: event.currentTarget.value })}
        onKeyDown={onKey}
      />
    </div>
    <div class="form-grid">
      <DomainRow filters={filters} registry={registry} onFilter={onFilter} />
      <TextRow
        id="operators-symbol"
        label="Symbol"
        placeholder="e.g. rho, T_c"
        autocomplete="off"
        spellcheck={false}
        maxLength={32}
        value={filters.symbol}
        onText={(symbol) => onFilter({ symbol })}
      />
      <TextRow
        id="operators-unit"
        label="Unit or one alike"
        placeholder="e.g. km, J/kg"
        autocomplete="off"
        spellcheck={false}
        maxLength={64}
        value={filters.unit}
        onText={(unit) => onFilter({ unit })}
      />
      <CheckRow checked={filters.computable} onCheck={(computable) => onFilter({ computable })}>
        only what can be computed
      </CheckRow>
    </div>
  </search>
)
