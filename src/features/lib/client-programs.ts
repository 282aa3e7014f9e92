// By what the processes of the clients are known.

interface ClientProgram {
  readonly executables: readonly string[]
  /** On npm, where a runtime of JavaScript runs it. */
  readonly package?: string
  /** The bundle of macOS. */
  readonly app?: string
}

const clientPrograms = {
  'claude-code': { executables: ['claude'], package: '@anthropic-ai/claude-code' },
  'claude-desktop': { executables: ['claude-desktop'], app: 'Claude' },
  cursor: { executables: ['cursor', 'cursor-agent'], app: 'Cursor' },
  vscode: { executables: ['code', 'code-insiders', 'code-server'], app: 'Visual Studio Code' },
  codex: { executables: ['codex'], package: '@openai/codex' },
  gemini: { executables: ['gemini'], package: '@google/gemini-cli' },
  copilot: { executables: ['copilot'], package: '@github/copilot' },
  opencode: { executables: ['opencode'], package: 'opencode-ai' },
  zed: { executables: ['zed', 'zed-editor'], app: 'Zed' },
  windsurf: { executables: ['windsurf'], app: 'Windsurf' },
} as const satisfies Readonly<Record<string, ClientProgram>>

export type ClientName = keyof typeof clientPrograms

const programs: readonly ClientProgram[] = Object.values(clientPrograms)
const RUNTIME = /^(node|bun|deno|MainThread)$/

/** Whether a process is one of a client, by its name and its command line. */
export function isClientProgram(name: string, words: readonly string[]): boolean {
  const program = programNameOf(name)
  const script = RUNTIME.test(program) ? (words.slice(1).find((word) => !word.startsWith('-')) ?? '') : ''
  const path = script.replaceAll('\\', '/')
  const line = words.join(' ')
  return programs.some(
    ({ executables, package: packageName, app }) =>
      executables.some((one) => one === program || (script !== '' && one === programNameOf(path))) ||
      (packageName !== undefined && path.includes(`/node_modules/${packageName}/`)) ||
      (app !== undefined && line.includes(`/${app}.app/Contents/`)),
  )
}

const programNameOf = (path: string): string => path.replace(/^.*\//, '').replace(/\.(exe|cmd|[cm]?js)$/, '')
