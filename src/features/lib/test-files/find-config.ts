// The configuration of Playwright Test above a path.

import { relative } from 'node:path'
import type { Files } from '../../../core/base/files/files.ts'
import { CONFIG_NAMES } from './config-names.ts'
import { readConfig } from './read-config.ts'

export const findConfig = (path: string, files: Files): Promise<string | undefined> =>
  files.findAbove(path, CONFIG_NAMES)

/** Where the tests of the configuration above a path are, as a hint. */
export async function describeTestDirs(path: string, files: Files): Promise<string | undefined> {
  const configPath = await findConfig(path, files)
  const text = configPath === undefined ? undefined : await readText(configPath, files)
  const dirs = text === undefined ? [] : (readConfig(text).testDirs ?? [])
  return configPath !== undefined && dirs.length > 0
    ? `The tests of ${relative(files.resolve('.'), configPath)} are in ${dirs.join(' and ')} (testDir).`
    : undefined
}

/** The text of a file; undefined if it cannot be read. */
export async function readText(path: string, files: Files): Promise<string | undefined> {
  const bytes = await files.readIfExists(path)
  return bytes.ok && bytes.value ? new TextDecoder().decode(bytes.value) : undefined
}
