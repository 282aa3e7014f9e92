import { join } from 'node:path'
import { readFileBelow } from '../../../core/base/files/read-regular-file.ts'

const FILE_LIMIT_BYTES = 2_000_000

/** The present text of a file of a work tree; undefined if it is none. */
export const readTreeFile = (top: string, file: string): string | undefined =>
  readFileBelow(join(top, file), top, FILE_LIMIT_BYTES)?.toString('utf8')
