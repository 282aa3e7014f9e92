// The clipboard of the session's own server: what its pages copy and paste is part of what is tested. In Chromium no other origin gets it,
// and no other permission of this one changes: Playwright's own way would deny whatever it is not asked for. Firefox has no such permission;
// as Playwright starts it, every page may use the clipboard after a click.

import { settleWithin } from '../../runtime/calls/settle-within.ts'
import type { Tab } from './tab.ts'

const GRANT_MS = 2000

/** Lets pages of this origin read and write the clipboard, where the browser can. */
export async function allowClipboard({ recovery }: Tab, origin: string): Promise<void> {
  const cdp = await recovery.cdp
  if (!cdp) return
  const grant = async () => {
    const { targetInfo } = await cdp.send('Target.getTargetInfo')
    const { browserContextId } = targetInfo
    const whose = { origin, ...(browserContextId !== undefined && { browserContextId }) }
    for (const name of ['clipboard-read', 'clipboard-write'])
      await cdp.send('Browser.setPermission', { permission: { name }, setting: 'granted', ...whose })
  }
  await settleWithin(GRANT_MS, grant())
}
