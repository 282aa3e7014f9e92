export interface StorageState {
  readonly cookies: readonly Record<string, unknown>[]
  readonly origins: readonly Record<string, unknown>[]
}

export type StorageKind = 'cookie' | 'local' | 'session'

/** Which cookies and items of the current origin; all without a kind or a name. */
export interface StorageQuery {
  readonly kind?: StorageKind
  readonly name?: string
}

export interface StorageItem {
  readonly name: string
  readonly value: string
}

/** The cookies that the current page gets, and the storage of its origin. */
export interface OriginStorage {
  readonly cookies: readonly StorageItem[]
  readonly localStorage: readonly StorageItem[]
  readonly sessionStorage: readonly StorageItem[]
}
