import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer'
import { parse, stringify } from 'smol-toml'
import { joinCommand } from '../../../src/core/cli/terminal/quote-command.ts'
import { launchOf } from '../../../src/core/cli/terminal/start-command.ts'
import type { ClientName } from '../../../src/features/lib/client-programs.ts'
import {
  clientNames,
  clientOf,
  entryOf,
  fileOf,
  findSimilarClients,
  skillFileOf,
} from '../../../src/features/setup/clients.ts'
import { encode } from '../../../src/features/setup/document.ts'
import {
  type FileChange,
  formatSnippet,
  planAddition,
  planRemoval,
} from '../../../src/features/setup/setup-command.ts'
import { parseSetupRequest } from '../../../src/features/setup/setup-request.ts'
import { SKILL } from '../../../src/features/setup/skill-text.ts'
import { jsonFiles, refused, tomlFiles } from '../../fixtures/client-files.ts'

const linux = { platform: 'linux', home: '/home/ada', cwd: '/home/ada/app', env: {} } as const
const darwin = { ...linux, platform: 'darwin', home: '/Users/ada' } as const
const win32 = {
  platform: 'win32',
  home: 'C:\\Users\\ada',
  cwd: 'D:\\app',
  env: { APPDATA: 'C:\\Users\\ada\\AppData\\Roaming' },
} as const

const paths: Record<ClientName, readonly [string, string, string, project: string | undefined]> = {
  'claude-code': [
    '/home/ada/.claude.json',
    '/Users/ada/.claude.json',
    'C:\\Users\\ada\\.claude.json',
    '/home/ada/app/.mcp.json',
  ],
  'claude-desktop': [
    '/home/ada/.config/Claude/claude_desktop_config.json',
    '/Users/ada/Library/Application Support/Claude/claude_desktop_config.json',
    'C:\\Users\\ada\\AppData\\Roaming\\Claude\\claude_desktop_config.json',
    undefined,
  ],
  cursor: [
    '/home/ada/.cursor/mcp.json',
    '/Users/ada/.cursor/mcp.json',
    'C:\\Users\\ada\\.cursor\\mcp.json',
    '/home/ada/app/.cursor/mcp.json',
  ],
  vscode: [
    '/home/ada/.config/Code/User/mcp.json',
    '/Users/ada/Library/Application Support/Code/User/mcp.json',
    'C:\\Users\\ada\\AppData\\Roaming\\Code\\User\\mcp.json',
    '/home/ada/app/.vscode/mcp.json',
  ],
  codex: [
    '/home/ada/.codex/config.toml',
    '/Users/ada/.codex/config.toml',
    'C:\\Users\\ada\\.codex\\config.toml',
    '/home/ada/app/.codex/config.toml',
  ],
  gemini: [
    '/home/ada/.gemini/settings.json',
    '/Users/ada/.gemini/settings.json',
    'C:\\Users\\ada\\.gemini\\settings.json',
    '/home/ada/app/.gemini/settings.json',
  ],
  copilot: [
    '/home/ada/.copilot/mcp-config.json',
    '/Users/ada/.copilot/mcp-config.json',
    'C:\\Users\\ada\\.copilot\\mcp-config.json',
    '/home/ada/app/.github/mcp.json',
  ],
  opencode: [
    '/home/ada/.config/opencode/opencode.json',
    '/Users/ada/.config/opencode/opencode.json',
    'C:\\Users\\ada\\.config\\opencode\\opencode.json',
    '/home/ada/app/opencode.json',
  ],
  zed: [
    '/home/ada/.config/zed/settings.json',
    '/Users/ada/.config/zed/settings.json',
    'C:\\Users\\ada\\AppData\\Roaming\\Zed\\settings.json',
    '/home/ada/app/.zed/settings.json',
  ],
  windsurf: [
    '/home/ada/.codeium/windsurf/mcp_config.json',
    '/Users/ada/.codeium/windsurf/mcp_config.json',
    'C:\\Users\\ada\\.codeium\\windsurf\\mcp_config.json',
    undefined,
  ],
}

describe.each(clientNames)('%s', (name) => {
  test('its files on three platforms', () => {
    const found = [linux, darwin, win32].map((around) => fileOf(name, 'user', around))
    expect([...found, fileOf(name, 'project', linux)]).toEqual([...paths[name]])
  })

  test.each([linux, darwin, win32])(
    'the snippet is what --write makes of an empty file ($platform)',
    (around) => {
      const launch = { command: '/opt/foot light', args: ['--headless'] }
      const file = fileOf(name, 'user', around) ?? ''
      const text = formatSnippet(name, {
        name: 'footlight',
        scope: 'user',
        launch,
        file,
        platform: around.platform,
        givenOptions: [],
      })
      const made = written(
        planAddition({ client: name, name: 'footlight', bytes: undefined }, entryOf(name, launch)),
      )
      expect(text).toContain(file)
      expect(text).toContain(made.trimEnd())
      expect(text).toContain(`footlight setup ${name} --write`)
      const { cliCommand } = clientOf(name) as { cliCommand?: unknown }
      expect(text.includes('or run')).toBe(cliCommand !== undefined)
    },
  )
})

test('the command that adds the entry adds what is printed', () => {
  const givenOptions = ['--browser', 'firefox', '--secrets', 'my secrets.env']
  const launch = { command: 'footlight', args: givenOptions }
  const text = formatSnippet('cursor', {
    name: 'stage',
    scope: 'project',
    launch,
    file: '/f',
    platform: 'linux',
    givenOptions,
  })
  expect(text).toContain(
    "footlight setup cursor --scope project --name stage --write -- --browser firefox --secrets 'my secrets.env' adds it",
  )
})

test('the folders of skills', () => {
  const skills = clientNames.map((name) => [
    name,
    skillFileOf(name, 'user', linux),
    skillFileOf(name, 'project', linux),
  ])
  const file = (folder: string) => `${folder}/skills/footlight/SKILL.md`
  expect(skills).toEqual([
    ['claude-code', file('/home/ada/.claude'), file('/home/ada/app/.claude')],
    ['claude-desktop', undefined, undefined],
    ['cursor', file('/home/ada/.cursor'), file('/home/ada/app/.cursor')],
    ['vscode', file('/home/ada/.copilot'), file('/home/ada/app/.github')],
    ['codex', file('/home/ada/.codex'), file('/home/ada/app/.agents')],
    ['gemini', file('/home/ada/.gemini'), file('/home/ada/app/.gemini')],
    ['copilot', file('/home/ada/.copilot'), file('/home/ada/app/.github')],
    ['opencode', file('/home/ada/.config/opencode'), file('/home/ada/app/.opencode')],
    ['zed', file('/home/ada/.agents'), file('/home/ada/app/.agents')],
    ['windsurf', file('/home/ada/.codeium/windsurf'), file('/home/ada/app/.windsurf')],
  ])
})

test('the skill is short, and names the page that explains the shell', () => {
  expect(countTokens(SKILL)).toBeLessThan(300)
  expect(SKILL).toContain('footlight help agent')
  expect(SKILL).toStartWith('---\nname: footlight\ndescription: ')
})

test('variables move files', () => {
  const env = { CLAUDE_CONFIG_DIR: '/c', CODEX_HOME: '/x', XDG_CONFIG_HOME: '/cfg' }
  const file = (name: ClientName) => fileOf(name, 'user', { ...linux, env })
  expect(
    ['claude-code', 'codex', 'vscode', 'opencode', 'zed'].map((name) => file(name as ClientName)),
  ).toEqual([
    '/c/.claude.json',
    '/x/config.toml',
    '/cfg/Code/User/mcp.json',
    '/cfg/opencode/opencode.json',
    '/cfg/zed/settings.json',
  ])
})

test('the entry of VS Code and Claude Code says its type', () => {
  const launch = { command: 'f', args: [] }
  const typed = clientNames.filter((name) => entryOf(name, launch)['type'] === 'stdio')
  expect(typed).toEqual(['claude-code', 'vscode'])
})

test('the entry of opencode has its command and arguments in one list, and keeps what else is there', () => {
  const entry = entryOf('opencode', { command: 'footlight', args: ['--headless'] })
  expect(entry).toEqual({ type: 'local', command: ['footlight', '--headless'], enabled: true })
  const before =
    '{\n  "$schema": "https://opencode.ai/config.json",\n  "mcp": {\n    "a": { "type": "remote", "url": "http://a" }\n  }\n}\n'
  const subject = { client: 'opencode', name: 'footlight', bytes: bytes(before) } as const
  const after = written(planAddition(subject, entry))
  expect(JSON.parse(after)).toEqual({
    $schema: 'https://opencode.ai/config.json',
    mcp: { a: { type: 'remote', url: 'http://a' }, footlight: entry },
  })
  expect(written(planRemoval({ ...subject, bytes: bytes(after) }, [bytes(before)]))).toBe(before)
})

test('the commands of the clients are quoted for the shell', () => {
  expect(joinCommand(['a', "it's", '{"a": 1}', ''], 'linux')).toBe(`a 'it'\\''s' '{"a": 1}' ''`)
  expect(joinCommand(['a', 'C:\\x y\\f.exe', '{"a":1}'], 'win32')).toBe('a "C:\\x y\\f.exe" "{\\"a\\":1}"')
})

test('the executable is named by its path, anything else by npx', () => {
  const self = { execPath: '/opt/footlight', script: '/$bunfs/root/footlight', platform: 'linux' } as const
  expect(launchOf(self, ['--headless'], true)).toEqual({ command: '/opt/footlight', args: ['--headless'] })
  expect(launchOf({ ...self, script: 'B:\\~BUN\\root\\f.exe' }, [], true).command).toBe('/opt/footlight')
  const found = { ...self, pathEntry: '/usr/bin/footlight' }
  expect(launchOf(found, [], true).command).toBe('footlight')
  expect(launchOf(found, [], false).command).toBe('/usr/bin/footlight')
  expect(launchOf({ ...found, script: '/x/footlight.mjs' }, [], true).command).toBe('npx')
  expect(launchOf({ ...self, script: '/x/footlight.mjs' }, [], true)).toEqual({
    command: 'npx',
    args: ['-y', 'footlight'],
  })
  expect(launchOf({ ...self, script: 'C:\\f.cjs', platform: 'win32' }, [], true).args.slice(0, 2)).toEqual([
    '/c',
    'npx',
  ])
})

describe('what was asked', () => {
  test('words and flags', () => {
    expect(parseSetupRequest(['cursor'])).toMatchObject({
      value: {
        client: 'cursor',
        action: 'print',
        name: 'footlight',
        scope: 'user',
        options: ['--headless', '--session-timeout', '1800000'],
      },
    })
    const all = ['zed', '--write', '--name', 'b', '--scope=project', '--', '--browser', 'firefox']
    expect(parseSetupRequest(all)).toMatchObject({
      value: { action: 'write', name: 'b', scope: 'project', givenOptions: ['--browser', 'firefox'] },
    })
    const optionsOf = (...given: string[]) => {
      const request = parseSetupRequest(['zed', '--', ...given])
      return request.ok ? request.value.options : []
    }
    expect(optionsOf('--browser', 'firefox')).toEqual([
      '--headless',
      '--browser',
      'firefox',
      '--session-timeout',
      '1800000',
    ])
    for (const given of ['--session-timeout=5', '--sessionTimeout=5', '--max-lifetime=5'])
      expect(optionsOf(given)).toEqual(['--headless', given])
    for (const given of ['--headed', '--no-headless', '--headless=false', '--headless'])
      expect(optionsOf(given)).toEqual([given, '--session-timeout', '1800000'])
    expect(optionsOf('--config=f.json')).toEqual(['--config=f.json'])
    expect(parseSetupRequest(['gemini', '--tools', '+audit'])).toMatchObject({
      error: expect.stringContaining("Footlight's own options come after --: -- --tools"),
    })
    expect(parseSetupRequest(['zed', '--dry-run', '--remove'])).toMatchObject({
      value: { action: 'remove', dryRun: true },
    })
    expect(parseSetupRequest(['zed', '--dry-run'])).toMatchObject({
      value: { action: 'write', dryRun: true },
    })
  })
  const rows: [string[], string][] = [
    [[], 'The clients are claude-code, claude-desktop'],
    [['claude'], 'Did you mean claude-code or claude-desktop?'],
    [['code'], 'vscode'],
    [['vs-code'], 'Did you mean vscode?'],
    [['windsrf'], 'Did you mean windsurf?'],
    [['emacs'], 'The clients are'],
    [['cursor', '--wirte'], 'Did you mean --write?'],
    [['cursor', 'zed'], 'unexpected argument "zed"'],
    [['cursor', '--write', '--remove'], 'cannot be combined'],
    [['cursor', '--name', 'a b'], '--name: expected letters'],
    [['cursor', '--scope', 'world'], '--scope: expected user or project'],
    [['windsurf', '--scope', 'project'], 'no project configuration file'],
  ]
  test.each(rows)('%p is refused', (raw, words) => {
    const request = parseSetupRequest(raw)
    expect(request.ok ? 'accepted' : request.error).toContain(words)
  })
  test('a name that says nothing means nothing', () => expect(findSimilarClients('--')).toEqual([]))
})

const wanted = { command: '/opt/footlight', args: ['--headless'] }
const bytes = (text: string) => new TextEncoder().encode(text)
const plain = (change: ReturnType<typeof planAddition>): FileChange => {
  if (!change.ok) throw new Error(change.error)
  return change.value
}
const written = (result: ReturnType<typeof planAddition>): string => {
  const change = plain(result)
  if (change.kind !== 'write') throw new Error(change.kind)
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(encode(change.text))
}

const families = [
  ['cursor', jsonFiles],
  ['codex', tomlFiles],
] as const
describe.each(families)('the file of %s', (client, files) => {
  const subject = (text: string) => ({ client, name: 'footlight', bytes: bytes(text) })
  describe.each(Object.entries(files))('%s', (_, [before, after]) => {
    test('is kept but for the entry', () =>
      expect(written(planAddition(subject(before), wanted))).toBe(after))
    test('needs nothing the second time', () =>
      expect(plain(planAddition(subject(after), wanted))).toEqual({ kind: 'nothing' }))
    test('is what it was, to the byte, with its backup', () =>
      expect(written(planRemoval(subject(after), [bytes('{"mcpServers": 1}'), bytes(before)]))).toBe(before))
    test('without a backup loses the entry alone', () => {
      const left = planRemoval(subject(after), [bytes(after)])
      const now = written(left)
      expect(now).not.toContain('/opt/footlight')
      const rest = (text: string) => text.replace(/"mcpServers": \{\s*\}|[\s{},\uFEFF]/g, '')
      expect(rest(now)).toBe(rest(before))
      if (before.includes('"a"') || client === 'codex') expect(now.trimEnd()).toBe(before.trimEnd())
      expect(plain(planRemoval(subject(now), []))).toEqual({ kind: 'nothing' })
    })
  })
  test('that was made for the entry goes with it', () => {
    const made = written(planAddition({ client, name: 'footlight', bytes: undefined }, wanted))
    expect(plain(planRemoval(subject(made), []))).toMatchObject({ kind: 'delete' })
    expect(plain(planRemoval({ ...subject(made), bytes: undefined }, []))).toEqual({ kind: 'nothing' })
  })
  test('that is not text', () => {
    const utf16 = new Uint8Array([0xff, 0xfe, 0x7b, 0x00])
    expect(planAddition({ client, name: 'f', bytes: utf16 }, wanted)).toMatchObject({
      error: expect.stringContaining('UTF-8'),
    })
  })
})

test.each(refused)('%s %j is left alone', (format, text, words) => {
  const client = format === 'json' ? 'cursor' : 'codex'
  const result = planAddition({ client, name: 'footlight', bytes: bytes(text) }, wanted)
  expect(result.ok ? 'changed' : result.error).toContain(words)
})

describe('an entry that is there already', () => {
  test('is brought up to date, and what else it says stays (JSON)', () => {
    const before =
      '{\n  "mcpServers": {\n    "footlight": {\n      // old\n      "command": "old",\n      "args": [],\n      "env": { "A": "1" }\n    }\n  }\n}\n'
    const after = written(planAddition({ client: 'cursor', name: 'footlight', bytes: bytes(before) }, wanted))
    expect(after).toContain('// old')
    expect(after).toContain('"env": { "A": "1" }')
    expect(JSON.parse(after.replace('// old', ''))).toEqual({
      mcpServers: { footlight: { ...wanted, env: { A: '1' } } },
    })
  })
  test('is brought up to date, and what else it says stays (TOML)', () => {
    const before =
      '[mcp_servers.footlight] # mine\nargs = [\n  "--x",\n]\ncommand = "old"\nstartup_timeout_sec = 20\n\n[mcp_servers.footlight.env]\nA = "1"\n\n# next\n[mcp_servers.b]\ncommand = "b"\n'
    const after = written(planAddition({ client: 'codex', name: 'footlight', bytes: bytes(before) }, wanted))
    expect(after).toBe(
      '[mcp_servers.footlight] # mine\ncommand = "/opt/footlight"\nargs = [ "--headless" ]\nstartup_timeout_sec = 20\n\n[mcp_servers.footlight.env]\nA = "1"\n\n# next\n[mcp_servers.b]\ncommand = "b"\n',
    )
    const gone = written(planRemoval({ client: 'codex', name: 'footlight', bytes: bytes(after) }, []))
    expect(gone).toBe('\n# next\n[mcp_servers.b]\ncommand = "b"\n')
  })
  test('made by the client itself counts as ours', () => {
    const own =
      '{"mcpServers":{"footlight":{"type":"stdio","command":"/opt/footlight","args":["--headless"],"env":{}}}}'
    expect(
      plain(
        planAddition(
          { client: 'claude-code', name: 'footlight', bytes: bytes(own) },
          { type: 'stdio', ...wanted },
        ),
      ),
    ).toEqual({ kind: 'nothing' })
  })
})

describe('any file that a program wrote', () => {
  const name = fc
    .string({ minLength: 1, maxLength: 8 })
    .filter((text) => !['__proto__', 'footlight'].includes(text))
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string(), { maxLength: 3 }))
  const settings = (key: string) =>
    fc
      .tuple(
        fc.dictionary(name, leaf, { maxKeys: 3 }),
        fc.option(fc.dictionary(name, fc.dictionary(name, leaf, { maxKeys: 2 }), { maxKeys: 3 }), {
          nil: undefined,
        }),
        fc.boolean(),
      )
      .map(([rest, servers, first]) => {
        const { [key]: _, ...others } = rest
        const own = servers && { [key]: servers }
        return first ? { ...own, ...others } : { ...others, ...own }
      })
  const both = (client: 'cursor' | 'codex', text: string, read: (text: string) => unknown, key: string) => {
    const made = written(planAddition({ client, name: 'footlight', bytes: bytes(text) }, wanted))
    expect(written(planRemoval({ client, name: 'footlight', bytes: bytes(made) }, [bytes(text)]))).toBe(text)
    const before = read(text) as Record<string, object>
    expect(read(made)).toEqual({ ...before, [key]: { ...before[key], footlight: wanted } })
    const left = read(written(planRemoval({ client, name: 'footlight', bytes: bytes(made) }, [bytes(made)])))
    expect({ [key]: {}, ...(left as object) }).toEqual({ [key]: {}, ...before })
  }
  test('JSON, however it is laid out', () =>
    fc.assert(
      fc.property(
        settings('mcpServers'),
        fc.constantFrom(undefined, 2, 4, '\t'),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (value, indent, eol, ended) => {
          const text = JSON.stringify(value, null, indent).replaceAll('\n', eol) + (ended ? eol : '')
          both('cursor', text, JSON.parse, 'mcpServers')
        },
      ),
      { numRuns: 300 },
    ))
  test('TOML', () =>
    fc.assert(
      fc.property(settings('mcp_servers'), (value) =>
        both('codex', stringify(value), (text) => JSON.parse(JSON.stringify(parse(text))), 'mcp_servers'),
      ),
      { numRuns: 300 },
    ))
})
