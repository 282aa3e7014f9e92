// Chromium's sandbox stays on wherever it works. It does not work for root, nor without user namespaces unless Chromium has a setuid
// helper.

import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'

export interface SandboxFacts {
  readonly platform: NodeJS.Platform
  readonly isRoot: boolean
  /** /proc/sys/user/max_user_namespaces, kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns. */
  readonly maxUserNamespaces: number | undefined
  readonly unprivilegedUsernsClone: number | undefined
  readonly apparmorRestrictUserns: number | undefined
  readonly hasSetuidHelper: boolean
}

/** Why the sandbox must be off here, or undefined when it stays on. */
export function sandboxProblem(facts: SandboxFacts): string | undefined {
  if (facts.platform !== 'linux') return undefined
  if (facts.isRoot) return 'it does not work as root'
  const isDisabled =
    facts.maxUserNamespaces === 0 || facts.unprivilegedUsernsClone === 0 || facts.apparmorRestrictUserns === 1
  return isDisabled && !facts.hasSetuidHelper ? 'user namespaces are off on this machine' : undefined
}

export function readSandboxFacts(executable: string): SandboxFacts {
  return {
    platform: process.platform,
    isRoot: process.getuid?.() === 0,
    maxUserNamespaces: readNumber('/proc/sys/user/max_user_namespaces'),
    unprivilegedUsernsClone: readNumber('/proc/sys/kernel/unprivileged_userns_clone'),
    apparmorRestrictUserns: readNumber('/proc/sys/kernel/apparmor_restrict_unprivileged_userns'),
    hasSetuidHelper: setuidHelperPaths(executable).some(isSetuid),
  }
}

const setuidHelperPaths = (executable: string): string[] => [
  join(dirname(executable), 'chrome-sandbox'),
  '/usr/lib/chromium/chrome-sandbox',
  '/opt/google/chrome/chrome-sandbox',
]

function readNumber(path: string): number | undefined {
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
