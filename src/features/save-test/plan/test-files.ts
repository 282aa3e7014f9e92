// The files of a saved test: its path, the configuration of its project, and the state that it begins with.

import { dirname, join, relative, resolve } from 'node:path'
import { invalidParameter, type Outcome } from '../../../core/base/failure.ts'
import type { Files } from '../../../core/base/files/files.ts'
import type { Secrets } from '../../../core/base/redaction/secret-placeholders.ts'
import { err, map, ok } from '../../../core/base/result.ts'
import type { StorageState } from '../../../core/base/storage.ts'
import type { OpenSession } from '../../../core/sessions/types/open-session.ts'
import type { RecordedStep } from '../../../core/sessions/types/recorded-step.ts'
import { findConfig, readText } from '../../lib/test-files/find-config.ts'
import { type ConfigFacts, readConfig } from '../../lib/test-files/read-config.ts'
import { secretsOfServer, writeConfig, writeWebServerHint } from '../code/write-config.ts'
import type { ServerPlan } from './plan-server.ts'
import { type SavedState, toPosix } from './plan-test.ts'
import { findForeignRunner, lacksProcessType } from './project-facts.ts'

/** Where a test is written. Absolute paths. */
export interface TestPlace {
  readonly path: string
  /** The folder of its project: that of the configuration, or else of package.json, or else the current one. */
  readonly project: string
  /** The configuration of Playwright Test, if the project has one. */
  readonly configPath: string | undefined
  /** What it says. */
  readonly config: ConfigFacts | undefined
  /** Whether the type checker of the project does not know `process`. */
  readonly declaresProcess: boolean
  /** Why another program takes the test for its own, as a sentence. */
  readonly foreignRunner: string | undefined
}

const TEST_NAME = /\.(spec|test)\.[cm]?tsx?$/

/** The place of a new test. Fails with INVALID_PARAMETERS if the path is not that of a test, exists, or is not among those that the
 * configuration runs, with ACCESS_DENIED if it is denied. */
export async function findTestPlace(path: string, files: Files): Promise<Outcome<TestPlace>> {
  const received = JSON.stringify(path)
  if (!TEST_NAME.test(path))
    return err(invalidParameter('path', 'a new file whose name ends with .spec.ts or .test.ts', received))
  const allowed = await files.checkNew(path)
  if (!allowed.ok) return allowed
  const existing = await files.readIfExists(path)
  if (existing.ok && existing.value)
    return err(invalidParameter('path', 'a path that does not exist yet', `${received}, which exists`))
  const absolutePath = files.resolve(path)
  const configPath = await findConfig(path, files)
  const manifestPath = await files.findAbove(path, ['package.json'])
  const project = dirname(configPath ?? manifestPath ?? files.resolve('package.json'))
  const text = configPath === undefined ? undefined : await readText(configPath, files)
  const config = text === undefined ? undefined : readConfig(text)
  const dirs = config?.testDirs?.map((dir) => resolve(project, dir)) ?? []
  if (dirs.length > 0 && !dirs.some((dir) => isBelow(absolutePath, dir))) {
    const names = config?.testDirs?.join(' or ')
    const expected = `a file below ${names}, the testDir of ${relative(project, configPath ?? '')}`
    return err(invalidParameter('path', expected, `${received}, which no run would find`))
  }
  const declaresProcess = await lacksProcessType(path, files)
  const foreignRunner = await findForeignRunner(absolutePath, files)
  return ok({ path: absolutePath, project, configPath, config, declaresProcess, foreignRunner })
}

/** The path of a configuration that was written, notes, and the secrets that it or its notes read from the environment. */
export interface AddedConfig {
  readonly created?: string
  /** Whether the configuration of the project starts the server of the session. */
  readonly startsServer: boolean
  readonly notes: readonly string[]
  readonly secrets: Secrets
}

/** Writes the configuration of a project that has none, if the test needs its server. Notes say what an existing one may need. */
export async function addConfig(
  { path: testPath, project, configPath, config, declaresProcess }: TestPlace,
  plan: ServerPlan | undefined,
  { redactor }: Pick<OpenSession, 'redactor'>,
  knownSecrets: Secrets,
  files: Files,
): Promise<Outcome<AddedConfig>> {
  const none: AddedConfig = { startsServer: false, notes: [], secrets: new Map() }
  if (!plan) return ok(none)
  const { webServer, origin, ignoreHTTPSErrors } = plan
  const secrets = webServer && secretsOfServer(webServer, knownSecrets, redactor.findValues)
  const usedSecrets = (environment: readonly string[]) =>
    new Map([...(secrets ?? [])].filter(([name]) => environment.includes(name)))
  if (configPath === undefined) {
    const testDir = `./${toPosix(relative(project, dirname(testPath)))}`
    const use = webServer ? {} : { baseURL: origin, ...(ignoreHTTPSErrors && { ignoreHTTPSErrors }) }
    const options = { testDir, use, declaresProcess }
    const { text, environment } = writeConfig(webServer, options, secrets, redactor.redactText)
    const createdPath = join(project, 'playwright.config.ts')
    const created = await files.create(createdPath, encode(text), { isShared: true })
    const notes = webServer ? [] : ['Its server is not in the configuration: start it before the tests.']
    return map(created, (path) => ({
      created: path,
      startsServer: webServer !== undefined,
      notes,
      secrets: usedSecrets(environment),
    }))
  }
  if (config?.hasWebServer) return ok({ ...none, startsServer: true })
  if (!webServer) return ok(none)
  const { text, environment } = writeWebServerHint(webServer, secrets, redactor.redactText)
  return ok({
    ...none,
    notes: [`${toPosix(configPath)} starts no server. Add to it:\n${text}`],
    secrets: usedSecrets(environment),
  })
}

/** Saves the state that the session began with, for `test.use`, with the passkeys that the steps created; undefined if there is nothing. */
export async function saveInitialState(
  { path, project }: TestPlace,
  steps: readonly RecordedStep[],
  { request, namedState }: Pick<OpenSession, 'request' | 'namedState'>,
  files: Files,
): Promise<Outcome<SavedState | undefined>> {
  const created = steps.flatMap(({ action }) => (action.kind === 'passkeys' ? (action.created ?? []) : []))
  const initial = namedState?.state ?? request.storageState
  if (!initial && created.length === 0) return ok(undefined)
  const credentials = [...(initial?.credentials ?? []), ...created]
  const state: StorageState = {
    ...(initial ?? { cookies: [], origins: [] }),
    ...(credentials.length > 0 && { credentials }),
  }
  const parts = {
    hasPasskeys: credentials.length > 0,
    hasSessionStorage: state.origins.some(({ sessionStorage = [] }) => sessionStorage.length > 0),
  }
  const name = `${toPosix(path).split('/').at(-1)?.replace(TEST_NAME, '')}.json`
  const statePath = join(project, 'playwright', '.auth', name)
  const existing = await files.readIfExists(statePath)
  if (existing.ok && existing.value) return ok({ path: toPosix(relative(project, statePath)), parts })
  const file = await files.create(statePath, encode(JSON.stringify(state)), {
    createsFolders: true,
  })
  return map(file, (createdPath) => ({ path: toPosix(relative(project, createdPath)), parts }))
}

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const isBelow = (path: string, folder: string): boolean => !relative(folder, path).startsWith('..')
