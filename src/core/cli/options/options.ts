// The options of the core: schema, default and description; and what options of features are.

import * as v from 'valibot'
import { BROWSER_NAMES } from '../../base/browser-names.ts'
import { parseUserProxy } from '../../base/network/user-proxy.ts'
import {
  commandList,
  DAY_MS,
  oneOf,
  type Option,
  path,
  switchOption,
  textList,
  variableList,
  whole,
} from './option-schemas.ts'

declare module '../../tool/feature.ts' {
  interface Feature {
    readonly options?: readonly OptionSet[]
    /** Why there can be no server with these settings. */
    readonly findConflict?: (settings: Settings, facts: SettingFacts) => string | undefined
    /** What is said of settings that have no effect. */
    readonly describeIgnored?: (settings: Settings) => string | undefined
    /** Who can call a server with these settings besides who has started it; undefined: nobody. */
    readonly accessOf?: (settings: Settings) => Access | undefined
  }
}

type OptionGroup = Readonly<Record<string, Option>>

export interface OptionSet {
  readonly group: string
  /** The option before which they stand; without it, or without that one, they are the last ones of their group. */
  readonly before?: string
  /** They are of a server that others reach: commands with sessions of their own do not take them. */
  readonly isForServing?: true
  readonly entries: OptionGroup
}

/** What options give. */
export type SettingsOf<G extends OptionGroup> = { readonly [K in keyof G]: v.InferOutput<G[K]['schema']> }

const browser = {
  browser: {
    schema: v.optional(oneOf(...BROWSER_NAMES), 'chromium'),
    value: 'NAME',
    about: BROWSER_NAMES.join(', '),
  },
  headless: switchOption(
    false,
    'no window, as without a display, in the shell and by setup; --headed opens one',
  ),
  executablePath: {
    schema: v.optional(path),
    value: 'PATH',
    about: 'browser executable to run instead of the detected one',
  },
  proxyServer: {
    schema: v.optional(
      v.pipe(
        v.string('a proxy'),
        v.check(
          (text) => parseUserProxy(text) !== undefined,
          'a proxy without a password, such as http://HOST:PORT or socks5://HOST:PORT',
        ),
      ),
    ),
    value: 'URL',
    about: 'proxy through which browsers reach other machines',
    byDefault: 'the settings of the browser',
  },
  proxyBypass: {
    schema: v.optional(textList('a list of hosts')),
    value: 'LIST',
    about: 'with proxy-server: hosts to reach without it, as localhost always is',
    byDefault: 'none',
  },
  launchTimeout: {
    schema: v.optional(whole(100, 600_000), 30_000),
    value: 'MS',
    about: 'maximum time for a browser to start',
  },
  isolation: {
    schema: v.optional(oneOf('context', 'browser'), 'context'),
    value: 'KIND',
    about: 'context: sessions share a browser process; browser: each session has its own',
  },
  warm: {
    schema: v.optional(whole(0, 20)),
    value: 'N',
    about: 'pages opened in advance, so that sessions start faster',
    byDefault: '1 headless, 0 with windows',
  },
  recycleAfter: {
    schema: v.optional(whole(1, 1_000_000), 500),
    value: 'N',
    about: 'replace the browser after this number of sessions',
  },
} as const satisfies OptionGroup

const sessions = {
  sessionTimeout: {
    schema: v.optional(whole(1, DAY_MS), 300_000),
    value: 'MS',
    about:
      'close a session and its dev server after this time without a call; footlight setup writes 30 minutes, the shell has none',
  },
  maxLifetime: {
    schema: v.optional(whole(1, DAY_MS)),
    value: 'MS',
    about: 'close a session after this time in any case',
    byDefault: '3600000, or the session timeout if longer',
  },
  maxSessions: {
    schema: v.optional(whole(1, 1000), 10),
    value: 'N',
    about: 'maximum number of open sessions',
  },
  memoryLimit: {
    schema: v.optional(whole(0, 10_000_000)),
    value: 'MB',
    about: 'open no new session while more memory is in use; 0: no limit',
    byDefault: 'a quarter of the memory',
  },
  clientSessions: {
    schema: v.optional(whole(1, 1000)),
    value: 'N',
    about: 'maximum number of open sessions per client or user, over HTTP',
    byDefault: 'all',
  },
  actionTimeout: {
    schema: v.optional(whole(1, 600_000), 5000),
    value: 'MS',
    about: 'timeout of actions such as click and type; shorter on a quiet page',
  },
  navigationTimeout: {
    schema: v.optional(whole(1, 600_000), 30_000),
    value: 'MS',
    about: 'timeout of navigate, wait_for and screenshot',
  },
  implicitSession: switchOption(false, 'create a session at a call without one'),
} as const satisfies OptionGroup

const tools = {
  tools: {
    schema: v.optional(v.pipe(v.string('a string'), v.nonEmpty('default, all or tool names')), 'default'),
    value: 'LIST',
    about:
      'tools that are listed: default, all, or +NAME for one more; core or names: only these can be called',
  },
  names: {
    schema: v.optional(oneOf('footlight', 'session', 'e2e', 'browser'), 'footlight'),
    value: 'STYLE',
    about: 'footlight, session, e2e, browser: naming style of listed tools',
  },
  testIdAttribute: {
    schema: v.optional(
      v.pipe(v.string('an attribute'), v.regex(/^[a-zA-Z][\w.:-]*$/, 'an attribute')),
      'data-testid',
    ),
    value: 'NAME',
    about: 'attribute that getByTestId and suggested selectors use',
  },
} as const satisfies OptionGroup

const safety = {
  ignoreHttpsErrors: switchOption(false, 'accept untrusted certificates in every session'),
  secrets: {
    schema: v.optional(path),
    value: 'FILE',
    about: 'file of NAME=value lines; agents type {{NAME}} and never see the value',
  },
  reveal: switchOption(false, 'disable redaction of secrets'),
  serverCommand: {
    schema: v.optional(commandList),
    value: 'LIST',
    about: 'programs that may be started, in the workspace or else in their own folder',
    byDefault: 'any',
    also: 'SERVER_COMMAND_PATH',
  },
  serverEnv: {
    schema: v.optional(variableList, 'PORT,HOST,NODE_ENV'),
    value: 'LIST',
    about: 'with server-command: variables that env may set',
  },
  rateLimit: {
    schema: v.optional(whole(1, 1_000_000)),
    value: 'N',
    about: 'calls per minute per token or address; over HTTP as many other requests',
    byDefault: 'none',
  },
  sessionRateLimit: {
    schema: v.optional(whole(1, 1_000_000)),
    value: 'N',
    about: 'new sessions per minute per client',
    byDefault: 'none',
  },
} as const satisfies OptionGroup

const server = {
  outputDir: {
    schema: v.optional(path, '.footlight'),
    value: 'DIR',
    about: 'folder for files such as screenshots and logs; created on first use',
  },
  config: {
    schema: v.optional(path),
    value: 'FILE',
    about: 'JSON config file with these options in camelCase',
  },
  logLevel: {
    schema: v.optional(oneOf('silent', 'error', 'warn', 'info', 'debug'), 'warn'),
    value: 'LEVEL',
    about: 'silent, error, warn, info, debug; the log is on stderr',
  },
  logFormat: {
    schema: v.optional(oneOf('text', 'json'), 'text'),
    value: 'FORMAT',
    about: 'text or json, one line per event',
  },
} as const satisfies OptionGroup

export const ownOptions: readonly OptionSet[] = [
  { group: 'Browser', entries: browser },
  { group: 'Sessions', entries: sessions },
  { group: 'Tools', entries: tools },
  { group: 'Safety', entries: safety },
  { group: 'Server', entries: server },
]

/** What the options are set to. Each feature declares here what its options give. */
export interface Settings extends SettingsOf<
  typeof browser & typeof sessions & typeof tools & typeof safety & typeof server
> {}

export type OptionName = keyof Settings

/** How others reach a server. */
export interface Access {
  /** Clients cannot be told apart. */
  readonly isAnonymous: boolean
  /** Milliseconds for which a server that is to end goes on with its open sessions. */
  readonly drainTimeout: number
}

/** What settings of several features come to. */
export interface SettingFacts {
  /** Who can call the server besides who has started it; undefined: nobody. */
  readonly access: Access | undefined
  /** The flags of what is set that names browsers elsewhere. */
  readonly elsewhereFlags: readonly string[]
}
