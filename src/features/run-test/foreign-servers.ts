// The servers that a run of tests has found instead of having started them: Playwright asks only whether something answers.

import { existsSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { isBelow } from '../../core/base/files/workspace-roots.ts'
import { isLocalhostName } from '../../core/base/network/host-rules.ts'
import { portOf } from '../../core/devserver/dev-server.ts'
import {
  describeHolder,
  findPortHolders,
  type PortHolder,
} from '../../core/devserver/process/port-holders.ts'

export interface ForeignServer {
  readonly url: string
  /** Its process and its folder. */
  readonly holder: string
}

/** The first server at these URLs whose folder is another project than the one of the tests; undefined if there is none, as far as can be
 * told. `isOwn`: the run has started the process. */
export function findForeignServer(
  urls: readonly string[],
  { folder, workspace }: { readonly folder: string; readonly workspace: string },
  isOwn: (pid: number) => boolean,
): ForeignServer | undefined {
  const tree = findWorkTree(folder) ?? (isBelow(folder, workspace) ? workspace : folder)
  const isForeign = ({ pid, cwd }: PortHolder) =>
    !isOwn(pid) && cwd !== '' && !isBelow(cwd, realpathSync(tree)) && !NO_PROJECTS.includes(cwd)
  for (const url of urls) {
    if (!URL.canParse(url) || !isOfMachine(new URL(url).hostname)) continue
    const holders = findPortHolders(portOf(url))
    // Of several processes of one server one is enough.
    const [holder] = holders.every(isForeign) ? holders : []
    if (holder) return { url, holder: describeHolder(holder) }
  }
  return undefined
}

// --- internal ---

/** Where services of the system and of the user run. */
const NO_PROJECTS = ['/', homedir()]

const isOfMachine = (host: string): boolean =>
  isLocalhostName(host) || /^127\.|^0\.0\.0\.0$|^\[::1?\]$/.test(host)

function findWorkTree(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  const outer = dirname(folder)
  return outer === folder ? undefined : findWorkTree(outer)
}
