// Screenshots of a session's failures, as files. Only the newest are kept, to limit the disk space.

import type { Artifact, Folder } from '../ports/files.ts'
import type { Image } from '../ports/page/screenshots.ts'
import type { Outcome } from '../../core/failure.ts'

const IMAGE_LIMIT = 20

export interface EvidenceImages {
  save(image: Image): Promise<Outcome<Artifact>>
}

export function createEvidenceImages(folder: Folder): EvidenceImages {
  const paths: string[] = []
  let count = 0
  return {
    async save({ bytes, mimeType }) {
      // Each number is used once, so a path that a result contains never refers to the image of another failure.
      count += 1
      const file = await folder.write(`failure-${count}.${mimeType.slice('image/'.length)}`, bytes)
      if (!file.ok) return file
      paths.push(file.value.path)
      const expired = paths.splice(0, Math.max(0, paths.length - IMAGE_LIMIT))
      await Promise.all(expired.map((path) => folder.remove(path).catch(() => {})))
      return file
    },
  }
}
