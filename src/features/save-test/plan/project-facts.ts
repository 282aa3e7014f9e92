// What a project has beside Playwright Test that a test in it may collide with: its type checker, and other runners of tests.

import { dirname, matchesGlob, relative } from 'node:path'
import type { Files } from '../../../core/base/files/files.ts'
import { parseJson } from '../../../core/base/text/json.ts'
import { readText } from '../../lib/test-files/find-config.ts'
import { splitCode } from '../../lib/test-files/split-code.ts'
import { toPosix } from './plan-test.ts'

/** Whether the type checker of the project does not know `process`: its types are those of Node. */
export async function lacksProcessType(path: string, files: Files): Promise<boolean> {
  const configPath = await files.findAbove(path, ['tsconfig.json'])
  if (configPath === undefined) return false
  const types = listsNamed('types', (await readText(configPath, files)) ?? '')
  if (types.length > 0) return !types.some((names) => names.includes('node'))
  return (await files.findAbove(path, ['node_modules/@types/node/package.json'])) === undefined
}

/** Why another runner takes a test of Playwright for its own, as a sentence; undefined if none does, as far as its files say. */
export async function findForeignRunner(path: string, files: Files): Promise<string | undefined> {
  const manifestPath = await files.findAbove(path, ['package.json'])
  const manifest = manifestPath === undefined ? undefined : await readText(manifestPath, files)
  if (manifestPath === undefined || manifest === undefined) return undefined
  const folder = dirname(manifestPath)
  const file = toPosix(relative(folder, path))
  const { scripts = {}, ...fields } = (parseJson(manifest) ?? {}) as Manifest
  const commands = Object.values(scripts).filter((script) => typeof script === 'string')
  const isInstalled = (name: string) =>
    name in { ...fields.dependencies, ...fields.devDependencies } ||
    commands.some((script) => new RegExp(`(^|[\\s&|;/])${name}(\\s|$)`).test(script))
  for (const runner of RUNNERS) {
    if (!isInstalled(runner.program)) continue
    const starts = commands.filter((script) => new RegExp(`\\b${runner.program}\\b`).test(script))
    if (starts.length > 0 && starts.every((script) => namesOtherFolder(script, file))) continue
    const texts = await Promise.all(runner.files.map((name) => readText(`${folder}/${name}`, files)))
    const text = texts.filter((one) => one !== undefined).join('\n')
    const own = runner.program === 'jest' ? JSON.stringify(fields.jest ?? {}) : ''
    if (isLeftOut(file, `${text}\n${own}`, runner)) continue
    return `${runner.name} takes ${file} too, and fails on it: ${runner.advice(`${file.split('/')[0]}/**`)}, or save the test where ${runner.name} does not look.`
  }
  return undefined
}

// --- internal ---

interface Manifest {
  readonly scripts?: Readonly<Record<string, unknown>>
  readonly dependencies?: object
  readonly devDependencies?: object
  readonly jest?: object
}

interface Runner {
  readonly name: string
  readonly program: string
  readonly files: readonly string[]
  /** The fields of its configuration that name what it takes, and what it leaves out. */
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
  readonly advice: (glob: string) => string
}

const ENDINGS = ['ts', 'mts', 'js', 'mjs']
const RUNNERS: readonly Runner[] = [
  {
    name: 'Vitest',
    program: 'vitest',
    files: ['vitest', 'vite'].flatMap((name) => ENDINGS.map((ending) => `${name}.config.${ending}`)),
    includes: ['include', 'dir', 'projects'],
    excludes: ['exclude'],
    advice: (glob) => `add '${glob}' to test.exclude in its configuration`,
  },
  {
    name: 'Jest',
    program: 'jest',
    files: [...ENDINGS, 'cjs', 'json'].map((ending) => `jest.config.${ending}`),
    includes: ['testMatch', 'roots', 'testRegex', 'rootDir'],
    excludes: ['testPathIgnorePatterns'],
    advice: (glob) => `add '/${glob.replace('**', '')}' to testPathIgnorePatterns in its configuration`,
  },
  {
    name: 'bun test',
    program: 'bun test',
    files: ['bunfig.toml'],
    includes: ['root'],
    excludes: ['pathIgnorePatterns'],
    advice: (glob) => `add pathIgnorePatterns = ["${glob}"] to [test] in bunfig.toml`,
  },
]

/** Whether the configuration of a runner leaves a file out. What it takes is a pattern or a folder; one that names another file is enough. */
function isLeftOut(file: string, text: string, { includes, excludes }: Runner): boolean {
  const named = (fields: readonly string[]) => fields.flatMap((field) => listsNamed(field, text)).flat()
  const covers = (pattern: string) => {
    const relativePattern = pattern.replace(/^(<rootDir>)?\.?\//, '').replace(/\/$/, '')
    return (
      matchesGlob(file, relativePattern) ||
      matchesGlob(file, `${relativePattern}/**`) ||
      (/[\\^$|]/.test(pattern) && isMatch(pattern, `/${file}`))
    )
  }
  const taken = named(includes)
  return named(excludes).some(covers) || (taken.length > 0 && !taken.some(covers))
}

function isMatch(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern).test(text)
  } catch {
    return false
  }
}

/** Whether a script names a file or a folder, and none that this file is in. */
function namesOtherFolder(script: string, file: string): boolean {
  const [, rest = ''] = /\b(?:vitest|jest|bun test)\b((?:\s+[^&|;]*)?)/.exec(script) ?? []
  const words = rest
    .split(/\s+/)
    .filter((word) => /^[\w./]*\//.test(word) || /^(src|lib|test|tests|unit)$/.test(word))
  return words.length > 0 && !words.some((word) => file.includes(word.replace(/^\.\//, '')))
}

/** The texts of each field with this name: of its list, or of its one text. */
function listsNamed(name: string, text: string): readonly (readonly string[])[] {
  const { code, strings } = splitCode(text)
  const quoted = strings.flatMap((value, index) => (value === name ? [`"${index}"`] : []))
  const field = new RegExp(
    `(?<![\\w$.])(?:${[`${name}(?![\\w$])`, ...quoted].join('|')})\\s*[:=]\\s*(\\[[^\\]]*\\]|"\\d+")`,
    'g',
  )
  return [...code.matchAll(field)].map(([, list = '']) =>
    [...list.matchAll(/"(\d+)"/g)].map(([, index]) => strings[Number(index)] ?? ''),
  )
}
