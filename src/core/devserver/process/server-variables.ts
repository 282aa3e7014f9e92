// The variables that a server needs to print here what it prints on a terminal, and to stay the child that it is started as.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Python keeps what it prints in a buffer if that is no terminal. */
export const serverVariablesFor = (folder: string, command: string): Record<string, string> => ({
  PYTHONUNBUFFERED: '1',
  ...foregroundVariablesFor(folder, command),
})

/** Those without which it is no child of who starts it. Astro goes into the background, with a log of its own, if it finds that an agent has
 * started it; these are its own variables for a server that is there already. */
export const foregroundVariablesFor = (folder: string, command: string): Record<string, string> =>
  /\bastro\b/.test(command) || isInstalled('astro', folder)
    ? { ASTRO_DEV_BACKGROUND: '1', ASTRO_PREVIEW_BACKGROUND: '1' }
    : {}

// --- internal ---

/** Whether programs that run in this folder find the package; pnpm has those of all workspaces in one folder. */
function isInstalled(name: string, folder: string): boolean {
  const modules = join(folder, 'node_modules')
  if (existsSync(join(modules, name)) || existsSync(join(modules, '.pnpm/node_modules', name))) return true
  const parent = dirname(folder)
  return parent !== folder && isInstalled(name, parent)
}
