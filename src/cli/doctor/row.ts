export type State = 'ok' | 'warn' | 'fail' | 'skip'

/** One check: what was found and, where something is to be done, what. */
export interface Row {
  readonly check: string
  readonly state: State
  readonly found: string
  readonly next?: string
}
