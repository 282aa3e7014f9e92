// Whether the packages of a project are not installed, as in a fresh work tree, or one of them is not.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readRegularFile } from '../../base/files/read-regular-file.ts'
import { isRecord, parseJson } from '../../base/text/json.ts'

export interface MissingPackages {
  readonly folder: string
  readonly command: string
  /** The one that a program did not find; undefined if there is no node_modules. */
  readonly name?: string
}

/** The package that one of the lines says is missing and that the nearest list of packages names, with the command that installs it. */
export function findMissingPackage(start: string, lines: readonly string[]): MissingPackages | undefined {
  for (const { pattern, lists } of LANGUAGES) {
    const name = lines.map((line) => pattern.exec(line.trim())?.[1]).find((text) => text !== undefined)
    if (name === undefined) continue
    for (const folder of foldersFrom(start)) {
      const present = lists.filter(([file]) => existsSync(join(folder, file)))
      const isNamed = present.some(([file]) => namesPackage(readText(join(folder, file)), name))
      const [first] = present
      if (first && isNamed) return { folder, command: first[1], name }
    }
  }
  return undefined
}

/** The folder and the command that installs the packages, if the nearest package.json names some and has no node_modules, nor has the
 * workspace that it is in. */
export function findMissingPackages(start: string): MissingPackages | undefined {
  const folders = foldersFrom(start)
  const own = folders.find((folder) => existsSync(join(folder, 'package.json')))
  if (own === undefined || !hasDependencies(own)) return undefined
  const above = foldersFrom(dirname(own)).filter(isWorkspace)
  if ([own, ...above].some((folder) => PACKAGE_PLACES.some((name) => existsSync(join(folder, name)))))
    return undefined
  const [locked] = [own, ...above].flatMap((folder) =>
    LOCK_FILES.filter(([name]) => existsSync(join(folder, name))).map(([, command]) => ({ folder, command })),
  )
  return locked ?? { folder: own, command: `${managerOf(own)} install` }
}

// --- internal ---

const LOCK_FILES = [
  ['pnpm-lock.yaml', 'pnpm install'],
  ['yarn.lock', 'yarn install'],
  ['bun.lock', 'bun install'],
  ['bun.lockb', 'bun install'],
  ['package-lock.json', 'npm install'],
  ['npm-shrinkwrap.json', 'npm install'],
] as const

// Of the lists of one folder the first names the command.
const LANGUAGES = [
  {
    pattern: /^ModuleNotFoundError: No module named ['"]([\w-]+)/,
    lists: [
      ['poetry.lock', 'poetry install'],
      ['uv.lock', 'uv sync'],
      ['Pipfile', 'pipenv install'],
      ['requirements.txt', 'pip install -r requirements.txt'],
      ['pyproject.toml', 'pip install -e .'],
    ],
  },
  {
    pattern: /cannot load such file -- ([\w-]+)/,
    lists: [['Gemfile', 'bundle install']],
  },
  {
    pattern: /Cannot find (?:package|module) '((?:@[\w.-]+\/)?[\w-][\w.-]*)/,
    lists: [...LOCK_FILES, ['package.json', 'npm install']],
  },
] as const

const LIST_LIMIT_BYTES = 20_000_000

const readText = (path: string): string => readRegularFile(path, LIST_LIMIT_BYTES)?.toString('utf8') ?? ''

const foldName = (name: string): string => name.toLowerCase().replaceAll('_', '-')

function namesPackage(list: string, name: string): boolean {
  const words = foldName(list).split(/[^\w@./-]+/)
  return words.includes(foldName(name))
}

// With Plug'n'Play Yarn has no node_modules.
const PACKAGE_PLACES = ['node_modules', '.pnp.cjs', '.pnp.js']

const foldersFrom = (folder: string): string[] =>
  dirname(folder) === folder ? [folder] : [folder, ...foldersFrom(dirname(folder))]

function readPackage(folder: string): Readonly<Record<string, unknown>> {
  const content = parseJson(readText(join(folder, 'package.json')))
  return isRecord(content) ? content : {}
}

const isWorkspace = (folder: string): boolean =>
  existsSync(join(folder, 'pnpm-workspace.yaml')) || readPackage(folder)['workspaces'] !== undefined

function hasDependencies(folder: string): boolean {
  const { dependencies, devDependencies } = readPackage(folder)
  return [dependencies, devDependencies].some((all) => isRecord(all) && Object.keys(all).length > 0)
}

function managerOf(folder: string): string {
  const { packageManager } = readPackage(folder)
  return /^(pnpm|yarn|bun)@/.exec(String(packageManager))?.[1] ?? 'npm'
}
