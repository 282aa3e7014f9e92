import { createHash } from 'node:crypto'

/** What tells the contents of files, and what pages received of them, apart. */
export const hashContent = (content: Buffer | string): string =>
  createHash('sha1').update(content).digest('base64')
