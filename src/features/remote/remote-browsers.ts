// The browsers that the options name elsewhere. What drives them is loaded with the first session.

import { isLoopbackHost } from '../../core/base/network/http-guard.ts'
import { decodePart } from '../../core/base/redaction/encodings.ts'
import type { Secrets } from '../../core/base/redaction/secret-placeholders.ts'
import { looksLikeSecret } from '../../core/base/redaction/secret-values.ts'
import type {
  BrowserPlaces,
  BrowserSource,
  RemoteBrowsers,
} from '../../core/browser/playwright/browser-source.ts'
import type { Settings } from '../../core/cli/options/options.ts'
import { selfCommand } from '../../core/cli/terminal/start-command.ts'
import { runAfterKill } from '../../core/devserver/process/detached-script.ts'
import { runHeaderCommand } from '../../core/devserver/process/run-header-command.ts'
import type { ServerStart } from '../../core/tool/feature.ts'
import type { ServiceCalls } from './created-source.ts'
import type { Endpoint } from './endpoint-source.ts'
import { parseRemoteAddress } from './remote-address.ts'
import { describeIgnoredOptions, findRemoteLimit } from './remote-limits.ts'
import { RELEASE_COMMAND, type RemoteAddress, type RemoteRelease } from './remote-release.ts'
import { listAddresses } from './settings.ts'
import { createSpread } from './spread-sessions.ts'

type RemotePorts = Pick<ServerStart, 'log' | 'secrets' | 'learn' | 'createContext'>
type RemoteStart = RemotePorts & Pick<ServerStart, 'settings'>

/** The browsers of the options; undefined where they are started here. Throws where a placeholder has no secret. */
export function createRemoteBrowsers({ settings, ...ports }: RemoteStart): RemoteBrowsers | undefined {
  const browsers = findPlaces(settings, ports)
  return (
    browsers && {
      ...browsers,
      ...createSpread(
        browsers.places.length,
        () => performance.now(),
        (text) => ports.log.warn(text),
      ),
      findLimit: (options) => findRemoteLimit(options, browsers),
      describeIgnored: (options) => describeIgnoredOptions(options, browsers),
    }
  )
}

// --- internal ---

function findPlaces(settings: Settings, ports: RemotePorts): BrowserPlaces | undefined {
  const { connect, cdpEndpoint, endpointCreate, endpointHeader = '', grid } = settings
  const headers = readHeaders(endpointHeader, ports)
  const readAddress = (text: string, flag: string): RemoteAddress => {
    const filled = fillSecrets(text, ports.secrets, flag, encodeURIComponent)
    ports.learn(keysOf(filled))
    const address = parseRemoteAddress(filled)
    return { ...address, headers: { ...address.headers, ...headers } }
  }
  if (grid !== undefined) return createGridBrowsers(readAddress(grid, '--grid'), settings, ports)
  if (endpointCreate !== undefined) return createCreatedBrowsers(endpointCreate, headers, settings, ports)
  const flag = connect === undefined ? '--cdp-endpoint' : '--connect'
  const addresses = listAddresses(connect ?? cdpEndpoint ?? '').map((text) => readAddress(text, flag))
  return addresses.length === 0 ? undefined : createEndpointBrowsers(addresses, flag, settings, ports)
}

function createEndpointBrowsers(
  addresses: readonly RemoteAddress[],
  flag: '--connect' | '--cdp-endpoint',
  { launchTimeout, endpointHeaderCommand }: Settings,
  { log, learn, createContext }: RemotePorts,
): BrowserPlaces {
  const isPlaywright = flag === '--connect'
  const endpoints = addresses.map((address): Endpoint => ({
    ...address,
    exposesLoopback: isPlaywright && isElsewhere(address.url),
  }))
  return {
    places: endpoints.map(({ url, exposesLoopback }) => ({
      isElsewhere: isElsewhere(url),
      exposesLoopback,
      ...(!isPlaywright && { cdpEndpoint: url }),
    })),
    isExclusive: false,
    choosesBrowser: false,
    opensAhead: isPlaywright,
    load: once(async () => {
      const { createEndpointSource } = await import('./endpoint-source.ts')
      return createEndpointSource({
        protocol: isPlaywright ? 'playwright' : 'cdp',
        endpoints,
        flag,
        ...(endpointHeaderCommand !== undefined && {
          makeHeaders: async (url) => {
            const headers = await runHeaderCommand(
              endpointHeaderCommand,
              url,
              launchTimeout,
              createContext().run,
            )
            learn(Object.values(headers))
            return headers
          },
        }),
        timeoutMs: launchTimeout,
        onNotice: (text) => log.warn(text),
      })
    }),
  }
}

function createCreatedBrowsers(
  calls: string,
  headers: Readonly<Record<string, string>>,
  { launchTimeout }: Settings,
  { log, secrets, learn }: RemotePorts,
): BrowserPlaces {
  const filled = JSON.parse(calls, (key, value: unknown) => {
    if (typeof value !== 'string') return value
    const encode = key === 'url' || key === 'connect' ? encodeURIComponent : undefined
    return fillSecrets(value, secrets, '--endpoint-create', encode)
  }) as ServiceCalls
  learn(textsIn(filled).flatMap((text) => (URL.canParse(text) ? keysOf(text) : [text])))
  const { host, hostname } = new URL(filled.create.url)
  return {
    places: [{ isElsewhere: !isLoopbackHost(hostname) }],
    isExclusive: true,
    choosesBrowser: false,
    opensAhead: false,
    load: once(async () => {
      const { createCreatedSource } = await import('./created-source.ts')
      return createCreatedSource({
        calls: filled,
        headers,
        label: host,
        timeoutMs: launchTimeout,
        onNotice: (text) => log.warn(text),
        onAddress: (address) => learn(keysOf(address)),
        guard,
      })
    }),
  }
}

function createGridBrowsers(
  address: RemoteAddress,
  { gridCapabilities = '{}', gridNodes = '', launchTimeout }: Settings,
  { log }: RemotePorts,
): BrowserPlaces {
  return {
    places: [{ isElsewhere: isElsewhere(address.url) }],
    isExclusive: true,
    choosesBrowser: true,
    opensAhead: false,
    load: once(async () => {
      const { createGridSource } = await import('./grid-source.ts')
      return createGridSource({
        address,
        capabilities: JSON.parse(gridCapabilities) as Record<string, unknown>,
        nodeHosts: gridNodes.split(/[\s,]+/).filter(Boolean),
        name: `footlight-${crypto.randomUUID()}`,
        timeoutMs: launchTimeout,
        onNotice: (text) => log.warn(text),
        guard,
      })
    }),
  }
}

function guard(release: RemoteRelease): () => void {
  const { command, args } = selfCommand([RELEASE_COMMAND])
  return runAfterKill([command, ...args], release)
}

const isElsewhere = (url: string): boolean => !isLoopbackHost(new URL(url).hostname)

function once(load: BrowserPlaces['load']): BrowserPlaces['load'] {
  let loading: Promise<BrowserSource> | undefined
  return () => (loading ??= load())
}

function readHeaders(lines: string, { secrets, learn }: RemotePorts): Readonly<Record<string, string>> {
  const headers = lines.split('\n').flatMap((line) => {
    const [, name, value = ''] = /^\s*([^=\s]+)=(.*)$/.exec(line) ?? []
    if (name === undefined) return []
    return [[name.toLowerCase(), fillSecrets(value.trim(), secrets, '--endpoint-header')] as const]
  })
  learn(headers.flatMap(([, value]) => [value, ...value.split(' ')]))
  return Object.fromEntries(headers)
}

/** Replaces the placeholders of a text. */
function fillSecrets(
  text: string,
  secrets: Secrets,
  flag: string,
  encode = (value: string) => value,
): string {
  return text.replace(/\{\{(\w+)\}\}/g, (placeholder, name: string) => {
    const value = secrets.get(name)
    if (value === undefined) throw new Error(`${flag}: ${placeholder} is not in the file of --secrets`)
    return encode(value)
  })
}

/** What may be a key in an address. */
function keysOf(address: string): readonly string[] {
  const { username, password, searchParams, pathname } = new URL(address)
  const segments = pathname.split('/').flatMap((segment) => [segment, decodePart(segment)])
  const keys = segments.filter((segment) => looksLikeSecret(segment, true))
  return [username, password, ...searchParams.values(), ...keys].filter(Boolean)
}

/** All texts in what a service is sent. A placeholder of its answer is none. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}
