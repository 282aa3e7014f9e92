// The clients that footlight can be added to: where each keeps its servers, under which key, and its own command for it.
// Everything that depends on the machine comes in as a value, so the table holds for all three platforms at once.

import { posix, win32 } from 'node:path'
import { joinCommand, toJson } from '../../core/cli/terminal/quote-command.ts'
import type { Launch } from '../../core/cli/terminal/start-command.ts'
import type { ClientName } from '../lib/client-programs.ts'

export type Scope = 'user' | 'project'

interface Client {
  readonly title: string
  readonly format: 'json' | 'toml'
  /** The key that holds the servers, by name. */
  readonly key: string
  /** Whether an entry says that it is a program on stdio. */
  readonly hasType?: true
  /** Its own form of an entry, where it is another one than a command with its args. */
  readonly entry?: (launch: Launch) => Record<string, unknown>
  /** Whether it is a desktop program, which need not have the PATH of a shell. */
  readonly isDesktop?: true
  readonly files: {
    readonly user: (environment: ClientFolders) => string
    readonly project?: (environment: ClientFolders) => string
  }
  /** The folder of its skills, if it has skills. */
  readonly skills?: Readonly<Record<Scope, (environment: ClientFolders) => string>>
  /** Its hook for an agent that is about to stop. */
  readonly stopHook?: StopHook
  /** The client's own command that does the same as `--write`. */
  readonly cliCommand?: (name: string, launch: Launch, scope: Scope, platform: NodeJS.Platform) => string
  /** What to do so that the client sees the change. */
  readonly nextStep: string
}

interface StopHook {
  readonly event: string
  readonly files: Readonly<Record<Scope, (environment: ClientFolders) => string>>
  /** The version of the file's form, where it says one. */
  readonly version?: number
  /** An entry of the list of the event. */
  readonly entry: (command: string) => Record<string, unknown>
  readonly nextStep: string
}

/** Longer than the hook ever takes. */
const HOOK_TIMEOUT_SECONDS = 5

const hookCommand = (command: string, timeout = HOOK_TIMEOUT_SECONDS) => ({
  type: 'command',
  command,
  timeout,
})

const restart = 'Start it again to see the tools.'

/** In this folder of the project, and of the home of the user, where a variable may name another folder. */
const inBoth = (folder: string, name: string, variable?: string) => ({
  user: ({ env, home, join }: ClientFolders) =>
    join((variable === undefined ? undefined : env(variable)) ?? home(folder), name),
  project: ({ project }: ClientFolders) => project(folder, name),
})

const clients = {
  'claude-code': {
    title: 'Claude Code',
    format: 'json',
    key: 'mcpServers',
    hasType: true,
    files: {
      user: ({ env, home, join }) => join(env('CLAUDE_CONFIG_DIR') ?? home(), '.claude.json'),
      project: ({ project }) => project('.mcp.json'),
    },
    skills: inBoth('.claude', 'skills', 'CLAUDE_CONFIG_DIR'),
    stopHook: {
      event: 'Stop',
      files: inBoth('.claude', 'settings.json', 'CLAUDE_CONFIG_DIR'),
      entry: (command) => ({ hooks: [hookCommand(command)] }),
      nextStep: '/hooks shows it.',
    },
    cliCommand: (name, { command, args }, scope, platform) =>
      joinCommand(['claude', 'mcp', 'add', '--scope', scope, name, '--', command, ...args], platform),
    nextStep: 'Start a new session; /mcp shows it. Servers in a project file need your approval there.',
  },
  'claude-desktop': {
    title: 'Claude Desktop',
    isDesktop: true,
    format: 'json',
    key: 'mcpServers',
    files: { user: ({ settings }) => settings('Claude', 'claude_desktop_config.json') },
    nextStep: `Quit it and ${restart.toLowerCase()}`,
  },
  cursor: {
    title: 'Cursor',
    isDesktop: true,
    format: 'json',
    key: 'mcpServers',
    files: inBoth('.cursor', 'mcp.json'),
    skills: inBoth('.cursor', 'skills'),
    stopHook: {
      event: 'stop',
      files: inBoth('.cursor', 'hooks.json'),
      version: 1,
      entry: (command) => ({ command, timeout: HOOK_TIMEOUT_SECONDS, loop_limit: 1 }),
      nextStep: 'Its settings list it under Hooks.',
    },
    nextStep: 'Its settings list the server under MCP.',
  },
  vscode: {
    title: 'VS Code',
    isDesktop: true,
    format: 'json',
    key: 'servers',
    hasType: true,
    files: {
      user: ({ settings }) => settings('Code', 'User', 'mcp.json'),
      project: ({ project }) => project('.vscode', 'mcp.json'),
    },
    skills: {
      user: ({ home }) => home('.copilot', 'skills'),
      project: ({ project }) => project('.github', 'skills'),
    },
    cliCommand: (name, launch, scope, platform) =>
      scope === 'user' ? joinCommand(['code', '--add-mcp', toJson({ name, ...launch })], platform) : '',
    nextStep: 'The command "MCP: List Servers" starts it.',
  },
  codex: {
    title: 'Codex',
    format: 'toml',
    key: 'mcp_servers',
    files: inBoth('.codex', 'config.toml', 'CODEX_HOME'),
    skills: {
      user: ({ env, home, join }) => join(env('CODEX_HOME') ?? home('.codex'), 'skills'),
      project: ({ project }) => project('.agents', 'skills'),
    },
    stopHook: {
      event: 'Stop',
      files: inBoth('.codex', 'hooks.json', 'CODEX_HOME'),
      entry: (command) => ({ hooks: [hookCommand(command)] }),
      nextStep: 'Codex runs it once you trust it: /hooks.',
    },
    cliCommand: (name, { command, args }, scope, platform) =>
      scope === 'user' ? joinCommand(['codex', 'mcp', 'add', name, '--', command, ...args], platform) : '',
    nextStep: 'Start a new session; /mcp shows it. A project file is used only if Codex trusts the project.',
  },
  gemini: {
    title: 'Gemini CLI',
    format: 'json',
    key: 'mcpServers',
    files: inBoth('.gemini', 'settings.json'),
    skills: inBoth('.gemini', 'skills'),
    stopHook: {
      event: 'AfterAgent',
      files: inBoth('.gemini', 'settings.json'),
      entry: (command) => ({ hooks: [hookCommand(command, HOOK_TIMEOUT_SECONDS * 1000)] }),
      nextStep: '/hooks shows it.',
    },
    cliCommand: (name, { command, args }, scope, platform) =>
      joinCommand(['gemini', 'mcp', 'add', '--scope', scope, name, command, ...args], platform),
    nextStep: 'Start a new session; /mcp shows it. Gemini CLI starts servers only in trusted folders.',
  },
  copilot: {
    title: 'Copilot CLI',
    format: 'json',
    key: 'mcpServers',
    entry: ({ command, args }) => ({ type: 'local', command, args: [...args], tools: ['*'] }),
    files: {
      user: ({ env, home, join }) => join(env('COPILOT_HOME') ?? home('.copilot'), 'mcp-config.json'),
      project: ({ project }) => project('.github', 'mcp.json'),
    },
    skills: {
      user: ({ env, home, join }) => join(env('COPILOT_HOME') ?? home('.copilot'), 'skills'),
      project: ({ project }) => project('.github', 'skills'),
    },
    // With this name of the event VS Code runs it too.
    stopHook: {
      event: 'Stop',
      files: {
        user: ({ env, home, join }) =>
          join(env('COPILOT_HOME') ?? home('.copilot'), 'hooks', 'footlight.json'),
        project: ({ project }) => project('.github', 'hooks', 'footlight.json'),
      },
      version: 1,
      entry: (command) => hookCommand(command),
      nextStep: 'VS Code runs it too.',
    },
    nextStep: 'Start a new session; /mcp show lists it.',
  },
  // The format of its version 1.
  opencode: {
    title: 'opencode',
    format: 'json',
    key: 'mcp',
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
    files: {
      user: ({ env, home, join }) =>
        join(env('XDG_CONFIG_HOME') ?? home('.config'), 'opencode', 'opencode.json'),
      project: ({ project }) => project('opencode.json'),
    },
    skills: {
      user: ({ env, home, join }) => join(env('XDG_CONFIG_HOME') ?? home('.config'), 'opencode', 'skills'),
      project: ({ project }) => project('.opencode', 'skills'),
    },
    nextStep: `${restart} "opencode mcp list" shows it.`,
  },
  zed: {
    title: 'Zed',
    isDesktop: true,
    format: 'json',
    key: 'context_servers',
    files: {
      user: ({ settings, home, env, join, platform }) =>
        platform === 'win32'
          ? settings('Zed', 'settings.json')
          : join(env('XDG_CONFIG_HOME') ?? home('.config'), 'zed', 'settings.json'),
      project: ({ project }) => project('.zed', 'settings.json'),
    },
    skills: inBoth('.agents', 'skills'),
    nextStep: 'The settings of its agent panel list the server.',
  },
  windsurf: {
    title: 'Windsurf',
    isDesktop: true,
    format: 'json',
    key: 'mcpServers',
    files: { user: ({ home }) => home('.codeium', 'windsurf', 'mcp_config.json') },
    skills: {
      user: ({ home }) => home('.codeium', 'windsurf', 'skills'),
      project: ({ project }) => project('.windsurf', 'skills'),
    },
    nextStep: 'Refresh the servers in its Cascade panel.',
  },
} as const satisfies Record<ClientName, Client>

export const clientNames = Object.keys(clients) as ClientName[]

export const clientOf = (name: ClientName): Client => clients[name]

/** The absolute path of the client's file, or undefined where it has none of that scope. */
export function fileOf(name: ClientName, scope: Scope, environment: ClientEnvironment): string | undefined {
  const { files } = clientOf(name)
  return files[scope]?.(foldersOf(environment))
}

/** The absolute path of the skill of footlight, or undefined where the client has no skills. */
export function skillFileOf(
  name: ClientName,
  scope: Scope,
  environment: ClientEnvironment,
): string | undefined {
  const folders = foldersOf(environment)
  const folder = clientOf(name).skills?.[scope](folders)
  return folder && folders.join(folder, 'footlight', 'SKILL.md')
}

/** The absolute path of the file with the hook for an agent that is about to stop, or undefined where the client has none. */
export const hookFileOf = (
  name: ClientName,
  scope: Scope,
  environment: ClientEnvironment,
): string | undefined => clientOf(name).stopHook?.files[scope](foldersOf(environment))

/** The entry as it stands in a file. */
export function entryOf(name: ClientName, launch: Launch): Record<string, unknown> {
  const { hasType, entry } = clientOf(name)
  if (entry) return entry(launch)
  return { ...(hasType && { type: 'stdio' }), command: launch.command, args: [...launch.args] }
}

/** The clients that a name may have meant: those that contain it or are contained in it. */
export function findSimilarClients(input: string): ClientName[] {
  const fold = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '')
  const foldedInput = fold(input)
  return foldedInput === ''
    ? []
    : clientNames.filter((name) => fold(name).includes(foldedInput) || foldedInput.includes(fold(name)))
}

// --- internal ---

// The folders that clients keep their files in, on each platform.
interface ClientEnvironment {
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  /** The project that `--scope project` means. */
  readonly cwd: string
}

interface ClientFolders {
  readonly home: (...parts: string[]) => string
  readonly project: (...parts: string[]) => string
  /** Where applications keep their settings on this platform. */
  readonly settings: (...parts: string[]) => string
  readonly env: (name: string) => string | undefined
  readonly join: (...parts: string[]) => string
  readonly platform: NodeJS.Platform
}

function foldersOf({ platform, env, home, cwd }: ClientEnvironment): ClientFolders {
  const { join } = platform === 'win32' ? win32 : posix
  const variable = (name: string) => env[name] || undefined
  const applications = {
    win32: variable('APPDATA') ?? join(home, 'AppData', 'Roaming'),
    darwin: join(home, 'Library', 'Application Support'),
  }
  const folder =
    platform === 'win32' || platform === 'darwin'
      ? applications[platform]
      : (variable('XDG_CONFIG_HOME') ?? join(home, '.config'))
  return {
    join,
    platform,
    env: variable,
    home: (...parts) => join(home, ...parts),
    project: (...parts) => join(cwd, ...parts),
    settings: (...parts) => join(folder, ...parts),
  }
}
