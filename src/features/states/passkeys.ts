// Virtual passkeys: Playwright answers what pages ask of an authenticator, in every engine. A trace has the calls of Playwright's client with
// their results, so private keys do not pass it. Where Playwright runs on another machine they do, but not while a trace is recorded.

import type { BrowserContext } from 'playwright'
import type { ActionOf } from '../../core/base/action.ts'
import { signCountAt, type StoredPasskey } from '../../core/base/storage.ts'
import { internalsOf } from '../../core/browser/playwright/internals.ts'
import { isTraced } from '../../core/browser/tab/tracing.ts'

/** All passkeys of a context with their private keys. Throws where that would be traced. */
export const readPasskeys = async (context: BrowserContext): Promise<readonly StoredPasskey[]> =>
  contextsWithPasskeys.has(context) ? authenticatorOf(context).get() : []

/** Adds passkeys that were saved. Throws where that would be traced. */
export async function addPasskeys(
  context: BrowserContext,
  passkeys: readonly StoredPasskey[],
): Promise<void> {
  if (passkeys.length === 0) return
  const authenticator = authenticatorOf(context)
  for (const passkey of passkeys) await authenticator.create(withLaterCount(passkey))
  await install(context)
}

/** Carries out an action, and returns what it created or removed. Throws where a private key would be traced. */
export async function changePasskeys(
  context: BrowserContext,
  { change, name, created }: ActionOf<'passkeys'>,
): Promise<readonly StoredPasskey[]> {
  if (change === 'clear') {
    const removed = (await readPasskeys(context)).filter((passkey) => isNamed(passkey, name))
    for (const { id } of removed) await context.credentials.delete(id)
    return removed
  }
  await install(context)
  if (created) await addPasskeys(context, created)
  if (created || name === undefined) return created ?? []
  return [await authenticatorOf(context).create({ rpId: name })]
}

export const isNamed = (
  { id, rpId }: Pick<StoredPasskey, 'id' | 'rpId'>,
  name: string | undefined,
): boolean => name === undefined || name === rpId || name === id

// --- internal ---

const TRACED =
  'the trace of a browser on another machine would have the private keys of passkeys; stop the trace first'

const contextsWithPasskeys = new WeakSet<BrowserContext>()

async function install(context: BrowserContext): Promise<void> {
  contextsWithPasskeys.add(context)
  await context.credentials.install()
}

interface Authenticator {
  get(): Promise<readonly StoredPasskey[]>
  create(passkey: Partial<StoredPasskey> & Pick<StoredPasskey, 'rpId'>): Promise<StoredPasskey>
}

function authenticatorOf(context: BrowserContext): Authenticator {
  const server = internalsOf<{ readonly credentials?: Authenticator }>(context)?.credentials
  if (server) return server
  if (isTraced(context)) throw new Error(TRACED)
  const { credentials } = context
  return { get: () => credentials.get(), create: ({ rpId, ...passkey }) => credentials.create(rpId, passkey) }
}

// A site refuses a signature counter that it has seen, and a state may be older than the last login. A saved test counts by the same clock.
const withLaterCount = (passkey: StoredPasskey): StoredPasskey => ({
  ...passkey,
  signCount: Math.max(passkey.signCount, signCountAt(Date.now())),
})
