// Permissions of the pages of a session. In Chromium each is set alone: Playwright's grantPermissions would deny all that is not listed,
// such as the clipboard of the session's own server, whose pages copy and paste as part of what is tested. Firefox has no permission
// for the clipboard; as Playwright starts it, every page may use it after a click.

import type { BrowserContext } from 'playwright'
import { type Failure, invalidParameter, type Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import { settleWithin } from '../../base/system/settle-within.ts'
import type { CdpSession } from '../playwright/cdp-session.ts'
import { messageOf } from '../playwright/errors.ts'
import type { Tab } from './tab.ts'

export type Permissions = ReturnType<typeof createPermissions>

/** Without an origin it is for all pages. */
interface Grant {
  readonly origin?: string
  readonly name: string
}

const GRANT_TIMEOUT_MS = 2000

export function createPermissions(context: BrowserContext) {
  const ownGrants: Grant[] = []
  let requested: readonly Grant[] = []

  async function sendOwn(tab: Tab, grants: readonly Grant[]): Promise<void> {
    ownGrants.push(...grants)
    await send(context, tab, grants)
  }

  async function replace(tab: Tab, next: readonly Grant[]): Promise<void> {
    const cdp = await tab.recovery.cdp
    await (cdp
      ? cdp.send('Browser.resetPermissions', await browserContextOf(cdp))
      : context.clearPermissions())
    requested = []
    await send(context, tab, [...ownGrants, ...next])
    requested = next
  }

  const sendIfSupported = async (tab: Tab, grant: Grant): Promise<void> => {
    if (await tab.recovery.cdp) await settleWithin(GRANT_TIMEOUT_MS, sendOwn(tab, [grant]))
  }

  return {
    /** Lets all pages write to the clipboard of the session, as Chrome does where a person sees them. */
    allowCopying: (tab: Tab): Promise<void> => sendIfSupported(tab, { name: 'clipboard-write' }),
    /** Lets pages of this origin read the clipboard, if the browser supports it. */
    allowPasting: (tab: Tab, origin: string): Promise<void> =>
      sendIfSupported(tab, { origin, name: 'clipboard-read' }),
    /** Lets all pages have the emulated position. */
    allowGeolocation: (tab: Tab): Promise<void> => sendOwn(tab, [{ name: 'geolocation' }]),
    /** Grants pages of this origin these permissions and no others that were granted by this function before. */
    async grant(tab: Tab, origin: string, names: readonly string[]): Promise<Outcome<void>> {
      const previous = requested
      const remaining = previous.filter((grant) => grant.origin !== origin)
      const isSuperset = previous.every((grant) => grant.origin !== origin || names.includes(grant.name))
      const next = [...remaining, ...names.map((name) => ({ origin, name }))]
      try {
        await (isSuperset ? send(context, tab, next) : replace(tab, next))
        requested = next
        return ok(undefined)
      } catch (error) {
        await replace(tab, previous).catch(() => {})
        return err(grantFailure(error as Error, names))
      }
    },
    /** Takes back what `grant` has granted. */
    reset: (tab: Tab): Promise<void> => (requested.length > 0 ? replace(tab, []) : Promise.resolve()),
  }
}

// --- internal ---

async function send(context: BrowserContext, { recovery }: Tab, grants: readonly Grant[]): Promise<void> {
  const cdp = await recovery.cdp
  const scope = cdp && (await browserContextOf(cdp))
  for (const { origin, name } of grants)
    await (cdp
      ? cdp.send('Browser.setPermission', { permission: { name }, setting: 'granted', ...scope, origin })
      : context.grantPermissions([name], origin === undefined ? {} : { origin }))
}

async function browserContextOf(cdp: CdpSession): Promise<{ browserContextId?: string }> {
  const { targetInfo } = await cdp.send('Target.getTargetInfo')
  const { browserContextId } = targetInfo
  return browserContextId === undefined ? {} : { browserContextId }
}

const grantFailure = (error: Error, names: readonly string[]): Failure =>
  invalidParameter(
    'permissions',
    'names of permissions that this browser can grant, such as geolocation, notifications or (Chromium) clipboard-read, camera',
    names.join(', '),
    messageOf(error).split('\n')[0]?.slice(0, 200),
  )
