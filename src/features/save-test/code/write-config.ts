// The configuration of Playwright Test for a project that has none, and its `webServer` block.

import { isSecretName } from '../../../core/base/redaction/secret-names.ts'
import { portOf } from '../../../core/devserver/dev-server.ts'
import type { DevServer, ServerRequest } from '../../../core/sessions/types/servers.ts'
import { groupDigits, quoteText } from '../../lib/replay/literals.ts'
import { declareProcess, neededLine } from '../../lib/test-files/named-variables.ts'
import { expandedCode, fieldsOf, formatValue, objectCode } from './format-value.ts'
import { nameFoundSecrets } from './name-secrets.ts'
import { printCode } from './print-code.ts'
import { createSecretText, type SecretText } from './secret-text.ts'
import type { WebServer } from './test-plan.ts'

interface ConfigOptions {
  /** Relative to the folder of the configuration. */
  readonly testDir: string
  /** Options of `use`, by their names in Playwright Test. */
  readonly use?: Readonly<Record<string, unknown>>
  readonly declaresProcess?: boolean
}

interface ConfigText {
  readonly text: string
  /** The names of the environment variables that it reads. */
  readonly environment: readonly string[]
}

/** A `playwright.config.ts`. `secrets` has the values that must not stand in it, by the names of their variables; `redact` hides
 * others. */
export function writeConfig(
  server: WebServer | undefined,
  { testDir, use = {}, declaresProcess = false }: ConfigOptions,
  secrets: ReadonlyMap<string, string> = new Map(),
  redact?: (text: string) => string,
): ConfigText {
  const values = createSecretText(secrets, redact)
  const options = { ...useOf(server), trace: 'on-first-retry', ...use }
  const config = expandedCode(
    [
      ['testDir', formatValue(testDir, values)],
      ['use', expandedCode(fieldsOf(options, values), values)],
      ['webServer', server && serverCode(server, values)],
    ],
    values,
  )
  const { environment } = values
  const variables = server ? ['CI', ...environment] : environment
  const lines: readonly string[] = [
    ...neededLine(environment),
    `import { defineConfig } from ${quoteText('@playwright/test')};`,
    ...(declaresProcess && variables.length > 0 ? ['', declareProcess(variables)] : []),
    '',
    `export default defineConfig(${config});`,
  ]
  return printLines(lines, values)
}

/** What to add to an existing configuration: its `use.baseURL` and its `webServer`, as lines of an object. */
export function writeWebServerHint(
  server: WebServer,
  secrets: ReadonlyMap<string, string> = new Map(),
  redact?: (text: string) => string,
): ConfigText {
  const values = createSecretText(secrets, redact)
  return printLines(
    [
      `use: ${objectCode(fieldsOf(useOf(server), values), values)},`,
      `webServer: ${serverCode(server, values)},`,
    ],
    values,
  )
}

/** The values of a server's command and environment that must not stand in a configuration, with `secrets`, by the names of variables. */
export function secretsOfServer(
  { command, env }: WebServer,
  secrets: ReadonlyMap<string, string>,
  findValues: (text: string) => readonly string[],
): ReadonlyMap<string, string> {
  const isSecret = ([name, value]: [string, string]) =>
    value !== '' &&
    (isSecretName(name) || [value, `${name}=${value}`].some((text) => findValues(text).length > 0))
  const named = new Map([...secrets, ...Object.entries(env).filter(isSecret)])
  return nameFoundSecrets(command, findValues(command), named)
}

const GRACEFUL_SHUTDOWN = "{ signal: 'SIGTERM', timeout: 10_000 }"

const printLines = (lines: readonly string[], { environment }: SecretText): ConfigText => ({
  text: lines.map((line) => `${printCode(line)}\n`).join(''),
  environment,
})

/** The options of a page of this server. */
const useOf = (server: WebServer | undefined): Readonly<Record<string, unknown>> =>
  server
    ? {
        baseURL: originOf(server.baseUrl ?? server.url),
        ...(server.ignoreHTTPSErrors && { ignoreHTTPSErrors: true }),
      }
    : {}

const originOf = (url: string): string => /^[a-z]+:\/\/[^/?#]+/i.exec(url)?.[0] ?? url

function serverCode(server: WebServer, values: SecretText): string {
  const { command, url, isPortOnly, ignoreHTTPSErrors, timeout, needsSignal, env, cwd } = server
  return expandedCode(
    [
      ['command', formatValue(command, values)],
      isPortOnly ? ['port', String(portOf(url))] : ['url', formatValue(url, values)],
      ['ignoreHTTPSErrors', ignoreHTTPSErrors ? 'true' : undefined],
      ['timeout', timeout === undefined ? undefined : groupDigits(timeout)],
      ['reuseExistingServer', '!process.env.CI'],
      ['gracefulShutdown', needsSignal ? GRACEFUL_SHUTDOWN : undefined],
      ['env', Object.keys(env).length === 0 ? undefined : formatValue(env, values)],
      ['cwd', cwd === undefined ? undefined : formatValue(cwd, values)],
    ],
    values,
  )
}

/** The `webServer` of a session's server, at the port that it had; undefined for a program of the server contract and for a server that was
 * running already. `cwd` is relative to the folder of the configuration. */
export function webServerOf(
  request: ServerRequest,
  server: Pick<DevServer, 'url' | 'variablePort' | 'mode'>,
  cwd: string,
  {
    url,
    ...readiness
  }: Pick<WebServer, 'url' | 'isPortOnly' | 'ignoreHTTPSErrors' | 'timeout' | 'needsSignal' | 'env'>,
): WebServer | undefined {
  const { command, env = {} } = request
  const { mode, variablePort } = server
  if (command === undefined || mode !== 'direct') return undefined
  return {
    command: typeof command === 'string' ? command : command.map(quoteArgument).join(' '),
    // Without the slash that every URL of a host has.
    url: url.replace(/^(https?:\/\/[^/]+)\/$/, '$1'),
    ...(originOf(url) !== originOf(server.url) && { baseUrl: originOf(server.url) }),
    ...readiness,
    env: { ...readiness.env, ...env, ...(variablePort !== undefined && { PORT: String(variablePort) }) },
    ...(cwd !== '' && { cwd }),
  }
}

const quoteArgument = (argument: string): string =>
  /^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`
