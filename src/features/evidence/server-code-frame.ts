// The lines of the source around the newest error that the dev server has printed, where its stack names a file of the project.

import { realpath } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { findErrors } from '../../core/base/text/error-lines.ts'
import type { OwnedServer } from '../../core/sessions/types/servers.ts'
import { createCodeFrame } from '../sources/code-frame.ts'

const READ_TIMEOUT_MS = 300

/** Such as `server/index.js:55` and the lines around it; undefined if the output names no file below the folder of the server. */
export async function readServerCodeFrame(
  server: OwnedServer,
  output: readonly string[],
  redact: (text: string) => string,
): Promise<string | undefined> {
  const folder = server.code?.()?.folder
  const position = findErrors(output).findLast((error) => error.position !== undefined)?.position
  if (folder === undefined || position === undefined) return undefined
  const frame = await settleWithin(READ_TIMEOUT_MS, readFrame(folder, position, redact))
  return typeof frame === 'string' ? frame : undefined
}

// --- internal ---

async function readFrame(
  folder: string,
  position: string,
  redact: (text: string) => string,
): Promise<string | undefined> {
  const [, path = '', line = ''] = /^(.*):(\d+)$/.exec(position) ?? []
  const root = await realpath(folder)
  const file = await realpath(resolve(root, path))
  if (!file.startsWith(root + sep)) return undefined
  const content = readRegularFile(file)?.toString('utf8')
  if (content === undefined) return undefined
  const lines = createCodeFrame(content, Number(line), redact)
  return lines.length > 0 ? [`${file.slice(root.length + 1)}:${line}`, ...lines].join('\n') : undefined
}
