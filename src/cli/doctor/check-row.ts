export type CheckState = 'ok' | 'warn' | 'fail' | 'skip'

/** One check: what was found and, where something is to be done, what. */
export interface CheckRow {
  readonly check: string
  readonly state: CheckState
  readonly found: string
  readonly next?: string
}
