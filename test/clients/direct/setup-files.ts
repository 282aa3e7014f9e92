// The files that `footlight setup` writes for clients which npm does not have, read by programs that know their formats: mcporter looks for
// those of Cursor, VS Code and Windsurf where these clients do, and the Inspector reads a file like that of Claude Desktop.

import { join } from 'node:path'
import { configure, endProcessesOf } from '../agents/run.ts'
import { fetched } from '../install.ts'
import manifest from '../manifest.json' with { type: 'json' }
import { onStage, type Stage } from '../stage.ts'
import { runMcporter } from './mcporter.ts'
import { type Ending, runProgram } from './run-program.ts'

const readWithMcporter = (stage: Stage): Promise<Ending> =>
  runMcporter(stage, ['call', 'footlight.list_sessions', '--output', 'json'])

const readWithInspector =
  (...path: string[]) =>
  (stage: Stage): Promise<Ending> => {
    const script = join(fetched(manifest.inspector), 'node_modules/.bin/mcp-inspector')
    const file = ['--config', join(stage.env.HOME, ...path), '--server', 'footlight']
    const call = ['--method', 'tools/call', '--tool-name', 'list_sessions']
    return runProgram(stage, script, ['--cli', ...file, ...call])
  }

const readers = [
  ['cursor', 'user', readWithMcporter],
  ['cursor', 'project', readWithMcporter],
  ['vscode', 'user', readWithMcporter],
  ['vscode', 'project', readWithMcporter],
  ['windsurf', 'user', readWithMcporter],
  ['claude-desktop', 'user', readWithInspector('.config/Claude/claude_desktop_config.json')],
] as const

/** Sets each client up and has its file read, and a tool called; the problems. */
export async function checkSetupFiles(): Promise<readonly string[]> {
  const problems: string[] = []
  for (const [client, scope, read] of readers) {
    const problem = await onStage('stdio', async (stage) => {
      configure(client, scope, stage)
      const { status, stdout, stderr } = await read(stage)
      const left = await endProcessesOf(stage.env.HOME)
      if (left.length > 0) return `left running: ${left.join(', ')}`
      return status === 0 && stdout.includes('"sessions"') ? undefined : `${stdout}${stderr}`
    })
    if (problem !== undefined) problems.push(`${client}, ${scope}: ${problem}`)
  }
  return problems
}
