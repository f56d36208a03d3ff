/** One line of the doctor: `warn` may become wrong, `fail` is wrong; `hint` says what to do. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly detail: string
  readonly hint?: string
}

/** Findings of one check, by its name. */
export const findings = (check: string) => ({
  ok: (detail: string): Finding => ({ check, state: 'ok', detail }),
  warn: (detail: string, hint: string): Finding => ({ check, state: 'warn', detail, hint }),
  fail: (detail: string, hint: string): Finding => ({ check, state: 'fail', detail, hint }),
})
