// Parsed source maps by their text, so that a reloaded script is not parsed again; the oldest are dropped when all are too large.

import { createHash } from 'node:crypto'
import type { MapReference } from './map-reference.ts'
import { parseSourceMap } from './parse-map.ts'

export interface MapCache {
  /** The map with this JSON text of a script, or of a part of one. */
  parse(json: string, script: string | undefined): ParsedMap
}

type ParsedMap = ReturnType<typeof parseSourceMap>

/** That of an ordinary bundle for development has ten million. */
export const MAP_LIMIT_CHARS = 16_000_000
/** For each request of a map, or of a script that has one. */
export const MAP_FETCH_LIMITS = { limitBytes: MAP_LIMIT_CHARS, timeoutMs: 3000 } as const
const ALL_MAPS_LIMIT_CHARS = 32_000_000

/** `onDrop` is called when maps are dropped: nothing else may keep them then. All are dropped when the session is `closing`. */
export function createMapCache(onDrop: () => void, closing: AbortSignal): MapCache {
  const mapByHash = new Map<string, { size: number; map: ParsedMap }>()
  let total = 0
  function drop(hash: string): void {
    const dropped = mapByHash.get(hash)
    mapByHash.delete(hash)
    total -= dropped?.size ?? 0
    void dropped?.map.then((map) => map.ok && map.value.close())
    onDrop()
  }
  closing.addEventListener('abort', () => [...mapByHash.keys()].forEach(drop), { once: true })
  return {
    parse(json, script) {
      const hash = createHash('sha1')
        .update(json)
        .update(script ?? '')
        .digest('base64')
      const known = mapByHash.get(hash)
      if (known) return known.map
      const map = parseSourceMap(json, script)
      mapByHash.set(hash, { size: json.length, map })
      total += json.length
      for (const oldest of [...mapByHash.keys()]) {
        if (total <= ALL_MAPS_LIMIT_CHARS || oldest === hash) break
        drop(oldest)
      }
      return map
    },
  }
}

/** The JSON text of a map that is part of a script. */
export function decodeMap(reference: Exclude<MapReference, { url: string }>): string | undefined {
  if ('base64' in reference) return Buffer.from(reference.base64, 'base64').toString('utf8')
  try {
    return decodeURIComponent(reference.encoded)
  } catch {
    return undefined
  }
}
