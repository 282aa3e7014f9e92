// The source maps that a Next server answers with, for code that the browser has not received as a script.

import { pathToFileURL } from 'node:url'
import { fetchText, type FetchRoute } from './fetch-text.ts'
import { MAP_FETCH_LIMITS, type MapCache } from './map-cache.ts'
import type { SourceMap } from './parse-map.ts'
import { parseUrl } from '../../core/network/parse-url.ts'
import { serverComponentFile, updatedModuleFiles } from '../../core/source/next-files.ts'
import { pathInside, readSourcePath } from '../../core/source/source-path.ts'

interface NextServer {
  readonly origin: string
  /** A real path with `/`. */
  readonly folder: string
}

interface NextMapOptions {
  readonly route: () => Promise<FetchRoute>
  readonly server: () => Promise<NextServer | undefined>
}

interface NextMap {
  readonly origin: string
  readonly base: string
  readonly map: SourceMap
}

/** Whether only a Next server can have a map for this URL, if no request has it. */
export const isNextFile = (url: string): boolean =>
  serverComponentFile(url) !== undefined || updatedModuleFiles(url, '').length > 0

/** The map of the file behind this URL, as it is now; undefined if the dev server of the session is no Next server or has no such file. */
export async function loadNextMap(
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
    if (map) return { origin: own.origin, base: file, map }
  }
  return undefined
}
