import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import process from 'node:process'

/** The folder of the user for what Footlight keeps between its runs; it need not exist. */
export function findStateFolder(
  { env, platform }: { env: NodeJS.ProcessEnv; platform: NodeJS.Platform } = process,
  home = homedir(),
): string {
  if (platform === 'darwin') return join(home, 'Library/Application Support/footlight/state')
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(home, 'AppData/Local'), 'footlight/state')
  const stateHome = env['XDG_STATE_HOME'] ?? ''
  // The XDG specification says that a relative path is to be ignored.
  return join(isAbsolute(stateHome) ? stateHome : join(home, '.local/state'), 'footlight')
}
