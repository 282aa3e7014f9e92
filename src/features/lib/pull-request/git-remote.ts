// The remote of the repository that a folder is in, read from the files of git: no process is started for it.

import { join, resolve } from 'node:path'
import { findGitFolder, readGitFile } from './git-folder.ts'

/** The host of `origin`, else of the first remote; undefined without a repository or a remote on another machine. */
export function readRemoteHost(folder: string): string | undefined {
  const git = findGitFolder(resolve(folder))
  if (git === undefined) return undefined
  // A work tree beside the main one shares its configuration.
  const common = resolve(git, readGitFile(join(git, 'commondir')) ?? '.')
  return remoteHostOf(readGitFile(join(common, 'config')) ?? '')
}

/** The same of the text of a configuration. */
export function remoteHostOf(config: string): string | undefined {
  const hosts = new Map<string, string>()
  let remote: string | undefined
  for (const line of config.split('\n')) {
    const [, section] = /^\s*\[(.*)\]\s*$/.exec(line) ?? []
    if (section !== undefined) remote = /^remote "(.*)"$/.exec(section)?.[1]
    const [, url] = /^\s*url\s*=\s*"?([^"]+?)"?\s*$/.exec(line) ?? []
    const host = url === undefined ? undefined : hostOf(url)
    if (remote !== undefined && host !== undefined && !hosts.has(remote)) hosts.set(remote, host)
  }
  return hosts.get('origin') ?? [...hosts.values()][0]
}

// --- internal ---

/** `https://host/path`, `ssh://git@host:22/path` or `git@host:path`. */
function hostOf(url: string): string | undefined {
  const [, host] =
    /^(?:https?|ssh|git):\/\/(?:[^@/]*@)?([^/:]+)/.exec(url) ??
    /^(?:[^@/:]+@)?([^/:\\]{2,}):(?!\/\/)/.exec(url) ??
    []
  return host?.toLowerCase()
}
