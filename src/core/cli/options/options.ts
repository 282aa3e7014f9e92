// All options: schema, default and description. The flag, the environment variable, the config key, the help text and docs/options.md
// are derived from them.

import * as v from 'valibot'
import { BROWSER_NAMES } from '../../base/browser-names.ts'
import { parseUserProxy } from '../../base/network/user-proxy.ts'
import { PLAYWRIGHT_SERIES } from '../../browser/playwright/engine.ts'
import {
  addressList,
  commandList,
  DAY_MS,
  headerLines,
  hostList,
  jsonObject,
  oneOf,
  type Option,
  path,
  serviceCalls,
  stateName,
  textList,
  variableList,
  whenOption,
  whole,
  yesNo,
} from './option-schemas.ts'

type OptionGroup = Readonly<Record<string, Option>>

const browser = {
  browser: {
    schema: v.optional(oneOf(...BROWSER_NAMES), 'chromium'),
    value: 'NAME',
    about: BROWSER_NAMES.join(', '),
  },
  headless: {
    schema: v.optional(yesNo, false),
    about: 'no window, as without a display, in the shell and by setup; --headed opens one',
  },
  executablePath: {
    schema: v.optional(path),
    value: 'PATH',
    about: 'browser executable to run instead of the detected one',
  },
  connect: {
    schema: v.optional(addressList(/^wss?:\/\//, 'a WebSocket URL')),
    value: 'URL',
    about: `use the browsers of a remote Playwright server (${PLAYWRIGHT_SERIES}); repeatable`,
    isRepeatable: true,
  },
  cdpEndpoint: {
    schema: v.optional(addressList(/^(https?|wss?):\/\//, 'a URL')),
    value: 'URL',
    about: 'connect to a running Chromium by its CDP address; repeatable',
    isRepeatable: true,
  },
  endpointHeader: {
    schema: v.optional(headerLines),
    value: 'NAME=VALUE',
    about: 'send this header to the endpoints; VALUE may have {{NAME}} of secrets; repeatable',
    isRepeatable: true,
    isSecret: true,
  },
  endpointHeaderCommand: {
    schema: v.optional(path),
    value: 'PROGRAM',
    about: 'with connect and cdp-endpoint: prints headers as JSON, anew for each connection',
  },
  endpointCreate: {
    schema: v.optional(serviceCalls),
    value: 'JSON',
    about: 'calls that create and release a browser for each session, as services have them',
    byDefault: 'none',
    isSecret: true,
  },
  grid: {
    schema: v.optional(v.pipe(v.string('a URL'), v.regex(/^https?:\/\//, 'a URL'))),
    value: 'URL',
    about: 'use the browsers of a Selenium Grid 4, one for each session',
  },
  gridCapabilities: {
    schema: v.optional(jsonObject),
    value: 'JSON',
    about: 'with grid: capabilities to request, such as a platform or the options of a cloud',
    byDefault: 'none',
  },
  gridNodes: { schema: v.optional(textList('hosts')), value: 'LIST', about: 'with grid: hosts of its nodes' },
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
  profile: { schema: v.optional(stateName), value: 'NAME', about: 'browser profile of its sessions' },
  implicitSession: { schema: v.optional(yesNo, false), about: 'create a session at a call without one' },
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
  evidence: {
    schema: v.optional(oneOf('full', 'text', 'none')),
    value: 'KIND',
    about: 'evidence in failing calls: full (with the screenshot), text, none',
    byDefault: 'full, by client',
  },
  testIdAttribute: {
    schema: v.optional(
      v.pipe(v.string('an attribute'), v.regex(/^[a-zA-Z][\w.:-]*$/, 'an attribute')),
      'data-testid',
    ),
    value: 'NAME',
    about: 'attribute that getByTestId and suggested selectors use',
  },
  trace: whenOption('record Playwright traces'),
  report: whenOption('write a report when a session closes'),
  guard: { schema: v.optional(yesNo, false), about: 'run the tests that an edit touches' },
} as const satisfies OptionGroup

const safety = {
  allowedHosts: {
    schema: v.optional(hostList),
    value: 'LIST',
    about: 'hosts that pages may reach: host, *.host or address, optionally with :port',
    byDefault: 'all',
    also: 'ALLOWED_HOSTS',
  },
  privateHosts: {
    schema: v.optional(oneOf('block', 'allow'), 'block'),
    value: 'WHAT',
    about: 'block, allow: private addresses that no rule lists, when host rules are set',
  },
  askHosts: {
    schema: v.optional(yesNo, false),
    about: 'ask the user about hosts that no rule lists; no response denies',
  },
  ignoreHttpsErrors: {
    schema: v.optional(yesNo, false),
    about: 'accept untrusted certificates in every session',
  },
  secrets: {
    schema: v.optional(path),
    value: 'FILE',
    about: 'file of NAME=value lines; agents type {{NAME}} and never see the value',
  },
  reveal: {
    schema: v.optional(yesNo, false),
    about: 'disable redaction of secrets',
  },
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
  extensions: { schema: v.optional(commandList), value: 'LIST', about: 'folders of extensions over HTTP' },
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

const url = v.pipe(v.string('a URL'), v.url('a URL'))

const http = {
  transport: {
    schema: v.optional(oneOf('stdio', 'http')),
    value: 'WHAT',
    about: 'stdio, http',
    byDefault: 'stdio, or http if a port is set',
    also: 'TRANSPORT_MODE',
  },
  http: {
    schema: v.optional(
      v.union(
        [
          v.pipe(
            v.literal('true'),
            v.transform(() => 'on' as const),
          ),
          whole(0, 65_535),
        ],
        'a port',
      ),
    ),
    value: '[PORT]',
    about: 'serve Streamable HTTP at /mcp; 0 picks a free port',
    byDefault: 'PORT, else 3000',
  },
  host: {
    schema: v.optional(v.pipe(v.string('an address'), v.nonEmpty('an address')), '127.0.0.1'),
    value: 'ADDRESS',
    about: 'address to listen on; other than loopback only with authentication',
  },
  auth: {
    schema: v.optional(oneOf('none', 'bearer', 'oauth'), 'none'),
    value: 'HOW',
    about: 'none, bearer (one shared token), oauth (access tokens of an issuer)',
  },
  tokenFile: {
    schema: v.optional(path),
    value: 'FILE',
    about: 'file with the shared token; or the variable FOOTLIGHT_TOKEN',
  },
  issuer: {
    schema: v.optional(url),
    value: 'URL',
    about: 'issuer of the access tokens',
  },
  audience: {
    schema: v.optional(v.pipe(v.string('a string'), v.nonEmpty('a non-empty string'))),
    value: 'NAME',
    about: 'required audience of the access tokens',
  },
  jwks: {
    schema: v.optional(v.pipe(v.string('a URL or a path'), v.nonEmpty('a URL or a path'))),
    value: 'WHERE',
    about: "URL or file of the issuer's keys, if its metadata has no jwks_uri",
  },
  publicUrl: {
    schema: v.optional(url),
    value: 'URL',
    about: 'URL by which clients reach this server, e.g. behind a proxy',
  },
  allowedOrigins: {
    schema: v.optional(v.pipe(v.string('a list of origins'), v.nonEmpty('a list of origins'))),
    value: 'LIST',
    about: 'origins of web pages that may call this server, besides its own',
  },
  drainTimeout: {
    schema: v.optional(whole(0, 86_400_000), 0),
    value: 'MS',
    about: 'after SIGTERM, serve the open sessions for so long, and open no others',
  },
} as const satisfies OptionGroup

const server = {
  socket: {
    schema: v.optional(yesNo, true),
    about: 'let the shell use the sessions of a stdio server (footlight help agent)',
  },
  view: { schema: v.optional(yesNo, false), about: 'serve footlight view; stderr has its address' },
  serverCoverage: { schema: v.optional(yesNo, true), about: 'for verify: count what Node servers run' },
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

/** Every option by the heading of its group, in the order in which they are explained. */
const optionGroups = {
  Browser: browser,
  Sessions: sessions,
  Tools: tools,
  Safety: safety,
  HTTP: http,
  Server: server,
} as const

type OptionGroupName = keyof typeof optionGroups

export const optionGroupNames = Object.keys(optionGroups) as OptionGroupName[]

export const options = { ...browser, ...sessions, ...tools, ...safety, ...http, ...server } as const

export type OptionName = keyof typeof options

export const optionNames = Object.keys(options) as OptionName[]

export const optionsInGroup = (group: OptionGroupName): OptionName[] =>
  Object.keys(optionGroups[group]) as OptionName[]

export type Settings = { readonly [K in OptionName]: v.InferOutput<(typeof options)[K]['schema']> }

/** An option as it is shown: one type, whatever its schema. */
export const optionOf = (name: OptionName): Option => options[name]

export const isRepeatable = (name: string): boolean =>
  Object.hasOwn(options, name) && optionOf(name as OptionName).isRepeatable === true

export const toKebabCase = (name: string): string =>
  name.replace(/[A-Z]+(?=[A-Z][a-z]|$)|[A-Z]/g, (letters) => `-${letters.toLowerCase()}`)

export const variableNameOf = (name: string): string =>
  `FOOTLIGHT_${toKebabCase(name).replaceAll('-', '_').toUpperCase()}`
