// Which files of a project the scripts of a page were built from.

import { createBoundedMap } from '../../core/base/bounded-collections.ts'
import type { SourceLocator } from '../../core/sessions/types/sources.ts'
import { isSourceOf, namesModule } from './bundled-names.ts'
import { readText, type ScriptMaps, type ScriptMapsOptions } from './script-maps.ts'

interface BundleReaderOptions extends Pick<ScriptMapsOptions, 'index' | 'readScript' | 'route' | 'server'> {
  readonly scripts: ScriptMaps
  readonly now: () => number
}

const SCRIPT_LIMIT = 200
const FILE_LIMIT = 100

/** Each script is read once for the same files. */
export function createBundleReader(options: BundleReaderOptions): SourceLocator['findBundled'] {
  const { index, now, readScript, route, scripts, server } = options
  const known = createBoundedMap<string, Promise<readonly string[]>>(SCRIPT_LIMIT)

  async function readNames(url: string, seq: number, files: readonly string[]): Promise<readonly string[]> {
    const script = await readText(await readScript(seq), url, route)
    const named = files.filter((file) => script && namesModule(script.text, file))
    const others = files.filter((file) => !named.includes(file))
    const map = others.length > 0 ? (await scripts.load(url, now()))?.map : undefined
    const [sources, own] = [(await map?.sources()) ?? [], await server()]
    const mapped = others.filter((file) =>
      sources.some((source) => isSourceOf(source, file, own?.folder ?? '')),
    )
    return [...named, ...mapped]
  }

  return async (allFiles, scriptUrls) => {
    const files = allFiles.slice(0, FILE_LIMIT)
    const lists = scriptUrls.slice(0, SCRIPT_LIMIT).map((url) => {
      const request = index.find(url, now())
      if (!request || files.length === 0) return []
      const key = [request.seq, url, ...files].join('\n')
      const names = known.get(key) ?? readNames(url, request.seq, files).catch(() => [])
      known.set(key, names)
      return names
    })
    return [...new Set((await Promise.all(lists)).flat())]
  }
}
