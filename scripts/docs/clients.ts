// docs/clients.md: how each client is given Footlight, from the table of `footlight setup`.

import type { ClientName } from '../../src/features/lib/client-programs.ts'
import {
  clientNames,
  clientOf,
  entryOf,
  fileOf,
  hookFileOf,
  type Scope,
  skillFileOf,
} from '../../src/features/setup/clients.ts'
import { jsonFormat } from '../../src/features/setup/json-format.ts'
import { parseSetupRequest } from '../../src/features/setup/setup-request.ts'
import { tomlFormat } from '../../src/features/setup/toml-format.ts'
import { fenced } from './markdown.ts'

const SERVER_NAME = 'footlight'

const platforms = {
  Linux: { platform: 'linux', home: '~', env: {} },
  macOS: { platform: 'darwin', home: '~', env: {} },
  Windows: { platform: 'win32', home: '%USERPROFILE%', env: { APPDATA: '%APPDATA%' } },
} as const

export const clientsPage = (): string =>
  [
    '# Connect a client',
    '`footlight setup NAME` prints what to add where; with `--write` it adds it, keeps the rest of the file with its comments, and leaves a backup beside it. `--remove` takes it out again, `--scope project` writes the file of the project in the current folder instead, `--name` gives the server another name, and options of Footlight follow `--`: `footlight setup cursor --write -- --browser firefox`. `footlight doctor` lists the clients that have it.',
    '`--skill` installs a [skill](shell.md) instead of the server: the agent then uses Footlight from its shell. `--skill --write` installs both, `--remove` removes both.',
    '`--verify` adds a hook, by which the client asks [whether what was changed has run](verify.md#in-the-client-of-the-agent) before its agent stops. `--verify --write` adds both, `--remove` removes both.',
    'To check that it works, ask the agent to open a page, or list the tools of its MCP servers: Footlight has `create_session`, `navigate`, `snapshot` and more. A client that starts commands itself needs only this one: `footlight --headless`. One that connects to a URL: start `footlight --headless --http 3000`, and give it `http://127.0.0.1:3000/mcp` ([HTTP](http.md)).',
    'There is no window where there is no display, in the shell, and with `footlight setup`; `--headed` opens one: `footlight setup cursor --write -- --headed`. A session ends five minutes after its last call; `footlight setup` writes 30 minutes (`--session-timeout`). `--tools` says which tools are listed: `default`, `all`, or `+NAME` for one more; the others are called through `steps`.',
    'Which versions of which clients were run is in [tested clients](project/tested-clients.md).',
    ...clientNames.map(clientSection),
    linkSection(),
  ].join('\n\n')

/** Links that a client installs the server by. They start the npm package, which the first release brings. */
function linkSection(): string {
  const request = parseSetupRequest(['cursor'])
  if (!request.ok) throw new Error(request.error)
  const launch = { command: 'npx', args: ['-y', SERVER_NAME, ...request.value.options] }
  const cursor = `https://cursor.com/en/install-mcp?name=${SERVER_NAME}&config=${encodeURIComponent(btoa(JSON.stringify(launch)))}`
  const code = encodeURIComponent(JSON.stringify({ name: SERVER_NAME, ...launch }))
  return [
    '## Links',
    'After the first release a click installs the server, with the npm package:',
    `- [Install in VS Code](https://insiders.vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${code}`)})`,
    `- [Install in Cursor](${cursor})`,
    `In a terminal: \`code --add-mcp '${JSON.stringify({ name: SERVER_NAME, ...launch })}'\`. Plugins of Claude Code, Codex, Copilot CLI and Gemini CLI: [publishing](project/publishing.md#plugins).`,
  ].join('\n\n')
}

function clientSection(name: ClientName): string {
  const { title, format, key, cliCommand, nextStep } = clientOf(name)
  const request = parseSetupRequest([name])
  if (!request.ok) throw new Error(request.error)
  const launch = { command: SERVER_NAME, args: request.value.options }
  const added = (format === 'toml' ? tomlFormat : jsonFormat).put(
    '',
    { key, name: SERVER_NAME },
    entryOf(name, launch),
  )
  if (!added.ok) throw new Error(added.error)
  const ownCommand = cliCommand?.(SERVER_NAME, launch, 'user', 'linux')
  return [
    `## ${title}`,
    fenced('sh', `footlight setup ${name} --write     # to remove it: footlight setup ${name} --remove`),
    `It writes this to ${describeFiles(name)}:`,
    fenced(format, added.value),
    ...(ownCommand ? [`The client's own command does the same: \`${ownCommand}\`.`] : []),
    nextStep,
    ...describeSkill(name),
    ...describeHook(name),
  ].join('\n\n')
}

function describeSkill(name: ClientName): readonly string[] {
  const [user, project] = (['user', 'project'] as const).map((scope) =>
    skillFileOf(name, scope, { ...platforms.Linux, cwd: '.' }),
  )
  return user && project
    ? [
        `Its skill (\`footlight setup ${name} --skill\`): \`${user}\`, or with \`--scope project\` \`${project}\`.`,
      ]
    : []
}

function describeHook(name: ClientName): readonly string[] {
  const [user, project] = (['user', 'project'] as const).map((scope) =>
    hookFileOf(name, scope, { ...platforms.Linux, cwd: '.' }),
  )
  return user && project
    ? [
        `Its hook for an agent that is about to stop (\`footlight setup ${name} --verify\`): \`${user}\`, or with \`--scope project\` \`${project}\`.`,
      ]
    : []
}

function describeFiles(name: ClientName): string {
  const project = fileIn(name, 'project', 'Linux')
  const paths = new Map<string, string[]>()
  for (const system of Object.keys(platforms) as (keyof typeof platforms)[]) {
    const path = fileIn(name, 'user', system)!
    const same = system === 'Windows' ? path.replace('%USERPROFILE%', '~').replaceAll('\\', '/') : path
    const known = paths.has(same) ? same : path
    paths.set(known, [...(paths.get(known) ?? []), system])
  }
  const users =
    paths.size === 1
      ? `\`${[...paths.keys()].join('')}\``
      : [...paths].map(([path, systems]) => `\`${path}\` (${systems.join(', ')})`).join(', ')
  return project ? `${users}, or with \`--scope project\` to \`${project}\`` : users
}

/** The path as a person writes it, with the folder of the user or below that of the project. */
function fileIn(name: ClientName, scope: Scope, system: keyof typeof platforms): string | undefined {
  const cwd = '.'
  return fileOf(name, scope, { ...platforms[system], cwd })
}
