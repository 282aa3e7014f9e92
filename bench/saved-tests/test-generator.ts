// The same flows through the test generator of Playwright Test (`npx playwright run-test-mcp-server`): its log of the steps has the code that
// its instructions tell an agent to put into a test.

import { join } from 'node:path'
import { connect, type Peer } from '../../test/support/client.ts'
import { endPeer } from '../peers.ts'
import type { Application, Flow } from './flow.ts'
import { playWithPeer } from './peer-play.ts'
import { textOf } from './play.ts'
import { writeRunConfig } from './run-specs.ts'

/** Plays a flow in a folder with the packages of the application, whose server the generator starts; answers the code of the steps. */
export async function generateCode(
  application: Application,
  flow: Flow,
  origin: string,
  folder: string,
  executablePath: string,
): Promise<readonly string[]> {
  writeRunConfig(folder, application, executablePath)
  const peer = await connect({
    command: ['node', join(folder, 'node_modules/@playwright/test/cli.js')],
    args: ['run-test-mcp-server', '--headless'],
    cwd: folder,
    roots: [folder],
  })
  try {
    const setup = await peer.call('generator_setup_page', { plan: flow.name })
    if (setup.failed) throw new Error(textOf(setup.result))
    const withIntent: Peer['call'] = (tool, input) => peer.call(tool, { ...input, intent: flow.name })
    await playWithPeer({ peer: { ...peer, call: withIntent }, origin, folder }, flow)
    const log = textOf((await peer.call('generator_read_log')).result)
    const steps = log.slice(log.indexOf('# Steps'))
    return [...steps.matchAll(/^### .*\n```ts\n([^]*?)\n```$/gm)].flatMap(([, code]) => code ?? [])
  } finally {
    await endPeer(peer, 'test generator')
  }
}
