// Which scripts came from files that were changed, and from what content of them.

import { join, relative, sep } from 'node:path'
import { isLoopbackHost } from '../../../core/base/network/http-guard.ts'
import { parseUrl } from '../../../core/base/text/parse-url.ts'
import {
  isLibraryPath,
  pathInside,
  readSourcePath,
  type SourcePath,
} from '../../../core/base/text/source-path.ts'
import { createMapCache, decodeMap, MAP_FETCH_LIMITS, MAP_LIMIT_CHARS } from '../../sources/map-cache.ts'
import { findMapReference } from '../../sources/map-reference.ts'
import { findServedFile, placeSource } from '../../sources/place-source.ts'
import { type FetchRoute, fetchText, readReference, type ServerFolder } from '../../sources/script-maps.ts'
import type { ReadScript, WantedSource } from './reading.ts'
import type { ScriptText } from './script-texts.ts'

export interface WorkTree {
  /** The files that were changed, relative to `root`. */
  readonly wanted: () => ReadonlySet<string>
  /** The real path of the work tree. */
  readonly root: string
  readonly server: () => Promise<ServerFolder | undefined>
  readonly route: () => Promise<FetchRoute>
  /** Aborts when the session closes. */
  readonly closing: AbortSignal
}

export interface WantedSources {
  /** Whether a script with this URL can be one of a wanted file. */
  matters(url: string): boolean
  /** The map and the wanted sources of a script; undefined if it has none. */
  find(url: string, script: ScriptText): Promise<Omit<ReadScript, 'script'> | undefined>
}

export function createWantedSources({ wanted, root, server, route, closing }: WorkTree): WantedSources {
  const maps = createMapCache(() => {}, closing)
  const place = async (path: SourcePath): Promise<string | undefined> => {
    const folder = (await server())?.folder ?? root
    if (path.kind === 'file') return pathInside(root, path.path)
    const file = await placeSource(path, folder)
    return file === undefined || file.startsWith('/') ? undefined : toTree(root, folder, file)
  }
  async function readMap(url: string, { text, mapUrl }: ScriptText) {
    const reference = findMapReference(text, mapUrl, MAP_LIMIT_CHARS)
    if (!reference) return undefined
    if (!('url' in reference)) return { json: decodeMap(reference), base: url }
    const read = await readReference(reference, url, route)
    // After an edit the server has another map at the same URL.
    const current = await fetchText(new URL(url), { ...(await route()), ...MAP_FETCH_LIMITS })
    return { json: current?.text === text ? read?.json : undefined, base: read?.base ?? url }
  }
  return {
    matters(url) {
      const { protocol, hostname = '', pathname = '' } = parseUrl(url) ?? {}
      if (!/^https?:$/.test(protocol ?? '') || !isLoopbackHost(hostname) || isLibraryPath(url)) return false
      if (!SINGLE.test(pathname)) return !STYLE.test(pathname)
      const name = decodeURI(pathname).split('/').at(-1) ?? ''
      return [...wanted()].some((file) => file === name || file.endsWith(`/${name}`))
    },
    async find(url, script) {
      const read = await readMap(url, script)
      if (!read) {
        const [own, path] = [await server(), readSourcePath(url, url)]
        const folder = own?.folder ?? root
        const served = path && (await findServedFile(path, script.text, folder))
        const file = served === undefined ? path && (await place(path)) : toTree(root, folder, served)
        if (file === undefined || !wanted().has(file)) return undefined
        return { sources: [{ source: '', file, content: script.text }] }
      }
      const parsed = read.json === undefined ? undefined : await maps.parse(read.json, script.text)
      if (!parsed || read.json === undefined) return undefined
      const sources: WantedSource[] = []
      for (const source of await parsed.sources()) {
        const path = readSourcePath(source, read.base)
        const file = path && (await place(path))
        if (file !== undefined && wanted().has(file))
          sources.push({ source, file, content: await parsed.contentOf(source) })
      }
      return sources.length === 0 ? undefined : { map: { json: read.json, parsed }, sources }
    },
  }
}

// --- internal ---

/** Development servers make one script of such a file, at its own path. */
const SINGLE = /\.(?:[cm]?tsx?|jsx|vue|svelte|astro)$/
const STYLE = /\.(?:css|s[ac]ss|less|styl)$/

const toTree = (root: string, folder: string, file: string): string =>
  relative(root, join(folder, file)).split(sep).join('/')
