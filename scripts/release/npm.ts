// The npm packages: one per platform with the executable, and `footlight`, which starts the one that npm installed by os, cpu and libc.
// None has an install script, so they work where scripts are disabled. They are written as the tarballs that npm publishes.

import pack from '../../package.json' with { type: 'json' }
import { type Effort, type Entry, gzip, json, tarOf } from './archive.ts'
import { description, license, repository, scope, serverName, version } from './project.ts'
import { program, slug, type Target } from './targets.ts'

/** The package name of a target. launcher.cjs uses the same rule. */
export const packageName = (target: Target): string => `${scope}/${slug(target)}`

export const tarball = (name: string): string => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`

const sharedFields = {
  version,
  license,
  homepage: repository,
  // npm rejects the provenance if this is not the publishing repository.
  repository: { type: 'git', url: `git+${repository}.git` },
}

export function platformPackage(
  target: Target,
  executable: Uint8Array,
  documents: readonly Entry[],
): Entry[] {
  const manifest = {
    name: packageName(target),
    description: `The executable of footlight for ${slug(target)}`,
    ...sharedFields,
    os: [target.platform],
    cpu: [target.arch],
    ...(target.libc && { libc: [target.libc] }),
    preferUnplugged: true,
  }
  return [
    { name: 'package.json', bytes: json(manifest) },
    { name: program(target), bytes: executable, runs: true },
    ...documents,
  ]
}

/** `launcher` is the source of launcher.cjs, `node` has the files of the build for Node, its fallback. */
export function launcherPackage(
  targets: readonly Target[],
  launcher: Uint8Array,
  node: readonly Entry[],
  documents: readonly Entry[],
): Entry[] {
  const manifest = {
    name: 'footlight',
    description,
    ...sharedFields,
    mcpName: serverName,
    keywords: ['mcp', 'browser', 'automation', 'playwright', 'agent'],
    engines: pack.engines,
    bin: { footlight: 'launcher.cjs' },
    optionalDependencies: Object.fromEntries(targets.map((target) => [packageName(target), version])),
  }
  return [
    { name: 'package.json', bytes: json(manifest) },
    { name: 'launcher.cjs', bytes: launcher, runs: true },
    ...node,
    ...documents,
  ]
}

export async function npmTarball(entries: readonly Entry[], effort: Effort): Promise<Uint8Array> {
  return gzip(await tarOf(entries.map((entry) => ({ ...entry, name: `package/${entry.name}` }))), effort)
}
