// The clients that footlight can be added to: where each keeps its servers, under which key, and its own command for it.
// Everything that depends on the machine comes in as a value, so the table holds for all three platforms at once.

import { posix, win32 } from 'node:path'
import { json, line } from './words.ts'

export type Scope = 'user' | 'project'

export interface Around {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The project that `--scope project` means. */
  readonly cwd: string
}

/** What a client starts: a program and its arguments. */
export interface Launch {
  readonly command: string
  readonly args: readonly string[]
}

export interface Client {
  readonly title: string
  readonly format: 'json' | 'toml'
  /** The key that holds the servers, by name. */
  readonly key: string
  /** Whether an entry says that it is a program on stdio. */
  readonly typed?: true
  readonly files: {
    readonly user: (around: Places) => string
    readonly project?: (around: Places) => string
  }
  /** The client's own command that does the same as `--write`. */
  readonly own?: (name: string, launch: Launch, scope: Scope, platform: NodeJS.Platform) => string
  /** What to do so that the client sees the change. */
  readonly then: string
}

interface Places {
  readonly home: (...parts: string[]) => string
  readonly project: (...parts: string[]) => string
  /** Where applications keep their settings on this platform. */
  readonly settings: (...parts: string[]) => string
  readonly env: (name: string) => string | undefined
  readonly join: (...parts: string[]) => string
  readonly platform: NodeJS.Platform
}

const restart = 'Start it again to see the tools.'

export const clients = {
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    key: 'mcpServers',
    typed: true,
    files: {
      user: ({ env, home, join }) => join(env('CLAUDE_CONFIG_DIR') ?? home(), '.claude.json'),
      project: ({ project }) => project('.mcp.json'),
    },
    own: (name, { command, args }, scope, platform) =>
      line(['claude', 'mcp', 'add', '--scope', scope, name, '--', command, ...args], platform),
    then: 'Start a new session; /mcp shows it.',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    format: 'json',
    key: 'mcpServers',
    files: { user: ({ settings }) => settings('Claude', 'claude_desktop_config.json') },
    then: `Quit it and ${restart.toLowerCase()}`,
  },
  cursor: {
    title: 'Cursor',
    format: 'json',
    key: 'mcpServers',
    files: {
      user: ({ home }) => home('.cursor', 'mcp.json'),
      project: ({ project }) => project('.cursor', 'mcp.json'),
    },
    then: 'Its settings list the server under MCP.',
  },
  vscode: {
    title: 'VS Code',
    format: 'json',
    key: 'servers',
    typed: true,
    files: {
      user: ({ settings }) => settings('Code', 'User', 'mcp.json'),
      project: ({ project }) => project('.vscode', 'mcp.json'),
    },
    own: (name, launch, scope, platform) =>
      scope === 'user' ? line(['code', '--add-mcp', json({ name, ...launch })], platform) : '',
    then: 'The command "MCP: List Servers" starts it.',
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    key: 'mcp_servers',
    files: {
      user: ({ env, home, join }) => join(env('CODEX_HOME') ?? home('.codex'), 'config.toml'),
      project: ({ project }) => project('.codex', 'config.toml'),
    },
    own: (name, { command, args }, scope, platform) =>
      scope === 'user' ? line(['codex', 'mcp', 'add', name, '--', command, ...args], platform) : '',
    then: 'Start a new session; /mcp shows it. A file in a project counts only where Codex trusts the project.',
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'json',
    key: 'mcpServers',
    files: {
      user: ({ home }) => home('.gemini', 'settings.json'),
      project: ({ project }) => project('.gemini', 'settings.json'),
    },
    own: (name, { command, args }, scope, platform) =>
      line(['gemini', 'mcp', 'add', '--scope', scope, name, command, ...args], platform),
    then: 'Start a new session; /mcp shows it.',
  },
  zed: {
    title: 'Zed',
    format: 'json',
    key: 'context_servers',
    files: {
      user: ({ settings, home, env, join, platform }) =>
        platform === 'win32'
          ? settings('Zed', 'settings.json')
          : join(env('XDG_CONFIG_HOME') ?? home('.config'), 'zed', 'settings.json'),
      project: ({ project }) => project('.zed', 'settings.json'),
    },
    then: 'The settings of its agent panel list the server.',
  },
  windsurf: {
    title: 'Windsurf',
    format: 'json',
    key: 'mcpServers',
    files: { user: ({ home }) => home('.codeium', 'windsurf', 'mcp_config.json') },
    then: 'Refresh the servers in its Cascade panel.',
  },
} as const satisfies Record<string, Client>

export type ClientName = keyof typeof clients

export const clientNames = Object.keys(clients) as ClientName[]

export const clientOf = (name: ClientName): Client => clients[name]

/** The absolute path of the client's file, or undefined where it has none of that scope. */
export function fileOf(name: ClientName, scope: Scope, around: Around): string | undefined {
  const { files } = clientOf(name)
  return files[scope]?.(placesOf(around))
}

/** The entry as it stands in a file. */
export const entryOf = (name: ClientName, { command, args }: Launch): Record<string, unknown> => ({
  ...(clientOf(name).typed && { type: 'stdio' }),
  command,
  args: [...args],
})

/** The clients that a name may have meant: those that contain it or are contained in it. */
export function meant(given: string): ClientName[] {
  const fold = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const wanted = fold(given)
  return wanted === ''
    ? []
    : clientNames.filter((name) => fold(name).includes(wanted) || wanted.includes(fold(name)))
}

function placesOf({ platform, env, home, cwd }: Around): Places {
  const { join } = platform === 'win32' ? win32 : posix
  const set = (name: string) => env[name] || undefined
  const applications = {
    win32: set('APPDATA') ?? join(home, 'AppData', 'Roaming'),
    darwin: join(home, 'Library', 'Application Support'),
  }
  const folder =
    platform === 'win32' || platform === 'darwin'
      ? applications[platform]
      : (set('XDG_CONFIG_HOME') ?? join(home, '.config'))
  return {
    join,
    platform,
    env: set,
    home: (...parts) => join(home, ...parts),
    project: (...parts) => join(cwd, ...parts),
    settings: (...parts) => join(folder, ...parts),
  }
}
