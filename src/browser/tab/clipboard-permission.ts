// The clipboard of the session's own server: what its pages copy and paste is part of what is tested. In Chromium no other origin gets it,
// and no other permission of this one changes: Playwright's own way would deny whatever it is not asked for. Firefox has no such permission;
// as Playwright starts it, every page may use the clipboard after a click.

import { soon } from '../../runtime/calls/settle-within.ts'
import type { Surface } from './tabs.ts'

const GRANT_MS = 2000

/** Lets pages of this origin read and write the clipboard, where the browser can. */
export async function allowClipboard({ rescue }: Surface, origin: string): Promise<void> {
  const channel = await rescue.channel
  if (!channel) return
  const grant = async () => {
    const { targetInfo } = await channel.send('Target.getTargetInfo')
    const { browserContextId } = targetInfo
    const whose = { origin, ...(browserContextId !== undefined && { browserContextId }) }
    for (const name of ['clipboard-read', 'clipboard-write'])
      await channel.send('Browser.setPermission', { permission: { name }, setting: 'granted', ...whose })
  }
  await soon(GRANT_MS, grant())
}
