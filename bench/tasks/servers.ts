// The servers that play, each with the style that its documentation recommends. All have the same browser and the same working directory.

import { createAgentBrowserBatchPlayer, createAgentBrowserPlayer } from './players/agent-browser.ts'
import { createDevtoolsPlayer } from './players/chrome-devtools-mcp.ts'
import { createFootlightPlayer } from './players/footlight.ts'
import { createPlaywrightCodePlayer } from './players/playwright-code.ts'
import { createPlaywrightPlayer } from './players/playwright-mcp.ts'
import type { CreatePlayer } from './player.ts'
import { startAgentBrowser, startDevtoolsMcp, startPlaywrightMcp, type PeerStart } from '../peers.ts'
import { connect, type Peer } from '../../test/support/client.ts'

export interface Server {
  readonly name: string
  readonly createPlayer: CreatePlayer
  start(): Promise<Peer>
}

const LOW_TOKEN_FLAGS = ['--snapshot-mode', 'none', '--codegen', 'none', '--image-responses', 'omit']

// The profile `core` has no tools to drag, upload, download or run a batch.
const AGENT_BROWSER_PROFILES = ['--tools', 'core,debug']

/** `packages` is the folder with the packages of the peers, `cwd` the working directory of every server. */
export function createServers(packages: string, executablePath: string, cwd: string): readonly Server[] {
  const start: PeerStart = { folder: packages, executablePath, cwd }
  const footlightArgs = ['--headless', '--executable-path', executablePath]
  return [
    {
      name: 'footlight',
      createPlayer: createFootlightPlayer,
      start: () => connect({ args: footlightArgs, cwd, roots: [cwd] }),
    },
    {
      name: '@playwright/mcp',
      createPlayer: createPlaywrightPlayer,
      start: () => startPlaywrightMcp(start),
    },
    {
      name: `@playwright/mcp ${LOW_TOKEN_FLAGS.join(' ')}`,
      createPlayer: createPlaywrightPlayer,
      start: () => startPlaywrightMcp({ ...start, args: LOW_TOKEN_FLAGS }),
    },
    {
      name: '@playwright/mcp, browser_run_code_unsafe',
      createPlayer: createPlaywrightCodePlayer,
      start: () => startPlaywrightMcp({ ...start, args: LOW_TOKEN_FLAGS }),
    },
    {
      name: 'chrome-devtools-mcp',
      createPlayer: createDevtoolsPlayer,
      start: () => startDevtoolsMcp(start),
    },
    {
      name: 'agent-browser',
      createPlayer: createAgentBrowserPlayer,
      start: () => startAgentBrowser({ ...start, args: AGENT_BROWSER_PROFILES }),
    },
    {
      name: 'agent-browser, batch',
      createPlayer: createAgentBrowserBatchPlayer,
      start: () => startAgentBrowser({ ...start, args: AGENT_BROWSER_PROFILES }),
    },
  ]
}
