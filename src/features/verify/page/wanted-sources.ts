// Which scripts came from files that were changed, and from what content of them.

import { join } from 'node:path'
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
import { fetchText, readReference, type ScriptMapsOptions } from '../../sources/script-maps.ts'
import { pathInTree } from '../change/path-in-tree.ts'
import { isEvaluated } from './evaluated-text.ts'
import type { ReadScript, WantedSource } from './reading.ts'
import type { ScriptText } from './script-texts.ts'

export interface WorkTree extends Pick<ScriptMapsOptions, 'server' | 'route' | 'closing'> {
  /** The files that were changed, relative to `root`. */
  readonly changed: () => ReadonlySet<string>
  /** The real path of the work tree. */
  readonly root: string
}

export interface WantedSources {
  /** The file in the work tree that a source of this URL or map is, if it is wanted. */
  fileOf(source: string, base: string): Promise<string | undefined>
  /** The file of the work tree that is served with this text at a URL, whether it is wanted or not. */
  findServed(url: string, text: string): Promise<string | undefined>
  readMap(url: string, script: ScriptText): Promise<ReadMap | undefined>
  /** Whether a script with this URL can be one of a wanted file. */
  matters(url: string): boolean
  /** The map and the wanted sources of a script; undefined if it has none. */
  find(url: string, script: ScriptText): Promise<Omit<ReadScript, 'script'> | undefined>
}

interface ReadMap {
  /** Undefined if the map is of another version, or not one. */
  readonly map: ReadScript['map']
  readonly base: string
}

export function createWantedSources({ changed, root, server, route, closing }: WorkTree): WantedSources {
  const maps = createMapCache(() => {}, closing)
  const place = async (path: SourcePath): Promise<string | undefined> => {
    const folder = (await server())?.folder ?? root
    if (path.kind === 'file') return pathInside(root, path.path)
    const file = await placeSource(path, folder)
    return file === undefined || file.startsWith('/') ? undefined : toTree(root, folder, file)
  }
  const isNameOfChanged = (path: string) => [...changed()].some((file) => nameOf(file) === nameOf(path))
  async function fileOf(source: string, base: string): Promise<string | undefined> {
    const path = readSourcePath(source, base)
    const file = path && (await place(path))
    return file !== undefined && changed().has(file) ? file : undefined
  }
  async function readMap(url: string, { text, mapUrl }: ScriptText): Promise<ReadMap | undefined> {
    // A module that is evaluated may end with a bracket behind its comments.
    const end = isEvaluated(url) ? text.lastIndexOf('\n//# sourceURL=') : text.length
    const reference = findMapReference(text.slice(0, end), mapUrl, MAP_LIMIT_CHARS)
    if (!reference) return undefined
    const read =
      'url' in reference
        ? await readReference(reference, url, route)
        : { json: decodeMap(reference), base: url }
    const { json, base = url } = read ?? {}
    // After an edit the server has another map at the same URL.
    const isPresent = !('url' in reference) || (await readCurrent(url, route)) === text
    const sourceMap = json !== undefined && isPresent ? await maps.parse(json, text) : undefined
    return {
      map: json !== undefined && sourceMap?.ok ? { json, sourceMap: sourceMap.value } : undefined,
      base,
    }
  }
  async function findServed(url: string, text: string): Promise<string | undefined> {
    const [own, path] = [await server(), readSourcePath(url, url)]
    const folder = own?.folder ?? root
    const served = path && (await findServedFile(path, text, folder))
    return served === undefined ? fileOf(url, url) : toTree(root, folder, served)
  }
  return {
    fileOf,
    findServed,
    readMap,
    matters(url) {
      const { protocol, hostname = '', pathname = '' } = parseUrl(url) ?? {}
      if (isEvaluated(url)) return !isLibraryPath(url) && isNameOfChanged(pathname)
      if (!/^https?:$/.test(protocol ?? '') || !isLoopbackHost(hostname) || isLibraryPath(url)) return false
      if (!SINGLE.test(pathname)) return !STYLE.test(pathname)
      return isNameOfChanged(pathname)
    },
    async find(url, script) {
      const read = await readMap(url, script)
      if (read) return findMapped(read, fileOf)
      const file = await findServed(url, script.text)
      const isWanted = file !== undefined && changed().has(file)
      return isWanted ? { sources: [{ source: '', file, content: script.text }] } : undefined
    },
  }
}

// --- internal ---

async function findMapped(
  { map, base }: ReadMap,
  fileOf: WantedSources['fileOf'],
): Promise<Omit<ReadScript, 'script'> | undefined> {
  const sources: WantedSource[] = []
  for (const source of (await map?.sourceMap.sources()) ?? []) {
    const file = await fileOf(source, base)
    if (file !== undefined) sources.push({ source, file, content: await map?.sourceMap.contentOf(source) })
  }
  return map && sources.length > 0 ? { map, sources } : undefined
}

/** Development servers make one script of such a file, at its own path. */
const SINGLE = /\.(?:[cm]?tsx?|jsx|vue|svelte|astro)$/
const STYLE = /\.(?:css|s[ac]ss|less|styl)$/

const toTree = (root: string, folder: string, file: string): string => pathInTree(root, join(folder, file))

const nameOf = (path: string): string | undefined => path.split('/').at(-1)

const readCurrent = async (url: string, route: WorkTree['route']): Promise<string | undefined> =>
  (await fetchText(new URL(url), { ...(await route()), ...MAP_FETCH_LIMITS }))?.text
