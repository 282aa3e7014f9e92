// The configuration of Playwright Test for a project that has none, and its `webServer` block.

import { isSecretName } from '../redaction/secret-names.ts'
import { createSecretText } from './secret-text.ts'
import { formatValue, objectCode } from './format-value.ts'
import { quoteText } from './literals.ts'
import { printCode, type Code } from './print-code.ts'
import type { WebServer } from './test-plan.ts'

export interface ConfigOptions {
  /** Relative to the folder of the configuration. */
  readonly testDir: string
  /** Options of `use`, by their names in Playwright Test. */
  readonly use?: Readonly<Record<string, unknown>>
}

/** The text of a `playwright.config.ts`. */
export function writeConfig(server: WebServer | undefined, { testDir, use = {} }: ConfigOptions): string {
  const origin = server && originOf(server.url)
  const options = { ...(origin !== undefined && { baseURL: origin }), trace: 'on-first-retry', ...use }
  const config = objectCode(
    [
      ['testDir', formatValue(testDir, plainText)],
      ['use', expand(formatValue(options, plainText))],
      ['webServer', server && serverCode(server)],
    ],
    plainText,
  )
  const lines: readonly Code[] = [
    `import { defineConfig } from ${quoteText('@playwright/test')};`,
    '',
    ['export default defineConfig(', expand(config), ');'],
  ]
  return lines.map((line) => `${printCode(line)}\n`).join('')
}

/** What to add to an existing configuration: its `use.baseURL` and its `webServer`, as lines of an object. */
export function writeWebServerHint(server: WebServer): string {
  const origin = originOf(server.url)
  const lines: readonly Code[] = [
    `use: { baseURL: ${formatValue(origin, plainText) as string} },`,
    ['webServer: ', expand(serverCode(server)), ','],
  ]
  return lines.map((line) => `${printCode(line)}\n`).join('')
}

// --- internal ---

const plainText = createSecretText(new Map())

const originOf = (url: string): string => /^[a-z]+:\/\/[^/?#]+/i.exec(url)?.[0] ?? url

function serverCode({ command, url, env, cwd }: WebServer): Code {
  // Those of the caller are passed on anyway.
  const ownEnv = Object.entries(env).filter(([name]) => !isSecretName(name))
  return expand(
    objectCode(
      [
        ['command', formatValue(command, plainText)],
        ['url', formatValue(url, plainText)],
        ['reuseExistingServer', '!process.env.CI'],
        ['env', ownEnv.length === 0 ? undefined : formatValue(Object.fromEntries(ownEnv), plainText)],
        ['cwd', cwd === undefined ? undefined : formatValue(cwd, plainText)],
      ],
      plainText,
    ),
  )
}

/** One field a line, as it is usual in a configuration. */
function expand(code: Code): Code {
  if (typeof code !== 'object' || !('items' in code)) return code
  return { statements: code.items.map((item): Code => [item, ',']) }
}
