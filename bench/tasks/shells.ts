// The shells that are compared, each as its skill advises. All have the same browser and the same working directory, and one set of variables.

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import process from 'node:process'
import { countTokens } from 'gpt-tokenizer'
import { binary } from '../../test/support/client.ts'
import {
  createAgentBrowserBatchShellDriver,
  createAgentBrowserDeltaShellDriver,
  createAgentBrowserShellDriver,
  createDevtoolsShellDriver,
  createFootlightShellDriver,
  createPlaywrightCliDriver,
  createPlaywrightCliRawDriver,
} from './drivers/shells.ts'
import type { Contender } from './run.ts'

interface Shell extends Contender {
  /** Tokens of what an agent reads before the first command. */
  readonly guideTokens: number
}

export interface Shells {
  readonly shells: readonly Shell[]
  readonly env: Readonly<Record<string, string>>
  /** Ends the servers that the commands have left. */
  end(): void
}

export const PLAYWRIGHT_CLI = '@playwright/cli@0.1.22'

/** `packages` is the folder with the packages of the peers. */
export function prepareShells(packages: string, executablePath: string, cwd: string): Shells {
  const modules = join(packages, 'node_modules')
  const env = prepareEnvironment(modules, executablePath, cwd)
  const run = (command: string) => {
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
      cwd,
      env: { ...process.env, ...env },
      encoding: 'utf8',
      timeout: 60_000,
    })
    if (status !== 0) throw new Error(`${command}: ${stdout}${stderr}`)
    return stdout
  }
  const skill = (path: string) => readFileSync(join(modules, path, 'SKILL.md'), 'utf8')
  const sandbox = isRoot ? '--chromeArg=--no-sandbox' : ''
  run(`chrome-devtools start --executablePath ${executablePath} ${sandbox} --no-usage-statistics`)
  const playwrightGuide = skill('@playwright/cli/skills/playwright-cli')
  const agentBrowserGuide = skill('agent-browser/skills/agent-browser') + run('agent-browser skills get core')
  const shells = [
    ['footlight', createFootlightShellDriver, run('footlight skill; footlight help agent')],
    ['playwright-cli', createPlaywrightCliDriver, playwrightGuide],
    ['playwright-cli --raw', createPlaywrightCliRawDriver, playwrightGuide],
    ['agent-browser', createAgentBrowserShellDriver, agentBrowserGuide],
    ['agent-browser --delta', createAgentBrowserDeltaShellDriver, agentBrowserGuide],
    ['agent-browser batch', createAgentBrowserBatchShellDriver, agentBrowserGuide],
    ['chrome-devtools', createDevtoolsShellDriver, skill('chrome-devtools-mcp/skills/chrome-devtools-cli')],
  ] as const
  return {
    shells: shells.map(([name, createDriver, guide]) => ({
      name,
      createDriver,
      guideTokens: countTokens(guide),
    })),
    env,
    end: () => void END_COMMANDS.map(run),
  }
}

// --- internal ---

const END_COMMANDS = [
  'footlight daemon stop --all',
  'playwright-cli close-all',
  'agent-browser close --all',
  'chrome-devtools stop',
]

const isRoot = process.getuid?.() === 0

/** The programs on the path, and a home of their own for what they keep. */
function prepareEnvironment(modules: string, executablePath: string, cwd: string) {
  const [programs, home] = [join(cwd, '.programs'), join(cwd, '.home')]
  for (const folder of [programs, home]) mkdirSync(folder, { mode: 0o700 })
  const agentBrowser = join(modules, `agent-browser/bin/agent-browser-${process.platform}-${process.arch}`)
  // Its install script would do this; no script of a package runs here.
  chmodSync(agentBrowser, 0o755)
  symlinkSync(agentBrowser, join(programs, 'agent-browser'))
  symlinkSync(binary, join(programs, 'footlight'))
  return {
    PATH: [programs, join(modules, '.bin'), process.env['PATH']].join(delimiter),
    HOME: home,
    XDG_RUNTIME_DIR: home,
    FOOTLIGHT_EXECUTABLE_PATH: executablePath,
    // The measuring process is the agent.
    FOOTLIGHT_AGENT: 'bench',
    PLAYWRIGHT_MCP_EXECUTABLE_PATH: executablePath,
    AGENT_BROWSER_EXECUTABLE_PATH: executablePath,
    // Its guide advises the option --session on each command instead, which costs tokens.
    AGENT_BROWSER_SESSION: 'bench',
    ...(isRoot && { PLAYWRIGHT_MCP_SANDBOX: 'false', AGENT_BROWSER_ARGS: '--no-sandbox' }),
  }
}
