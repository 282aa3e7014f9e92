// The source maps of the scripts of one session, from the responses that the browser has received. Each script is read once for each of its
// requests.

import http from 'node:http'
import https from 'node:https'
import { pathToFileURL } from 'node:url'
import { createBoundedMap } from '../../core/base/bounded-collections.ts'
import { canonicalizeHost } from '../../core/base/network/host-rule.ts'
import { hostKindOf } from '../../core/base/network/host-rules.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import {
  pathInside,
  readSourcePath,
  serverComponentFile,
  updatedModuleFiles,
} from '../../core/base/text/source-path.ts'
import type { LoadedScript, ScriptRequest } from '../../core/sessions/types/sources.ts'
import { createMapCache, decodeMap, MAP_FETCH_LIMITS, MAP_LIMIT_CHARS, type MapCache } from './map-cache.ts'
import { findMapReference, findModuleMap, type MapReference, type ScriptIndex } from './map-reference.ts'
import { findModuleCode, findSourceLine } from './module-lines.ts'
import type { SourceMap } from './parse-map.ts'
import { findCurrentLine } from './script-positions.ts'

/** A script with its source map. `origin`: that of its URL; `base`: the URL that its sources are relative to; `file`: the path of the file
 * that it is without a change, which then has the map of each position to itself. */
export interface MappedScript {
  readonly origin: string
  readonly base: string
  readonly map: SourceMap
  readonly file?: string
}

export interface ServerFolder {
  readonly origin: string
  /** A real path with `/`. */
  readonly folder: string
}

export interface ScriptMaps {
  /** The script that had this URL at a time in Unix milliseconds; undefined if it has no map, or is not known or too large. Never rejects. */
  load(url: string, at: number): Promise<MappedScript | undefined>
}

export interface ScriptMapsOptions {
  readonly index: ScriptIndex
  readonly closing: AbortSignal
  readonly readScript: (seq: number) => Promise<LoadedScript | undefined>
  readonly route: () => Promise<FetchRoute>
  /** The origin of the dev server of the session and its folder, once it has started. */
  readonly server: () => Promise<ServerFolder | undefined>
  /** The path of the file that was served as this script without a change. */
  readonly findFile: (url: string, text: string) => Promise<string | undefined>
  /** The file in the folder of the server that a source of a script of `origin` is, with its text. */
  readonly readSource: (source: string, origin: string) => Promise<SourceFile | undefined>
}

export interface SourceFile {
  readonly file: string
  readonly text: string
}

const SCRIPT_LIMIT = 100

export function createScriptMaps(options: ScriptMapsOptions): ScriptMaps {
  const { index } = options
  const scripts = createBoundedMap<string, Promise<MappedScript | undefined>>(SCRIPT_LIMIT)
  const maps = createMapCache(scripts.clear, options.closing)
  const loadOnce = (key: string, load: () => Promise<MappedScript | undefined>) => {
    const script = scripts.get(key) ?? load().catch(() => undefined)
    scripts.set(key, script)
    return script
  }
  return {
    async load(url, at) {
      const isModule = /^webpack(-internal)?:/.test(url)
      const bundles = isModule ? index.findNewest(at) : []
      const request = isModule ? bundles[0] : index.find(url, at)
      if (!request && isNextFile(url)) {
        const key = `${Math.floor(at / NEXT_MAP_AGE_MS)} ${url}`
        return loadOnce(key, () => loadNextMap(url, options, maps))
      }
      if (!request) return undefined
      return loadOnce(`${request.seq} ${url}`, () =>
        isModule ? loadModule(url, bundles, options, maps) : loadScript(request, options, maps),
      )
    },
  }
}

/** The map of a file of a Next server may be another one after that time. */
const NEXT_MAP_AGE_MS = 2000

async function loadScript(
  { seq, url }: ScriptRequest,
  options: ScriptMapsOptions,
  maps: MapCache,
): Promise<MappedScript | undefined> {
  const { readScript, route, findFile } = options
  const script = await readText(await readScript(seq), url, route)
  if (!script) return undefined
  const { origin } = new URL(url)
  const reference = findMapReference(script.text, script.mapUrl, MAP_LIMIT_CHARS)
  if (!reference) {
    const file = await findFile(url, script.text)
    return file === undefined ? undefined : { origin, base: url, map: createSameMap(script.text), file }
  }
  const read = await readReference(reference, url, route)
  if (!read) return undefined
  const currentText = ('url' in reference ? await readCurrentText(url, options) : undefined) ?? script.text
  const currentMap = await maps.parse(read.json, currentText)
  if (!currentMap.ok) return undefined
  const isCurrent = currentText === script.text
  const map = isCurrent ? currentMap.value : createOldMap(currentMap.value, script.text, currentText)
  return { origin, base: read.base, map }
}

// After an edit that the page has applied without loading, a dev server has another script and another map at the same URLs.
async function readCurrentText(
  url: string,
  { server, route }: ScriptMapsOptions,
): Promise<string | undefined> {
  if ((await server())?.origin !== new URL(url).origin) return undefined
  return (await fetchText(new URL(url), { ...(await route()), ...MAP_FETCH_LIMITS }))?.text
}

// The map of an old script by that of the current one: of the lines that both have.
const createOldMap = (current: SourceMap, oldText: string, currentText: string): SourceMap => ({
  ...current,
  async find({ line, column }) {
    const currentLine = findCurrentLine(oldText, currentText, line)
    return currentLine === undefined ? undefined : current.find({ line: currentLine, column })
  },
})

/** The text of a script. One that the browser had already is fetched again, if the server still has the same one. */
export async function readText(
  script: LoadedScript | undefined,
  url: string,
  route: ScriptMapsOptions['route'],
): Promise<Extract<LoadedScript, { text: string }> | undefined> {
  if (!script || 'text' in script) return script
  const response = await fetchText(new URL(url), { ...(await route()), ...MAP_FETCH_LIMITS })
  return response?.validator === script.validator ? { text: response.text } : undefined
}

// The modules that webpack evaluates are parts of the scripts before them, the newest first.
async function loadModule(
  moduleUrl: string,
  bundles: readonly ScriptRequest[],
  { readScript, readSource }: ScriptMapsOptions,
  maps: MapCache,
): Promise<MappedScript | undefined> {
  for (const { seq, url } of bundles) {
    const script = await readScript(seq)
    if (!script || !('text' in script)) continue
    const { origin } = new URL(url)
    const reference = findModuleMap(script.text, moduleUrl, MAP_LIMIT_CHARS)
    const json = reference && !('url' in reference) ? decodeMap(reference) : undefined
    const map = json === undefined ? undefined : await maps.parse(json, undefined)
    if (map) return map.ok ? { origin, base: url, map: map.value } : undefined
    const code = findModuleCode(script.text, moduleUrl)
    const source = code === undefined ? undefined : await readSource(moduleUrl, origin)
    if (code !== undefined)
      return source && { origin, base: url, map: createLineMap(code, source.text), file: source.file }
  }
  return undefined
}

/** The text of a map and the URL that its sources are relative to. */
export async function readReference(
  reference: MapReference,
  scriptUrl: string,
  route: ScriptMapsOptions['route'],
): Promise<{ json: string; base: string } | undefined> {
  if (!('url' in reference)) {
    const json = decodeMap(reference)
    return json === undefined ? undefined : { json, base: scriptUrl }
  }
  const url = urlOfMap(reference.url, scriptUrl)
  if (!url) return undefined
  const response = await fetchText(url, { ...(await route()), ...MAP_FETCH_LIMITS })
  return response && { json: response.text, base: url.href }
}

// Only the origin of the script itself, which has served the page already.
function urlOfMap(reference: string, scriptUrl: string): URL | undefined {
  if (!URL.canParse(reference, scriptUrl)) return undefined
  const url = new URL(reference, scriptUrl)
  return url.origin === parseUrl(scriptUrl)?.origin ? url : undefined
}

// Fetches a source map from the origin of its script, through the proxy of the session, with limits of size and time. It sends no cookies
// and follows no redirects. Behind a proxy of the user only this machine is asked.
export interface FetchRoute {
  /** The URL of the proxy of the session; undefined if there are no host rules. */
  readonly proxy: string | undefined
  readonly isLoopbackOnly: boolean
}

interface FetchOptions extends FetchRoute {
  readonly limitBytes: number
  readonly timeoutMs: number
}

interface FetchedText {
  readonly text: string
  /** Its ETag or date, if the server names one. */
  readonly validator?: string
}

/** The body of a response with status 200, or undefined. A URL with https is not fetched through a proxy. */
export function fetchText(
  url: URL,
  { proxy, isLoopbackOnly, limitBytes, timeoutMs }: FetchOptions,
): Promise<FetchedText | undefined> {
  const isSecure = url.protocol === 'https:'
  if (isLoopbackOnly && hostKindOf(canonicalizeHost(url.hostname)) !== 'loopback')
    return Promise.resolve(undefined)
  if (url.protocol !== 'http:' && (!isSecure || proxy !== undefined)) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const headers = {
      host: url.host,
      accept: 'application/json, */*',
      'accept-encoding': 'identity',
      connection: 'close',
    }
    const common = { method: 'GET', headers, signal, agent: false } as const
    const onResponse = (response: http.IncomingMessage) => void readBody(response, limitBytes).then(resolve)
    const request = isSecure
      ? https.request(url, common, onResponse)
      : http.request(
          proxy === undefined ? url : proxyTargetOf(proxy),
          { ...common, path: proxy === undefined ? `${url.pathname}${url.search}` : url.href },
          onResponse,
        )
    request.on('error', () => resolve(undefined))
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
    request.end()
  })
}

const proxyTargetOf = (proxy: string): URL => new URL(proxy)

function readBody(response: http.IncomingMessage, limitBytes: number): Promise<FetchedText | undefined> {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  const isUsable = response.statusCode === 200 && encoding === 'identity'
  if (!isUsable || Number(response.headers['content-length'] ?? 0) > limitBytes) {
    response.destroy()
    return Promise.resolve(undefined)
  }
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limitBytes) {
        response.destroy()
        resolve(undefined)
      } else chunks.push(chunk)
    })
    const validator = response.headers.etag ?? response.headers['last-modified']
    response.on('end', () => resolve({ text: Buffer.concat(chunks).toString('utf8'), validator }))
    response.on('close', () => resolve(undefined))
    response.on('error', () => resolve(undefined))
  })
}

/** Each position of a file that is served as it is. */
const createSameMap = (text: string): SourceMap => ({
  find: async ({ line, column }) => ({ source: '', line, column }),
  findAll: async (positions) => positions.map(({ line, column }) => ({ source: '', line, column })),
  contentOf: async () => text,
  sources: async () => [],
  close: () => {},
})

/** The lines of a module that are the same in its file. webpack changes parts of lines, so the column is not known. */
function createLineMap(code: string, text: string): SourceMap {
  async function find({ line }: { readonly line: number }) {
    const sourceLine = findSourceLine(code, text, line)
    return sourceLine === undefined ? undefined : { source: '', line: sourceLine, column: 1 }
  }
  return {
    find,
    findAll: (positions) => Promise.all(positions.map(find)),
    contentOf: async () => text,
    sources: async () => [],
    close: () => {},
  }
}

// The source maps that a Next server answers with, for code that the browser has not received as a script.
interface NextMapOptions {
  readonly route: () => Promise<FetchRoute>
  readonly server: () => Promise<ServerFolder | undefined>
}

type NextMap = Pick<MappedScript, 'origin' | 'base' | 'map'>

/** Whether only a Next server can have a map for this URL, if no request has it. */
const isNextFile = (url: string): boolean =>
  serverComponentFile(url) !== undefined || updatedModuleFiles(url, '').length > 0

/** The map of the file behind this URL, as it is now; undefined if the dev server of the session is no Next server or has no such file. */
async function loadNextMap(
  url: string,
  { server, route }: NextMapOptions,
  maps: MapCache,
): Promise<NextMap | undefined> {
  const own = await server()
  if (!own) return undefined
  const component = serverComponentFile(url)
  const isOwn = parseUrl(url)?.origin === own.origin
  const modules = isOwn ? updatedModuleFiles(url, pathToFileURL(own.folder).href) : []
  for (const file of component === undefined ? modules : [component]) {
    const path = readSourcePath(file, file)
    if (!path || pathInside(own.folder, path.path) === undefined) continue
    const mapUrl = new URL(`/__nextjs_source-map?filename=${encodeURIComponent(file)}`, own.origin)
    const response = await fetchText(mapUrl, { ...(await route()), ...MAP_FETCH_LIMITS })
    const map = response && (await maps.parse(response.text, undefined))
    if (map?.ok) return { origin: own.origin, base: file, map: map.value }
  }
  return undefined
}
