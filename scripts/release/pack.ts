// The files of one target: archives for users, a bundle for desktop clients, a package for npm.

import { type Effort, type Entry, gzip, tarOf, xz, zipOf } from './archive.ts'
import { bundle } from './bundle.ts'
import { npmTarball, packageName, platformPackage, tarball } from './npm.ts'
import { version } from './project.ts'
import { program, slug, type Target } from './targets.ts'

export interface PackedFile {
  /** Relative to the release folder. */
  readonly file: string
  readonly bytes: Uint8Array
}

export const fileStem = (target: Target): string => `footlight-v${version}-${slug(target)}`

/** Packs one executable with its documents: licence, notices and README. */
export async function packTarget(
  target: Target,
  executable: Uint8Array,
  documents: readonly Entry[],
  effort: Effort,
): Promise<PackedFile[]> {
  const name = fileStem(target)
  const npm = await npmTarball(platformPackage(target, executable, documents), effort)
  return [
    ...(await packArchives(
      target,
      [{ name: program(target), bytes: executable, runs: true }, ...documents],
      effort,
    )),
    { file: `${name}.mcpb`, bytes: zipOf(bundle(target, executable, documents), effort) },
    { file: `npm/${tarball(packageName(target))}`, bytes: npm },
  ]
}

async function packArchives(
  target: Target,
  entries: readonly Entry[],
  effort: Effort,
): Promise<PackedFile[]> {
  const name = fileStem(target)
  if (target.platform === 'win32') return [{ file: `${name}.zip`, bytes: zipOf(entries, effort) }]
  const tar = await tarOf(entries)
  return [
    { file: `${name}.tar.gz`, bytes: gzip(tar, effort) },
    { file: `${name}.tar.xz`, bytes: xz(tar, effort) },
  ]
}
