// The official Inspector's command line: each of its processes sends one request, so over stdio one call of `steps` does it all, and over
// HTTP the session is found by its id.

import { join } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/client'
import type { Era } from '../../../src/core/mcp/calls/era.ts'
import { fetched } from '../install.ts'
import manifest from '../manifest.json' with { type: 'json' }
import { type Step, stepsFor } from '../script.ts'
import type { Stage } from '../stage.ts'
import { type DirectClient, partsOf, playSteps } from './direct-client.ts'
import { runProgram } from './run-program.ts'

export const inspector: DirectClient = {
  eras: ['legacy', 'modern'],
  async use(stage, era) {
    return stage.url === undefined
      ? await useStdio(stage, era)
      : await playSteps(stage, async (step) => partsOf(await inspect(stage, era, step)))
  },
}

// --- internal ---

async function useStdio(stage: Stage, era: Era): Promise<string[]> {
  const { create, open, snapshot, click, missing } = stepsFor(stage.site.url)
  const calls = [create, open, snapshot, click, missing].map(({ tool, input }) => {
    const { sessionId: _, ...fields } = input as Record<string, unknown>
    return { tool, ...fields }
  })
  const result = await inspect(stage, era, { tool: 'steps', input: { calls } })
  const { steps, errorCode, evidence } = (result.structuredContent ?? {}) as Data
  const problems: string[] = []
  if (errorCode !== 'ELEMENT_NOT_FOUND' || steps?.length !== calls.length)
    problems.push(`steps: ${JSON.stringify(result)}`)
  if (!stage.site.hits.includes('/ordered')) problems.push('the click had no effect')
  if (!evidence?.screenshot?.path) problems.push('no picture of the failure')
  return problems
}

interface Data {
  readonly errorCode?: string
  readonly steps?: readonly string[]
  readonly evidence?: { readonly screenshot?: { readonly path?: string } }
}

async function inspect(stage: Stage, era: Era, { tool, input }: Step): Promise<CallToolResult> {
  const { command, url } = stage
  const script = join(fetched(manifest.inspector), 'node_modules/.bin/mcp-inspector')
  const target = url === undefined ? [command, '--headless'] : [url]
  const pairs = Object.entries(input).map(
    ([field, value]) => `${field}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const args = [
    '--cli',
    ...target,
    ...['--protocol-era', era, '--method', 'tools/call', '--tool-name', tool],
    ...(pairs.length > 0 ? ['--tool-arg', ...pairs] : []),
  ]
  const { stdout, stderr } = await runProgram(stage, script, args)
  // After the result of a failing call it prints a line of its own.
  const end = stdout.lastIndexOf('\n}')
  if (end < 0) throw new Error(`inspector ${tool}: ${stdout.slice(-500)}${stderr.slice(-1000)}`)
  return JSON.parse(stdout.slice(0, end + 2)) as CallToolResult
}
