// Which scripts came from files that were changed, and from what content of them.

import { realpath } from 'node:fs/promises'
import { join, posix, sep } from 'node:path'
import { decodePart } from '../../../core/base/redaction/encodings.ts'
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
import { isEvaluated } from './evaluated-text.ts'
import type { ReadScript, WantedSource } from './reading.ts'
import type { ScriptText } from './script-texts.ts'

export interface WorkTree extends Pick<ScriptMapsOptions, 'server' | 'route' | 'closing'> {
  /** Whether what comes from this URL counts; what does not is noted. */
  readonly acceptOrigin: (url: string) => boolean
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
  /** The URLs of what has a map that could not be read: it is missing, of another version, or too large. */
  unread(): readonly string[]
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

export function createWantedSources(tree: WorkTree): WantedSources {
  const { changed, root, server, route, closing, acceptOrigin } = tree
  const place = async (path: SourcePath): Promise<string | undefined> => {
    const folder = (await server())?.folder ?? root
    if (path.kind === 'file') return pathOfReal(path.path, root)
    const file = await placeSource(path, folder)
    return file === undefined || file.startsWith('/') ? undefined : pathOfReal(join(folder, file), root)
  }
  const isNameOfChanged = (path: string) =>
    [...changed()].some((file) => nameOf(file) === nameOf(decodePart(path)))
  async function fileOf(source: string, base: string): Promise<string | undefined> {
    for (const path of pathsOf(source, base)) {
      const file = await place(path)
      if (file !== undefined && changed().has(file)) return file
    }
    return undefined
  }
  const { readMap, unread } = createMapReader(route, closing)
  async function findServed(url: string, text: string): Promise<string | undefined> {
    const folder = (await server())?.folder ?? root
    for (const path of pathsOf(url, url)) {
      const served = await findServedFile(path, text, folder)
      if (served !== undefined) return pathOfReal(join(folder, served), root)
    }
    return fileOf(url, url)
  }
  return {
    fileOf,
    findServed,
    readMap,
    unread,
    matters(url) {
      const { protocol = '', pathname = '' } = parseUrl(url) ?? {}
      if (isLibraryPath(url)) return false
      // Its text is that of a script that counts.
      if (isEvaluated(url)) return isNameOfChanged(pathname)
      const isWanted = SINGLE.test(pathname) ? isNameOfChanged(pathname) : !STYLE.test(pathname)
      return isWanted && /^https?:$/.test(protocol) && acceptOrigin(url)
    },
    async find(url, script) {
      const read = await readMap(url, script)
      if (read) return findMapped(read, fileOf, changed())
      const file = await findServed(url, script.text)
      const isWanted = file !== undefined && changed().has(file)
      return isWanted ? { sources: [{ source: '', file, content: script.text }] } : undefined
    },
  }
}

// --- internal ---

function createMapReader(route: WorkTree['route'], closing: AbortSignal) {
  const maps = createMapCache(() => {}, closing)
  const unread = new Set<string>()
  // The text of a script stays, so that its map does.
  const known = new WeakMap<ScriptText, ReadMap>()
  async function readMap(url: string, script: ScriptText): Promise<ReadMap | undefined> {
    const read = known.get(script) ?? (await readMapAnew(url, script))
    if (read?.map) known.set(script, read)
    return read
  }
  async function readMapAnew(url: string, { text, mapUrl }: ScriptText): Promise<ReadMap | undefined> {
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
    if (sourceMap?.ok) unread.delete(url)
    else unread.add(url)
    const map = json !== undefined && sourceMap?.ok ? { json, sourceMap: sourceMap.value } : undefined
    return { map, base }
  }
  return { readMap, unread: () => [...unread] }
}

async function findMapped(
  { map, base }: ReadMap,
  fileOf: WantedSources['fileOf'],
  changed: ReadonlySet<string>,
): Promise<Omit<ReadScript, 'script'> | undefined> {
  const sources: WantedSource[] = []
  const names = [...changed].flatMap((file) => nameOf(file) ?? [])
  for (const source of (await map?.sourceMap.sources()) ?? []) {
    // A bundle has thousands of sources; to look for each on the disk takes long.
    if (!names.some((name) => source.includes(name) || decodePart(source).includes(name))) continue
    const file = await fileOf(source, base)
    if (file !== undefined) sources.push({ source, file, content: await map?.sourceMap.contentOf(source) })
  }
  return map && sources.length > 0 ? { map, sources } : undefined
}

/** Development servers make one script of such a file, at its own path. */
const SINGLE = /\.(?:[cm]?tsx?|jsx|vue|svelte|astro)$/
const STYLE = /\.(?:css|s[ac]ss|less|styl)$/

/** The path in the work tree of the file that a path really is: a link may lead to it. */
async function pathOfReal(path: string, root: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined)
  return real === undefined ? undefined : pathInside(root, real.split(sep).join('/'))
}

/** What a URL or a name in a map may mean: `#`, `?` and `%` are marks of a URL, or of the name itself. */
function pathsOf(source: string, base: string): readonly SourcePath[] {
  const own = parseUrl(source)
  const url = own ?? parseUrl(base)
  const folder = own || source.startsWith('/') ? '' : posix.dirname(decodePart(url?.pathname ?? ''))
  const literal = posix.join('/', folder, own ? decodePart(own.pathname) : source)
  const marked = readSourcePath(source, base)
  const isMarked = /[#?%\p{Cc}]/u.test(source) && !/^(?!https?:)[a-z-]+:/i.test(source)
  return [
    ...(isMarked ? [{ kind: 'url' as const, path: literal.slice(1) }] : []),
    ...(marked ? [marked] : []),
  ]
}

const nameOf = (path: string): string | undefined => path.split('/').at(-1)

const readCurrent = async (url: string, route: WorkTree['route']): Promise<string | undefined> =>
  withoutMark((await fetchText(new URL(url), { ...(await route()), ...MAP_FETCH_LIMITS }))?.text)

/** V8 has no mark of byte order in a text. */
const withoutMark = (text: string | undefined): string | undefined => text?.replace(/^\uFEFF/, '')
