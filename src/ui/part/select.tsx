interface Props<T extends string> {
  readonly id?: string | undefined
  readonly 'aria-label'?: string | undefined
  readonly options: readonly T[]
  readonly value: string
  readonly onChoose: (option: T) => void
}

/** One of some words. */
export const Select = <T extends string>({ options, onChoose, ...given }: Props<T>) => (
  <select {...given} onChange={(event) => onChoose(event.currentTarget.value as T)}>
    {options.map((it) => (
      <option key={it} value={it}>
        {it}
      </option>
    ))}
  </select>
)
