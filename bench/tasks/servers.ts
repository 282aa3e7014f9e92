// The servers that are compared, each with the style that its documentation recommends. All have the same browser and the same working directory.

import { connect, type Peer } from '../../test/support/client.ts'
import { type PeerStart, startAgentBrowser, startDevtoolsMcp, startPlaywrightMcp } from '../peers.ts'
import { createAgentBrowserBatchDriver, createAgentBrowserDriver } from './drivers/agent-browser.ts'
import { createDevtoolsDriver } from './drivers/chrome-devtools-mcp.ts'
import { createFootlightDriver } from './drivers/footlight.ts'
import { createPlaywrightCodeDriver } from './drivers/playwright-code.ts'
import { createPlaywrightDriver } from './drivers/playwright-mcp.ts'
import type { Contender } from './run.ts'

export interface Server extends Contender {
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
      createDriver: createFootlightDriver,
      start: () => connect({ args: footlightArgs, cwd, roots: [cwd] }),
    },
    {
      name: '@playwright/mcp',
      createDriver: createPlaywrightDriver,
      start: () => startPlaywrightMcp(start),
    },
    {
      name: `@playwright/mcp ${LOW_TOKEN_FLAGS.join(' ')}`,
      createDriver: createPlaywrightDriver,
      start: () => startPlaywrightMcp({ ...start, args: LOW_TOKEN_FLAGS }),
    },
    {
      name: '@playwright/mcp, browser_run_code_unsafe',
      createDriver: createPlaywrightCodeDriver,
      start: () => startPlaywrightMcp({ ...start, args: LOW_TOKEN_FLAGS }),
    },
    {
      name: 'chrome-devtools-mcp',
      createDriver: createDevtoolsDriver,
      start: () => startDevtoolsMcp(start),
    },
    {
      name: 'agent-browser',
      createDriver: createAgentBrowserDriver,
      start: () => startAgentBrowser({ ...start, args: AGENT_BROWSER_PROFILES }),
    },
    {
      name: 'agent-browser, batch',
      createDriver: createAgentBrowserBatchDriver,
      start: () => startAgentBrowser({ ...start, args: AGENT_BROWSER_PROFILES }),
    },
  ]
}
