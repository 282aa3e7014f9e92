// What the pages of a session have stored, as its tool reads and changes it: by action, and beside them.

import type { BrowserContext, BrowserContextOptions } from 'playwright'
import type { Failure, Outcome } from '../../core/base/failure.ts'
import { err, map } from '../../core/base/result.ts'
import {
  type OriginStorage,
  type Passkey,
  type StorageQuery,
  type StorageState,
  type StoredPasskey,
  withoutPrivateKey,
} from '../../core/base/storage.ts'
import type { PageParts } from '../../core/browser/page/page-parts.ts'
import type { PageFeature, Performers } from '../../core/browser/page/performers.ts'
import { attempt, browserError } from '../../core/browser/playwright/errors.ts'
import type { PageOptions } from '../../core/sessions/types/browsers.ts'
import type { Page } from '../../core/sessions/types/page.ts'
import { changeOriginStorage } from './origin-storage.ts'
import { changePasskeys, isNamed, readPasskeys } from './passkeys.ts'
import { addStoredParts, captureState, playwrightStateOf, replaceState } from './stored-state.ts'

declare module '../../core/base/action.ts' {
  interface ActionTypes<E> {
    /** Sets or clears cookies and storage of the current origin, and returns what was set or cleared. */
    storage: ActionType<
      {
        readonly tool: string
        readonly change: 'set' | 'clear'
        readonly query: StorageQuery
        readonly value?: string | undefined
      },
      OriginStorage
    >
    /** Lets a virtual authenticator answer the pages, with a new passkey for the domain `name`, or removes the passkeys of a domain or an id.
     * Returns what was created or removed; `created` has what a recorded action created. */
    passkeys: ActionType<
      {
        readonly change: 'set' | 'clear'
        readonly name?: string | undefined
        readonly created?: readonly StoredPasskey[]
      },
      readonly StoredPasskey[]
    >
  }
}

declare module '../../core/sessions/types/page.ts' {
  interface FeaturePage {
    /** Cookies and storage of all origins, for the state that is saved as the session closes. */
    captureState?(): Promise<Outcome<StorageState>>
  }
}

declare module '../../core/browser/page/performers.ts' {
  interface FeaturePerformers extends Performers<'storage' | 'passkeys'> {}
}

export const createPageStorage = ({ runOnTab, context, report }: PageParts): PageFeature => ({
  members: { captureState: () => captureState(context, report) },
  performers: {
    storage: ({ change, query, value }) => runOnTab((tab) => changeOriginStorage(tab, change, query, value)),
    passkeys: (action) => runOnTab(() => attempt(changePasskeys(context, action), browserError)),
  },
})

/** A private context begins with the state. */
export const contextOptions = ({ storageState }: PageOptions): BrowserContextOptions =>
  storageState ? { storageState: playwrightStateOf(storageState) } : {}

export const restoreState = async (context: BrowserContext, { storageState }: PageOptions): Promise<void> =>
  storageState && addStoredParts(context, storageState)

/** The state of a session that is not in the user's own browser. */
export const readState = ({ parts: { runOnTab, hooks }, captureState: capture }: Page) =>
  runOnTab(async () => (hooks.isAttached || !capture ? err(ATTACHED_STATE) : capture()))

export const loadState = ({ parts: { runOnTab, context, hooks } }: Page, state: StorageState) =>
  runOnTab(async () =>
    hooks.isAttached ? err(ATTACHED_STATE) : attempt(replaceState(context, state), browserError),
  )

/** Reads cookies and storage of the current origin. */
export const readStorage = ({ parts }: Page, query: StorageQuery): Promise<Outcome<OriginStorage>> =>
  parts.runOnTab((tab) => changeOriginStorage(tab, 'read', query))

/** The virtual passkeys of a domain, or the one with an id; all without a name. */
export const listPasskeys = (
  { parts: { runOnTab, context } }: Page,
  name: string | undefined,
): Promise<Outcome<readonly Passkey[]>> =>
  runOnTab(async () => {
    const passkeys = await attempt(readPasskeys(context), browserError)
    return map(passkeys, (all) => all.filter((passkey) => isNamed(passkey, name)).map(withoutPrivateKey))
  })

// --- internal ---

const ATTACHED_STATE: Failure = {
  code: 'BROWSER_ERROR',
  text: "this session is in the user's own browser, whose cookies are not all its own",
  next: 'Use the actions read, set and clear, which are for the current origin.',
}
