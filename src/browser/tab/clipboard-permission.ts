// The clipboard permission of the session's own server: what its pages copy and paste is part of what is tested. In Chromium only this
// origin gets it, and its other permissions do not change: Playwright's grantPermissions would deny all that is not listed. Firefox
// has no such permission; as Playwright starts it, every page may use the clipboard after a click.

import type { Tab } from './tab.ts'
import { settleWithin } from '../../runtime/calls/settle-within.ts'

const GRANT_TIMEOUT_MS = 2000

/** Lets pages of this origin read and write the clipboard, if the browser supports it. */
export async function allowClipboard({ recovery }: Tab, origin: string): Promise<void> {
  const cdp = await recovery.cdp
  if (!cdp) return
  const grant = async () => {
    const { targetInfo } = await cdp.send('Target.getTargetInfo')
    const { browserContextId } = targetInfo
    const scope = { origin, ...(browserContextId !== undefined && { browserContextId }) }
    for (const name of ['clipboard-read', 'clipboard-write'])
      await cdp.send('Browser.setPermission', { permission: { name }, setting: 'granted', ...scope })
  }
  await settleWithin(GRANT_TIMEOUT_MS, grant())
}
