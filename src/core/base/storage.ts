// What a browser stores for pages: cookies, items of storage and virtual passkeys.

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

/** A virtual passkey, without its private key; the texts are in base64url. */
export interface Passkey {
  readonly id: string
  /** The domain that it is for. */
  readonly rpId: string
  readonly userHandle: string
  readonly publicKey: string
  readonly signCount: number
}

/** Its private key is a secret: no answer, trace or test has it. */
export interface StoredPasskey extends Passkey {
  readonly privateKey: string
}

/** A signature counter, of 32 bits, that grows ten times a second until 2039; `at` is in Unix milliseconds. */
export const signCountAt = (at: number): number => Math.floor((at - Date.UTC(2026, 0)) / 100)

export const withoutPrivateKey = ({ privateKey: _, ...passkey }: StoredPasskey): Passkey => passkey

/** The cookies that the current page gets, and the storage of its origin. */
export interface OriginStorage {
  readonly cookies: readonly StorageItem[]
  readonly localStorage: readonly StorageItem[]
  readonly sessionStorage: readonly StorageItem[]
}

/** What Playwright saves, the session storage of pages that were open, and the virtual passkeys by Playwright's name for them. */
export interface StorageState {
  readonly cookies: readonly Record<string, unknown>[]
  readonly origins: readonly StoredOrigin[]
  readonly credentials?: readonly StoredPasskey[] | undefined
}

interface StoredOrigin {
  readonly origin: string
  readonly localStorage?: readonly StorageItem[] | undefined
  readonly sessionStorage?: readonly StorageItem[] | undefined
}
