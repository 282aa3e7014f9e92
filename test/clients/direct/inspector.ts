// The official Inspector's command line in both eras, over stdio and HTTP: it needs no model. Each of its processes sends one request, so
// over stdio one call of `steps` does it all, and over HTTP the session is found by its id.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fetched } from './install.ts'
import manifest from './manifest.json' with { type: 'json' }
import { binary } from '../support/client.ts'
import { serveOverHttp } from '../support/http.ts'

const PROCESS_TIMEOUT_MS = 60_000
const eras = ['legacy', 'modern'] as const
type Era = (typeof eras)[number]

const page = 'data:text/html,<title>Shop</title><button>Order</button>'
const missing = { selector: '#missing', timeout: 100 }

/** Prints a row for each transport and era; false if one of them failed. */
export async function runInspector(): Promise<boolean> {
  const home = mkdtempSync(join(tmpdir(), 'fl-inspector-'))
  const rows: [transport: string, era: Era, problem: string | undefined][] = []
  try {
    for (const era of eras) rows.push(['stdio', era, useStdio(home, era)])
    for (const era of eras) rows.push(['http', era, await useHttp(home, era)])
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
  for (const [transport, era, problem] of rows)
    console.log(
      `${problem === undefined ? 'passed' : 'FAILED'}: inspector, ${transport}, ${era}${problem === undefined ? '' : `: ${problem}`}`,
    )
  return rows.every(([, , problem]) => problem === undefined)
}

// --- internal ---

function useStdio(home: string, era: Era): string | undefined {
  const calls = [{ tool: 'navigate', url: page }, { tool: 'snapshot' }, { tool: 'click', ...missing }]
  const { steps, errorCode, evidence } = inspect(home, era, [binary, '--headless', '--implicit-session'], {
    tool: 'steps',
    input: { calls },
  })
  if (errorCode !== 'ELEMENT_NOT_FOUND') return `steps: ${errorCode}`
  if (steps?.length !== calls.length) return `steps: ${JSON.stringify(steps)}`
  return evidence?.screenshot?.path ? undefined : 'no picture of the failure'
}

async function useHttp(home: string, era: Era): Promise<string | undefined> {
  const server = await serveOverHttp()
  try {
    const call = (tool: string, input: object = {}) =>
      inspect(home, era, [String(server.url)], { tool, input })
    const { sessionId } = call('create_session')
    if (typeof sessionId !== 'string') return 'create_session: no sessionId'
    if (call('navigate', { sessionId, url: 'about:blank' }).success !== true) return 'navigate'
    const script = 'document.title = "Shop"; document.body.innerHTML = "<button>Order</button>"'
    if (call('evaluate', { sessionId, script }).errorCode !== undefined) return 'evaluate'
    if (!String(call('snapshot', { sessionId }).snapshot).includes('button "Order"')) return 'snapshot'
    if (call('click', { sessionId, selector: 'button' }).success !== true) return 'click'
    const failure = call('click', { sessionId, ...missing })
    if (failure.errorCode !== 'ELEMENT_NOT_FOUND' || !failure.evidence?.screenshot?.path)
      return `click on what is missing: ${failure.errorCode}`
    return call('close_session', { sessionId }).success === true ? undefined : 'close_session'
  } finally {
    await server.close()
  }
}

interface Data {
  readonly [name: string]: unknown
  readonly errorCode?: string
  readonly steps?: readonly string[]
  readonly evidence?: { readonly screenshot?: { readonly path?: string } }
}

/** The structured content of a call. */
function inspect(
  home: string,
  era: Era,
  target: readonly string[],
  { tool, input }: { readonly tool: string; readonly input: object },
): Data {
  const modules = join(fetched(manifest.inspector), 'node_modules')
  const name = `node-${process.platform}-${process.arch}`
  const node = join(fetched({ [name]: manifest.node }), 'node_modules', name, 'bin/node')
  const pairs = Object.entries(input).map(
    ([field, value]) => `${field}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const args = [
    join(modules, '.bin/mcp-inspector'),
    '--cli',
    ...target,
    ...['--protocol-era', era, '--method', 'tools/call', '--tool-name', tool],
    ...(pairs.length > 0 ? ['--tool-arg', ...pairs] : []),
  ]
  const { stdout, stderr } = spawnSync(node, args, {
    cwd: home,
    env: { ...process.env, HOME: home },
    encoding: 'utf8',
    timeout: PROCESS_TIMEOUT_MS,
  })
  // After the result of a failing call it prints a line of its own.
  const end = stdout.lastIndexOf('\n}')
  if (end < 0) throw new Error(`inspector ${tool}: ${stdout.slice(-500)}${stderr.slice(-1000)}`)
  return (JSON.parse(stdout.slice(0, end + 2)) as { structuredContent?: Data }).structuredContent ?? {}
}
