// Chromium's sandbox stays on wherever it can work. It cannot for root, and not without user namespaces unless Chromium brings a
// setuid helper.

import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'

export interface SandboxFacts {
  readonly platform: NodeJS.Platform
  readonly root: boolean
  /** /proc/sys/user/max_user_namespaces, kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns. */
  readonly namespaces: number | undefined
  readonly clone: number | undefined
  readonly restricted: number | undefined
  readonly setuidHelper: boolean
}

/** Why the sandbox must be off here, or undefined when it stays on. */
export function sandboxProblem(facts: SandboxFacts): string | undefined {
  if (facts.platform !== 'linux') return undefined
  if (facts.root) return 'it does not work as root'
  const none = facts.namespaces === 0 || facts.clone === 0 || facts.restricted === 1
  return none && !facts.setuidHelper ? 'user namespaces are off on this machine' : undefined
}

export function sandboxFacts(executable: string): SandboxFacts {
  return {
    platform: process.platform,
    root: process.getuid?.() === 0,
    namespaces: numberIn('/proc/sys/user/max_user_namespaces'),
    clone: numberIn('/proc/sys/kernel/unprivileged_userns_clone'),
    restricted: numberIn('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
    setuidHelper: helpers(executable).some(isSetuid),
  }
}

const helpers = (executable: string): string[] => [
  join(dirname(executable), 'chrome-sandbox'),
  '/usr/lib/chromium/chrome-sandbox',
  '/opt/google/chrome/chrome-sandbox',
]

function numberIn(path: string): number | undefined {
  try {
    return Number(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function isSetuid(path: string): boolean {
  try {
    return (statSync(path).mode & 0o4000) !== 0
  } catch {
    return false
  }
}
