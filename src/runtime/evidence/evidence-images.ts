// The pictures of a session's failures, as files: the newest ones, so that a page that fails all day fills no disk.

import type { Artifact, Folder } from '../ports/files.ts'
import type { Image } from '../ports/page.ts'
import type { Outcome } from '../../core/failure.ts'

const KEPT_PICTURES = 20

export interface EvidenceImages {
  save(image: Image): Promise<Outcome<Artifact>>
}

export function createEvidenceImages(folder: Folder): EvidenceImages {
  const kept: string[] = []
  let count = 0
  return {
    async save({ bytes, mimeType }) {
      // A number is used once: the file that an answer named is never another failure's.
      count += 1
      const written = await folder.write(`failure-${count}.${mimeType.slice('image/'.length)}`, bytes)
      if (!written.ok) return written
      kept.push(written.value.path)
      const old = kept.splice(0, Math.max(0, kept.length - KEPT_PICTURES))
      await Promise.all(old.map((path) => folder.drop(path).catch(() => {})))
      return written
    },
  }
}
