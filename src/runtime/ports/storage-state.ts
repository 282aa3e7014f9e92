export interface StorageState {
  readonly cookies: readonly Record<string, unknown>[]
  readonly origins: readonly Record<string, unknown>[]
}
