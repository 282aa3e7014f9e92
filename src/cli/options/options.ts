// Every option once: its schema, its default and its words. The flag, the environment variable, the config key, the help text and
// the README table all come from here.

import * as v from 'valibot'
import { safety } from './safety-options.ts'
import { transport } from './http-options.ts'
import { DAY_MS, oneOf, path, whole, yesNo, type Option } from './option-schemas.ts'
import { PLAYWRIGHT_SERIES } from '../../browser/playwright/version.ts'
import { BROWSER_NAMES } from '../../core/browser-names.ts'

export const options = {
  browser: {
    schema: v.optional(oneOf(...BROWSER_NAMES), 'chromium'),
    group: 'Browser',
    value: 'NAME',
    about: BROWSER_NAMES.join(', '),
  },
  headless: {
    schema: v.optional(yesNo, false),
    group: 'Browser',
    about: 'no window; also where there is no display',
  },
  executablePath: {
    schema: v.optional(path),
    group: 'Browser',
    value: 'PATH',
    about: 'the browser to run, instead of the one found',
  },
  connect: {
    schema: v.optional(v.pipe(v.string('a WebSocket URL'), v.regex(/^wss?:\/\//, 'a WebSocket URL'))),
    group: 'Browser',
    value: 'URL',
    about: `use the browsers of a Playwright server (${PLAYWRIGHT_SERIES}) elsewhere`,
  },
  cdpEndpoint: {
    schema: v.optional(v.pipe(v.string('a URL'), v.regex(/^(https?|wss?):\/\//, 'a URL'))),
    group: 'Browser',
    value: 'URL',
    about: 'use a Chromium that already runs, by its DevTools address',
  },
  launchTimeout: {
    schema: v.optional(whole(100, 600_000), 30_000),
    group: 'Browser',
    value: 'MS',
    about: 'a browser that does not come up in this time is killed',
  },
  isolation: {
    schema: v.optional(oneOf('context', 'browser'), 'context'),
    group: 'Browser',
    value: 'KIND',
    about: 'context: sessions share a process; browser: each has its own',
  },
  warm: {
    schema: v.optional(whole(0, 20)),
    group: 'Browser',
    value: 'N',
    about: 'pages opened ahead, so that a session starts at once',
    byDefault: '1 headless, 0 with windows',
  },
  recycleAfter: {
    schema: v.optional(whole(1, 1_000_000), 500),
    group: 'Browser',
    value: 'N',
    about: 'sessions after which a fresh browser takes over',
  },
  sessionTimeout: {
    schema: v.optional(whole(1, DAY_MS), 300_000),
    group: 'Sessions',
    value: 'MS',
    about: 'a session, its page and its dev server end after this time without a call',
  },
  maxLifetime: {
    schema: v.optional(whole(1, DAY_MS)),
    group: 'Sessions',
    value: 'MS',
    about: 'and after this time in any case',
    byDefault: '3600000, or the session timeout if longer',
  },
  maxSessions: {
    schema: v.optional(whole(1, 1000), 10),
    group: 'Sessions',
    value: 'N',
    about: 'sessions open at one time',
  },
  clientSessions: {
    schema: v.optional(whole(1, 1000)),
    group: 'Sessions',
    value: 'N',
    about: 'of them for one client or user, over HTTP',
    byDefault: 'all',
  },
  actionTimeout: {
    schema: v.optional(whole(1, 600_000), 5000),
    group: 'Sessions',
    value: 'MS',
    about: 'a click and the like fail after this time',
  },
  navigationTimeout: {
    schema: v.optional(whole(1, 600_000), 30_000),
    group: 'Sessions',
    value: 'MS',
    about: 'navigate, wait_for and screenshot after this',
  },
  implicitSession: {
    schema: v.optional(yesNo, false),
    group: 'Sessions',
    about: 'calls may leave sessionId out: the only session, made at first use',
  },
  tools: {
    schema: v.optional(v.pipe(v.string('text'), v.nonEmpty('core, all or names')), 'all'),
    group: 'Tools',
    value: 'LIST',
    about: 'core, all, or names with commas',
  },
  names: {
    schema: v.optional(oneOf('footlight', 'session', 'e2e', 'browser'), 'footlight'),
    group: 'Tools',
    value: 'STYLE',
    about: 'footlight, session, e2e, browser: how listed tools are spelled',
  },
  evidence: {
    schema: v.optional(oneOf('full', 'text', 'none')),
    group: 'Tools',
    value: 'KIND',
    about: 'what a failing call brings with it: full (with its picture), text, none',
    byDefault: 'full, by client',
  },
  trace: {
    schema: v.optional(oneOf('off', 'on', 'on-failure'), 'off'),
    group: 'Tools',
    value: 'WHEN',
    about: 'off, on, on-failure: record traces for the viewer of Playwright',
  },
  ...safety,
  ...transport,
  outputDir: {
    schema: v.optional(path, '.footlight'),
    group: 'Server',
    value: 'DIR',
    about: 'where large results go; made when first needed',
  },
  config: {
    schema: v.optional(path),
    group: 'Server',
    value: 'FILE',
    about: 'JSON with these options in camelCase',
  },
  logLevel: {
    schema: v.optional(oneOf('silent', 'error', 'warn', 'info', 'debug'), 'warn'),
    group: 'Server',
    value: 'LEVEL',
    about: 'silent, error, warn, info, debug; on stderr',
  },
  logFormat: {
    schema: v.optional(oneOf('text', 'json'), 'text'),
    group: 'Server',
    value: 'FORMAT',
    about: 'text or json, one line an event',
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
