// Tests of the flows of an application: written by `save_test`, or pasted from what @playwright/mcp shows.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../../test/support/client.ts'
import { endPeer, startPlaywrightMcp } from '../peers.ts'
import type { Application, Flow } from './flow.ts'
import { pastedSpec, playWithPeer } from './peer-play.ts'
import { playFlow, textOf } from './play.ts'
import { generateCode } from './test-generator.ts'

const START_LIMIT_MS = 120_000
const POLL_PAUSE_MS = 100

export interface Spec {
  readonly flow: string
  /** Undefined if there is none, for this reason. */
  readonly text?: string
  readonly problem?: string
  /** What the tool answered. */
  readonly answer?: string
}

/** Plays the flows in sessions of this executable, each with a server of its own, and saves each as a test in the folder. */
export async function saveSpecs(
  flows: readonly Flow[],
  folder: string,
  binary: string,
  executablePath: string,
): Promise<readonly Spec[]> {
  const peer = await connect({
    command: [binary],
    args: ['--headless', '--executable-path', executablePath],
    cwd: folder,
    roots: [folder],
  })
  const specs = await collectSpecs(flows, saveSpec)
  await peer.close()
  return specs

  async function saveSpec(flow: Flow): Promise<Spec> {
    const options = { command: 'npm run dev', cwd: folder, readyTimeout: START_LIMIT_MS }
    const { failed, data, result } = await peer.call('create_session', options)
    if (failed) throw new Error(textOf(result))
    const { sessionId, url } = data
    try {
      await playFlow({ peer, sessionId, origin: new URL(url).origin }, flow)
      const path = `tests/${flow.name}.spec.ts`
      const name = flow.name.replaceAll('-', ' ')
      const saved = await peer.call('save_test', { sessionId, path, name })
      const answer = textOf(saved.result)
      if (saved.failed) return { flow: flow.name, problem: answer }
      return { flow: flow.name, text: readFileSync(join(folder, path), 'utf8'), answer }
    } finally {
      await peer.call('close_session', { sessionId })
    }
  }
}

/** Plays the flows with @playwright/mcp, installed in `packages`, and pastes the code of its answers into tests. */
export async function pasteSpecs(
  { port }: Application,
  flows: readonly Flow[],
  folder: string,
  packages: string,
  executablePath: string,
): Promise<readonly Spec[]> {
  const origin = `http://localhost:${port}`
  const env = { ...process.env, PORT: String(port) }
  const server = spawn('npm', ['run', 'dev'], { cwd: folder, env, detached: true, stdio: 'ignore' })
  await untilServed(origin)
  const specs = await collectSpecs(flows, async (flow) => {
    const peer = await startPlaywrightMcp({ folder: packages, executablePath, cwd: folder })
    try {
      const code = await playWithPeer({ peer, origin, folder }, flow)
      return { flow: flow.name, text: pastedSpec(flow.name, code, origin, folder) }
    } finally {
      await endPeer(peer, '@playwright/mcp')
    }
  })
  if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM')
  await once(server, 'close')
  return specs
}

/** Generates tests of the flows with the test generator of the application's own Playwright Test, which starts the server. */
export function generateSpecs(
  application: Application,
  flows: readonly Flow[],
  folder: string,
  executablePath: string,
): Promise<readonly Spec[]> {
  const origin = `http://localhost:${application.port}`
  return collectSpecs(flows, async (flow) => {
    const code = await generateCode(application, flow, origin, folder, executablePath)
    return { flow: flow.name, text: pastedSpec(flow.name, code, origin, folder) }
  })
}

/** The specs of the flows, one after the other; one that cannot be made has the reason. */
async function collectSpecs(
  flows: readonly Flow[],
  makeSpec: (flow: Flow) => Promise<Spec>,
): Promise<readonly Spec[]> {
  const specs: Spec[] = []
  for (const flow of flows)
    specs.push(await makeSpec(flow).catch((error) => ({ flow: flow.name, problem: String(error) })))
  return specs
}

async function untilServed(origin: string): Promise<void> {
  for (let waited = 0; waited < START_LIMIT_MS; waited += POLL_PAUSE_MS) {
    const response = await fetch(origin).catch(() => undefined)
    if (response?.ok) return
    await delay(POLL_PAUSE_MS)
  }
  throw new Error(`nothing is served at ${origin}`)
}
