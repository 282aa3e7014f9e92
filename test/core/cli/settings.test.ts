import { describe, expect, test } from 'bun:test'
import { callableTools, chooseTools } from '../../../src/core/cli/options/choose-tools.ts'
import { switches } from '../../../src/core/cli/options/command-options.ts'
import { readFlags } from '../../../src/core/cli/options/flags.ts'
import { describeIgnoredOptions, findOptionConflict } from '../../../src/core/cli/options/option-conflicts.ts'
import { optionNames } from '../../../src/core/cli/options/option-list.ts'
import { toKebabCase, variableNameOf } from '../../../src/core/cli/options/option-names.ts'
import type { OptionName } from '../../../src/core/cli/options/options.ts'
import { describeUnknownVariables, resolveSettings } from '../../../src/core/cli/options/settings.ts'
import { everyTool } from '../../../src/core/cli/tools/catalogue.ts'
import { listAddresses } from '../../../src/features/remote/settings.ts'

const flags = (...raw: string[]) => readFlags(raw, optionNames, switches)

function settings(raw: string[], env: Record<string, string> = {}, file?: string) {
  const read = flags(...raw)
  if (!read.ok) return read
  const open = () => {
    if (file === undefined) throw new Error('ENOENT: no such file')
    return file
  }
  return resolveSettings({ flags: read.value.values, env, read: open })
}

const value = (name: keyof typeof samples, ...given: Parameters<typeof settings>) => {
  const result = settings(...given)
  return result.ok ? result.value[name] : result.error
}

const samples = {
  browser: 'firefox',
  headless: true,
  executablePath: '/x',
  connect: 'ws://127.0.0.1:1/, ws://127.0.0.1:2/',
  cdpEndpoint: 'http://127.0.0.1:9222',
  endpointHeader: 'x-api-key={{KEY}}\nauthorization=Bearer a=b',
  endpointHeaderCommand: '/usr/bin/sign',
  endpointCreate: '{"create":{"url":"https://a.example/s"},"connect":"{wsUrl}"}',
  grid: 'http://127.0.0.1:4444',
  gridCapabilities: '{"platformName":"linux"}',
  gridNodes: 'node-1,10.0.0.7',
  launchTimeout: 5000,
  isolation: 'browser',
  warm: 3,
  sessionTimeout: 1234,
  maxLifetime: 7_200_000,
  maxSessions: 3,
  actionTimeout: 77,
  navigationTimeout: 99,
  implicitSession: true,
  profile: 'work',
  tools: 'core',
  names: 'e2e',
  evidence: 'text',
  trace: 'on-failure',
  report: 'on',
  allowedHosts: 'app.example,*.cdn.example:8443',
  privateHosts: 'allow',
  askHosts: true,
  ignoreHttpsErrors: true,
  secrets: '/run/secrets.env',
  reveal: true,
  view: true,
  serverCommand: '/usr/bin/node:/srv/start',
  serverEnv: 'PORT,API_URL',
  guard: true,
  serverCoverage: false,
  extensions: '/srv/extension',
  rateLimit: 100,
  sessionRateLimit: 10,
  memoryLimit: 4096,
  recycleAfter: 100,
  testIdAttribute: 'data-qa',
  proxyServer: 'socks5://proxy.example:1080',
  proxyBypass: '*.corp.example,10.0.0.1',
  clientSessions: 3,
  transport: 'http',
  http: 3000,
  socket: false,
  host: '0.0.0.0',
  auth: 'oauth',
  tokenFile: '/run/token',
  issuer: 'https://issuer.example/',
  audience: 'footlight',
  jwks: '/run/keys.json',
  publicUrl: 'https://mcp.example/',
  allowedOrigins: 'https://app.example',
  drainTimeout: 600_000,
  outputDir: '/out',
  config: 'c.json',
  logLevel: 'debug',
  logFormat: 'json',
} as const satisfies Record<OptionName, unknown>

// The type has what features declare, the list what they give.
test('there is a sample for every option that is declared, and for no other', () =>
  expect(Object.keys(samples).sort()).toEqual([...optionNames].sort()))

describe.each(Object.entries(samples))('%s', (name, sample) => {
  const key = name as keyof typeof samples
  const text = String(sample)
  test('as a flag, in kebab and camel case, with = and without', () => {
    const rest = name === 'config' ? '{}' : undefined
    for (const raw of [
      [`--${toKebabCase(name)}`, text],
      [`--${name}`, text],
      [`--${toKebabCase(name)}=${text}`],
      [`--${name}=${text}`],
    ]) {
      expect(value(key, raw, {}, rest)).toBe(sample)
    }
  })
  test('as a variable', () =>
    expect(value(key, [], { [variableNameOf(name)]: text }, name === 'config' ? '{}' : undefined)).toBe(
      sample,
    ))
  test('as a key of the config file', () => {
    if (name === 'config') return
    expect(value(key, ['--config', 'c.json'], {}, JSON.stringify({ [name]: sample }))).toBe(sample)
  })
})

test('a flag beats a variable, a variable beats the file, the file beats the default', () => {
  const file = '{"maxSessions": 4}'
  const env = { FOOTLIGHT_MAX_SESSIONS: '5' }
  expect(value('maxSessions', ['--max-sessions', '6', '--config', 'c'], env, file)).toBe(6)
  expect(value('maxSessions', ['--config', 'c'], env, file)).toBe(5)
  expect(value('maxSessions', ['--config', 'c'], {}, file)).toBe(4)
  expect(value('maxSessions', [])).toBe(10)
})

test('a flag for endpoints is repeatable; a list of them is read from all places', () => {
  const listed = 'http://a.example:9222\nhttp://b.example/x?list=1,2'
  const [one = '', two = ''] = listed.split('\n')
  expect(value('cdpEndpoint', ['--cdp-endpoint', one, `--cdp-endpoint=${two}`])).toBe(listed)
  expect(value('cdpEndpoint', ['--config', 'c'], {}, JSON.stringify({ cdpEndpoint: [one, two] }))).toBe(
    listed,
  )
  for (const separator of [' ', ',', ', ', '\n'])
    expect(listAddresses(`${one}${separator}${two}`)).toEqual([one, two])
})

test('the defaults are those of the contract', () => {
  const result = settings([])
  expect(result).toMatchObject({
    ok: true,
    value: {
      browser: 'chromium',
      headless: false,
      sessionTimeout: 300_000,
      maxSessions: 10,
      isolation: 'context',
      tools: 'default',
    },
  })
})

test('a variable that is close to that of an option is named, another is not', () => {
  expect(describeUnknownVariables({ FOOTLIGHT_HEADLES: '1' })).toEqual([
    'FOOTLIGHT_HEADLES is not a variable of Footlight. Did you mean FOOTLIGHT_HEADLESS?',
  ])
  const others = {
    FOOTLIGHT_TOKEN: 't',
    FOOTLIGHT_RUN: 'r',
    FOOTLIGHT_BROWSER: 'firefox',
    FOOTLIGHT_BINARY: '/f',
  }
  expect(describeUnknownVariables({ ...others, HEADLES: '1' })).toEqual([])
})

test.each([
  [['--host', '0.0.0.0'], '--host has no effect without --http'],
  [['--auth', 'bearer', '--token-file', 't'], '--auth, --token-file have no effect without --http'],
  [['--host', '0.0.0.0', '--http'], undefined],
  [['--host', '0.0.0.0', '--transport', 'stdio'], undefined],
  [[], undefined],
])('%p: %p', (raw, message) => {
  const result = settings(raw)
  expect(result.ok && describeIgnoredOptions(result.value)).toBe(message as string)
})

test('switches: bare, negated, with a value after = or behind', () => {
  for (const raw of [['--headless'], ['--headless=true'], ['--headless', 'true'], ['--headless=1']])
    expect(value('headless', raw)).toBe(true)
  for (const raw of [['--no-headless'], ['--headless=false'], ['--headless', 'false'], ['--headed']])
    expect(value('headless', raw)).toBe(false)
})

const errors: [string[], Record<string, string>, string | undefined, string][] = [
  [
    ['--sesion-timeout', '5'],
    {},
    undefined,
    'unknown option --sesion-timeout. Did you mean --session-timeout?',
  ],
  [['--maxSesions=5'], {}, undefined, 'Did you mean --max-sessions?'],
  [['-x'], {}, undefined, 'unknown option -x'],
  [['--browser'], {}, undefined, '--browser needs a value'],
  [['--endpoint-header', 'hunter22'], {}, undefined, '--endpoint-header: expected NAME=VALUE'],
  [
    ['--endpoint-create', '{"create":{"url":"ftp://a"},"connect":"{wsUrl}"}'],
    {},
    undefined,
    '--endpoint-create: expected create, with a url, connect, and release',
  ],
  [
    ['--connect', 'ws://a:1', '--connect', 'http://me:pw@b/?token=t'],
    {},
    undefined,
    '--connect: expected a WebSocket URL, received "ws://…@b/?…"',
  ],
  [['--browser', 'opera'], {}, undefined, '--browser: expected one of chromium, firefox'],
  [['--headless=maybe'], {}, undefined, '--headless: expected true or false, received "maybe"'],
  [['--max-sessions', '0'], {}, undefined, '--max-sessions: expected at least 1, received "0"'],
  [[], { FOOTLIGHT_SESSION_TIMEOUT: 'soon' }, undefined, 'FOOTLIGHT_SESSION_TIMEOUT: expected an integer'],
  [
    ['--allowed-hosts', 'http://a'],
    {},
    undefined,
    '--allowed-hosts: expected a list of host, *.host or address',
  ],
  [[], { ALLOWED_HOSTS: 'a b/c' }, undefined, 'ALLOWED_HOSTS: expected a list of host'],
  [['--config', 'c.json'], {}, '{"warm": "many"}', 'warm in c.json: expected an integer'],
  [
    ['--config', 'c.json'],
    {},
    '{"maxSesions": 1}',
    'config c.json: unknown key "maxSesions". Did you mean "maxSessions"?',
  ],
  [['--config', 'c.json'], {}, '{"endpointCreate": ""}', 'endpointCreate in c.json: expected a JSON object'],
  [['--config', 'c.json'], {}, '{', 'config c.json: '],
  [['--config', 'c.json'], {}, '[]', 'config c.json: expected a JSON object'],
  [['--config', 'gone.json'], {}, undefined, 'config gone.json: ENOENT'],
  [
    ['--session-timeout', '900', '--max-lifetime', '800'],
    {},
    undefined,
    '--max-lifetime: expected at least the session timeout',
  ],
]
test.each(errors)('%p %p is refused and says where and why', (raw, env, file, words) => {
  const result = settings(raw, env, file)
  expect(result.ok ? 'accepted' : result.error).toContain(words)
})

test('a stray argument is kept apart, for the command to refuse', () => {
  expect(flags('--warm', '1', 'stray')).toMatchObject({ ok: true, value: { rest: ['stray'] } })
})

test('tools are chosen by set or by any spelling, in the order of the catalogue', () => {
  const names = (wanted: string) => {
    const chosen = chooseTools(wanted)
    return chosen.ok ? chosen.value.map(({ name }) => name) : chosen.error
  }
  expect(names('type,browser.goto,createSession')).toEqual(['create_session', 'navigate', 'type'])
  expect(names('clik')).toContain('Did you mean click?')
  expect(names('core')).toContain('snapshot')
  expect(names('core,drag')).toEqual(expect.arrayContaining(['snapshot', 'drag']))
})

test('default, core and all are sets, and +NAME adds one tool to what is selected, or to the default', () => {
  const names = (selection: string, style?: 'e2e') => {
    const tools = chooseTools(selection, style)
    return tools.ok ? tools.value.map(({ name }) => name) : [tools.error]
  }
  const others = ['list_sessions', 'drag', 'mouse', 'mock', 'save_test', 'trace', 'audit', 'page_tools']
  for (const name of others) expect(names('default')).not.toContain(name)
  expect(names('default')).toEqual(expect.arrayContaining(['verify', 'compare', 'report', 'handover']))
  expect(names('all')).toEqual(everyTool.map(({ name }) => name))
  expect(names('+mouse').toSorted()).toEqual([...names('default'), 'mouse'].toSorted())
  expect(names('default, +mouse')).toEqual(names('+mouse'))
  expect(names('core,+mouse').toSorted()).toEqual([...names('core'), 'mouse'].toSorted())
  expect(names('+mouse,click')).toEqual(['click', 'mouse'])
  expect(names('mouse')).toEqual(['mouse'])
  expect(names('+click')).toEqual(names('default'))
  expect(names('+mous')).toEqual(['--tools: unknown tool "+mous". Did you mean +mouse?'])
  expect(names('core,+constructor').join()).toContain('unknown tool "+constructor"')
  expect(names(',').join()).toContain('+NAME')
  expect(names('default', 'e2e')).toEqual(expect.arrayContaining(['list_sessions', 'drag', 'verify']))
})

test('every tool can be called, unless the only ones are named', () => {
  const callable = (selection: string) => {
    const tools = chooseTools(selection)
    return tools.ok ? callableTools(selection, tools.value).length : tools.error
  }
  for (const selection of ['default', 'all', '+mouse', 'default,+mouse'])
    expect(callable(selection)).toBe(everyTool.length)
  expect(callable('click,type')).toBe(2)
  expect(callable('core')).toBe(13)
  expect(callable('core,+mouse')).toBe(14)
})

test.each([
  [['--connect', 'ws://a', '--cdp-endpoint', 'ws://b'], '--connect and --cdp-endpoint cannot be combined'],
  [['--endpoint-header', 'a=b'], 'headers for endpoints require --connect or --cdp-endpoint'],
  [['--endpoint-header-command', '/p', '--grid', 'http://a'], 'omit it, or --grid'],
  [['--cdp-endpoint', 'ws://a, ws://b', '--endpoint-header', 'a=b'], undefined],
])('%p: %p', (raw, message) => {
  const result = settings(raw)
  const conflict = result.ok ? findOptionConflict(result.value) : result.error
  if (message === undefined) expect(conflict).toBeUndefined()
  else expect(conflict).toContain(message)
})
