// mcporter's command line, one process for each call. Its daemon keeps a server on stdio; over HTTP each process connects anew.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetched } from '../install.ts'
import manifest from '../manifest.json' with { type: 'json' }
import { type Part, textPart } from '../model/api.ts'
import type { Step } from '../script.ts'
import type { Stage } from '../stage.ts'
import { type DirectClient, playSteps } from './direct-client.ts'
import { type Ending, runProgram } from './run-program.ts'

export const mcporter: DirectClient = {
  eras: ['legacy'],
  async use(stage) {
    const { project, command, url } = stage
    mkdirSync(join(project, 'config'))
    const server = url === undefined ? { command, args: ['--headless'], lifecycle: 'keep-alive' } : { url }
    const file = { mcpServers: { footlight: server } }
    writeFileSync(join(project, 'config/mcporter.json'), JSON.stringify(file))
    try {
      return await playSteps(stage, (step) => callTool(stage, step))
    } finally {
      if (url === undefined) await runMcporter(stage, ['daemon', 'stop'])
    }
  },
}

/** Runs its command line with these arguments. */
export const runMcporter = (stage: Stage, args: readonly string[]): Promise<Ending> =>
  runProgram(stage, join(fetched(manifest.mcporter), 'node_modules/mcporter/dist/cli.js'), args)

// --- internal ---

async function callTool(stage: Stage, { tool, input }: Step): Promise<Part[]> {
  const pictures = join(stage.root, 'pictures')
  const args = ['--args', JSON.stringify(input), '--output', 'text', '--save-images', pictures]
  const { stdout, stderr } = await runMcporter(stage, ['call', `footlight.${tool}`, ...args])
  return [textPart(stdout || stderr), ...takeImages(pictures)]
}

function takeImages(folder: string): Part[] {
  mkdirSync(folder, { recursive: true })
  const parts = readdirSync(folder).map((name): Part => ({
    type: 'image',
    mimeType: 'image/png',
    bytes: readFileSync(join(folder, name)),
  }))
  rmSync(folder, { recursive: true })
  return parts
}
