// The browsers that the options name elsewhere. What drives them is loaded with the first session.

import type { Log } from './create-log.ts'
import { listAddresses } from '../options/option-schemas.ts'
import type { Settings } from '../options/options.ts'
import { selfCommand } from '../setup/start-command.ts'
import type { BrowserSource, RemoteBrowsers } from '../../browser/remote/browser-source.ts'
import type { Endpoint } from '../../browser/remote/endpoint-source.ts'
import { parseRemoteAddress } from '../../browser/remote/remote-address.ts'
import { GRID_RELEASE_COMMAND } from '../../core/grid-release.ts'
import { isLoopbackHost } from '../../core/network/http-guard.ts'
import { runAfterKill } from '../../devserver/process/detached-script.ts'

/** The browsers of the options; undefined where they are started here. */
export function createRemoteBrowsers(settings: Settings, log: Log): RemoteBrowsers | undefined {
  const { connect, cdpEndpoint, grid } = settings
  if (grid !== undefined) return createGridBrowsers(grid, settings, log)
  const addresses = connect ?? cdpEndpoint
  if (addresses === undefined) return undefined
  const isPlaywright = connect !== undefined
  const endpoints = listAddresses(addresses).map((text): Endpoint => {
    const address = parseRemoteAddress(text)
    return { ...address, exposesLoopback: isPlaywright && isElsewhere(address.url) }
  })
  return {
    places: endpoints.map(({ url }) =>
      isPlaywright ? { isElsewhere: false } : { isElsewhere: isElsewhere(url), cdpEndpoint: url },
    ),
    isExclusive: false,
    opensAhead: isPlaywright,
    load: once(async () => {
      const { createEndpointSource } = await import('../../browser/remote/endpoint-source.ts')
      return createEndpointSource({
        protocol: isPlaywright ? 'playwright' : 'cdp',
        endpoints,
        flag: isPlaywright ? '--connect' : '--cdp-endpoint',
        timeoutMs: settings.launchTimeout,
        onNotice: (text) => log.warn(text),
      })
    }),
  }
}

// --- internal ---

function createGridBrowsers(
  grid: string,
  { gridCapabilities = '{}', launchTimeout }: Settings,
  log: Log,
): RemoteBrowsers {
  const releaser = selfCommand([GRID_RELEASE_COMMAND])
  return {
    places: [{ isElsewhere: isElsewhere(grid) }],
    isExclusive: true,
    opensAhead: false,
    load: once(async () => {
      const { createGridSource } = await import('../../browser/remote/grid-source.ts')
      return createGridSource({
        address: parseRemoteAddress(grid),
        capabilities: JSON.parse(gridCapabilities) as Record<string, unknown>,
        name: `footlight-${crypto.randomUUID()}`,
        timeoutMs: launchTimeout,
        onNotice: (text) => log.warn(text),
        guard: (release) => runAfterKill([releaser.command, ...releaser.args], release),
      })
    }),
  }
}

const isElsewhere = (url: string): boolean => !isLoopbackHost(new URL(url).hostname)

function once(load: RemoteBrowsers['load']): RemoteBrowsers['load'] {
  let loading: Promise<BrowserSource> | undefined
  return () => (loading ??= load())
}
