// Finds the Playwright Test of the project that a path belongs to, its configuration, and the program that runs it.

import { accessSync, constants, realpathSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import process from 'node:process'
import { readFolder } from '../../core/base/files/read-folder.ts'
import { readRegularFile } from '../../core/base/files/read-regular-file.ts'
import { isBelow } from '../../core/base/files/workspace-roots.ts'
import { err, ok, type Result } from '../../core/base/result.ts'
import type { TestRunFailed } from '../../core/base/test-failure.ts'
import { isFile } from '../../core/devserver/process/spawn-command.ts'
import { CONFIG_NAMES } from '../lib/test-files/config-names.ts'

export interface TestProject {
  /** The folder of the configuration, in which the tests run. */
  readonly folder: string
  /** Undefined if the project has none. */
  readonly configuration: string | undefined
  /** The command line program of its Playwright Test, by real path. */
  readonly program: string
  readonly isPathConfiguration: boolean
}

const CONFIGURATION_FILE = /^playwright.*\.config\.[cm]?[jt]s$/

/** The project of a real path: that of the nearest configuration from there up to the workspace, of the only one below, or else of the nearest
 * package.json. */
export function findTestProject(
  path: string,
  workspace: string,
  outputFolder: string,
): Result<TestProject, TestRunFailed> {
  const isPathConfiguration = isFile(path) && CONFIGURATION_FILE.test(path.slice(dirname(path).length + 1))
  const start = isFile(path) ? dirname(path) : path
  const folders = foldersUpwards(start)
  const ownFolders = folders.filter((folder) => isBelow(folder, workspace))
  const nearestConfiguration = isPathConfiguration
    ? path
    : ownFolders.flatMap((folder) => CONFIG_NAMES.map((name) => join(folder, name))).find(isFile)
  const lowerConfigurations =
    nearestConfiguration === undefined ? findConfigurationsBelow(path, outputFolder) : []
  if (lowerConfigurations.length > 1) return err(severalConfigurations(lowerConfigurations, path))
  const configuration = nearestConfiguration ?? lowerConfigurations[0]
  const folder =
    configuration === undefined
      ? (ownFolders.find((parent) => isFile(join(parent, 'package.json'))) ?? start)
      : dirname(configuration)
  const searchFolders = foldersUpwards(folder)
  const program = findProgram(searchFolders)
  if (program !== undefined) return ok({ folder, configuration, program, isPathConfiguration })
  const looked = searchFolders.map((parent) => join(parent, 'node_modules'))
  return err({
    code: 'TEST_RUN_FAILED',
    reason: 'playwright_missing',
    text: `@playwright/test is not installed for ${folder}: it is not in ${looked.slice(0, LISTED_FOLDERS).join(', ')}${looked.length > LISTED_FOLDERS ? ' or above' : ''}`,
    next: `Run npm install -D @playwright/test in ${folder}, or pass a path in the project that has it.`,
  })
}

export interface NodeRuntime {
  readonly path: string
  readonly isBun: boolean
}

/** The first program named node on PATH, or else bun; undefined if there is neither. */
export function findNodeRuntime(
  parentEnv: Readonly<Record<string, string | undefined>>,
): NodeRuntime | undefined {
  const folders = (parentEnv['PATH'] ?? parentEnv['Path'] ?? '').split(delimiter).filter(Boolean)
  const extension = process.platform === 'win32' ? '.exe' : ''
  const find = (name: string) => folders.map((folder) => join(folder, name + extension)).find(isExecutable)
  const node = find('node')
  if (node !== undefined) return { path: node, isBun: false }
  const bun = find('bun')
  return bun === undefined ? undefined : { path: bun, isBun: true }
}

/** Whether the tests may need a browser that is not a Chromium. A word too many costs a second, because the tests are listed first then. */
export function mentionsOtherBrowsers({ configuration }: TestProject): boolean {
  if (configuration === undefined) return false
  // One that is not read may name any.
  const text = readRegularFile(configuration)?.toString('utf8')
  return text === undefined || OTHER_BROWSERS.test(text)
}

/** The folder, and those that it is in, the nearest first. */
export function foldersUpwards(folder: string): readonly string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...foldersUpwards(parent)]
}

// --- internal ---

const LISTED_FOLDERS = 4
const LISTED_CONFIGURATIONS = 20

// The names of browsers and of devices, and other files, which may have them.
const OTHER_BROWSERS = /firefox|webkit|safari|iphone|ipad|browserName|from\s+['"]\.|require\(\s*['"]\./i

const SEARCH_DEPTH = 3

function findConfigurationsBelow(
  folder: string,
  outputFolder: string,
  depth = SEARCH_DEPTH,
): readonly string[] {
  // Pages choose what is in there.
  if (folder === outputFolder) return []
  return readFolders(folder).flatMap((name) => {
    const child = join(folder, name)
    const configuration = CONFIG_NAMES.map((file) => join(child, file)).find(isFile)
    if (configuration !== undefined) return [configuration]
    return depth > 1 ? findConfigurationsBelow(child, outputFolder, depth - 1) : []
  })
}

function readFolders(folder: string): readonly string[] {
  return readFolder(folder)
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
    .map(({ name }) => name)
}

const severalConfigurations = (paths: readonly string[], folder: string): TestRunFailed => ({
  code: 'TEST_RUN_FAILED',
  reason: 'configuration',
  text: `There are several configurations below ${folder}`,
  next: 'Pass one of details.available as path, or a path of its tests.',
  available: paths.map((path) => relative(folder, path)).slice(0, LISTED_CONFIGURATIONS),
})

// `playwright` has the same tests as `playwright/test`.
function findProgram(folders: readonly string[]): string | undefined {
  const programs = ['@playwright/test', 'playwright'].flatMap((name) =>
    folders.map((folder) => join(folder, 'node_modules', name, 'cli.js')),
  )
  const program = programs.find(isFile)
  return program === undefined ? undefined : realpathSync(program)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, process.platform === 'win32' ? constants.F_OK : constants.X_OK)
    return isFile(path)
  } catch {
    return false
  }
}
