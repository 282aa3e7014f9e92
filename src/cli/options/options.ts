// All options: schema, default and description. The flag, the environment variable, the config key, the help text and docs/options.md
// are derived from them.

import * as v from 'valibot'
import { browser } from './browser-options.ts'
import { safety } from './safety-options.ts'
import { transport } from './http-options.ts'
import { DAY_MS, oneOf, path, whole, yesNo, type Option } from './option-schemas.ts'
import { toolGroups } from '../../tools/catalogue.ts'

const groupAdditions = Object.keys(toolGroups).map((name) => `+${name}`)

export const options = {
  ...browser,
  sessionTimeout: {
    schema: v.optional(whole(1, DAY_MS), 300_000),
    group: 'Sessions',
    value: 'MS',
    about: 'close a session and its dev server after this time without a call',
  },
  maxLifetime: {
    schema: v.optional(whole(1, DAY_MS)),
    group: 'Sessions',
    value: 'MS',
    about: 'close a session after this time in any case',
    byDefault: '3600000, or the session timeout if longer',
  },
  maxSessions: {
    schema: v.optional(whole(1, 1000), 10),
    group: 'Sessions',
    value: 'N',
    about: 'maximum number of open sessions',
  },
  clientSessions: {
    schema: v.optional(whole(1, 1000)),
    group: 'Sessions',
    value: 'N',
    about: 'maximum number of open sessions per client or user, over HTTP',
    byDefault: 'all',
  },
  actionTimeout: {
    schema: v.optional(whole(1, 600_000), 5000),
    group: 'Sessions',
    value: 'MS',
    about: 'timeout of actions such as click and type; shorter on a quiet page',
  },
  navigationTimeout: {
    schema: v.optional(whole(1, 600_000), 30_000),
    group: 'Sessions',
    value: 'MS',
    about: 'timeout of navigate, wait_for and screenshot',
  },
  implicitSession: {
    schema: v.optional(yesNo, false),
    group: 'Sessions',
    about: 'create a session with the first call that has no sessionId',
  },
  tools: {
    schema: v.optional(v.pipe(v.string('a string'), v.nonEmpty('core, all, tool names or +GROUP')), 'all'),
    group: 'Tools',
    value: 'LIST',
    about: `core, all, or tool names, comma-separated; in addition: ${groupAdditions.join(', ')}`,
    suggestions: ['core', 'all', ...groupAdditions, ...groupAdditions.map((name) => `core,${name}`)],
  },
  names: {
    schema: v.optional(oneOf('footlight', 'session', 'e2e', 'browser'), 'footlight'),
    group: 'Tools',
    value: 'STYLE',
    about: 'footlight, session, e2e, browser: naming style of listed tools',
  },
  evidence: {
    schema: v.optional(oneOf('full', 'text', 'none')),
    group: 'Tools',
    value: 'KIND',
    about: 'evidence in failing calls: full (with the screenshot), text, none',
    byDefault: 'full, by client',
  },
  trace: {
    schema: v.optional(oneOf('off', 'on', 'on-failure'), 'off'),
    group: 'Tools',
    value: 'WHEN',
    about: 'off, on, on-failure: record Playwright traces',
  },
  ...safety,
  ...transport,
  outputDir: {
    schema: v.optional(path, '.footlight'),
    group: 'Server',
    value: 'DIR',
    about: 'folder for files such as screenshots and logs; created on first use',
  },
  config: {
    schema: v.optional(path),
    group: 'Server',
    value: 'FILE',
    about: 'JSON config file with these options in camelCase',
  },
  logLevel: {
    schema: v.optional(oneOf('silent', 'error', 'warn', 'info', 'debug'), 'warn'),
    group: 'Server',
    value: 'LEVEL',
    about: 'silent, error, warn, info, debug; the log is on stderr',
  },
  logFormat: {
    schema: v.optional(oneOf('text', 'json'), 'text'),
    group: 'Server',
    value: 'FORMAT',
    about: 'text or json, one line per event',
  },
} as const satisfies Record<string, Option>

export type OptionName = keyof typeof options

export const optionNames = Object.keys(options) as OptionName[]

export type Settings = { readonly [K in OptionName]: v.InferOutput<(typeof options)[K]['schema']> }

/** An option as it is shown: one type, whatever its schema. */
export const optionOf = (name: OptionName): Option => options[name]

export const toKebabCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export const variableNameOf = (name: string): string =>
  `FOOTLIGHT_${toKebabCase(name).replaceAll('-', '_').toUpperCase()}`
