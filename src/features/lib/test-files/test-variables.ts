// The environment variables that the tests at a path name, and the configuration above them.

import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readFolder } from '../../../core/base/files/read-folder.ts'
import { readRegularFile } from '../../../core/base/files/read-regular-file.ts'
import { readNamed, readNeeded } from './named-variables.ts'

export interface TestVariables {
  readonly named: readonly string[]
  /** Those without which a file does not work, by its path. */
  readonly needed: readonly { readonly name: string; readonly path: string }[]
}

const FILE_LIMIT = 1000
const DEPTH_LIMIT = 12
const TEST_FILE = /\.(?:spec|test|setup)\.[cm]?[jt]sx?$/
const CONFIG_FILE = /^playwright.*\.config\.[cm]?[jt]s$/
const LEFT_OUT = /^(?:node_modules|\..*)$/

/** `path` is a file or a folder. */
export function readTestVariables(path: string): TestVariables {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true
  const files = isFile ? [path] : findTests(path, DEPTH_LIMIT).slice(0, FILE_LIMIT)
  const texts = [...files, ...findConfigs(isFile ? dirname(path) : path)].map((file) => ({
    path: file,
    text: readRegularFile(file)?.toString('utf8') ?? '',
  }))
  return {
    named: [...new Set(texts.flatMap(({ text }) => readNamed(text)))],
    needed: texts.flatMap(({ path: file, text }) => readNeeded(text).map((name) => ({ name, path: file }))),
  }
}

// --- internal ---

function findTests(folder: string, depth: number): string[] {
  return readFolder(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return depth > 0 && !LEFT_OUT.test(entry.name) ? findTests(path, depth - 1) : []
    return TEST_FILE.test(entry.name) || CONFIG_FILE.test(entry.name) ? [path] : []
  })
}

/** Those in the nearest folder above that has one. */
function findConfigs(folder: string): string[] {
  const names = readFolder(folder).flatMap(({ name }) => (CONFIG_FILE.test(name) ? [join(folder, name)] : []))
  const outer = dirname(folder)
  return names.length > 0 || outer === folder ? names : findConfigs(outer)
}
