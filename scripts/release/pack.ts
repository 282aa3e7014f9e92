// The files of one target: archives for people, a bundle for desktop clients, a package for npm.

import { gzip, tarOf, xz, zipOf, type Effort, type Entry } from './archive.ts'
import { bundle } from './bundle.ts'
import { npmTarball, packageName, platformPackage, tarball } from './npm.ts'
import { version } from './project.ts'
import { program, slug, type Target } from './targets.ts'

export interface Packed {
  /** Relative to the release folder. */
  readonly file: string
  readonly bytes: Uint8Array
}

export const stem = (target: Target): string => `footlight-v${version}-${slug(target)}`

/** Packs one executable with its papers: licence, notices and README. */
export async function packTarget(
  target: Target,
  executable: Uint8Array,
  papers: readonly Entry[],
  effort: Effort,
): Promise<Packed[]> {
  const name = stem(target)
  const npm = await npmTarball(platformPackage(target, executable, papers), effort)
  return [
    ...(await archives(
      target,
      [{ name: program(target), bytes: executable, runs: true }, ...papers],
      effort,
    )),
    { file: `${name}.mcpb`, bytes: zipOf(bundle(target, executable, papers), effort) },
    { file: `npm/${tarball(packageName(target))}`, bytes: npm },
  ]
}

async function archives(target: Target, entries: readonly Entry[], effort: Effort): Promise<Packed[]> {
  const name = stem(target)
  if (target.platform === 'win32') return [{ file: `${name}.zip`, bytes: zipOf(entries, effort) }]
  const tar = await tarOf(entries)
  return [
    { file: `${name}.tar.gz`, bytes: gzip(tar, effort) },
    { file: `${name}.tar.xz`, bytes: xz(tar, effort) },
  ]
}
