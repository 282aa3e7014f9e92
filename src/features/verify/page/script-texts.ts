// The texts of scripts. The debugger of V8 would know them, but it makes pages load half as fast and forgets the blocks that were counted; so
// they are those that the network brought, as far as it is certain which of them a script is.

import type { BrowserContext, Response } from 'playwright'
import { createBoundedMap } from '../../../core/base/bounded-collections.ts'
import { groupBy } from '../../../core/base/group-by.ts'
import { settleWithin } from '../../../core/base/system/settle-within.ts'
import { chooseVersion, lengthOf, type Version } from './choose-version.ts'
import { findEvaluated, isEvaluated } from './evaluated-text.ts'
import type { RawScript } from './targets.ts'

export interface ScriptText {
  readonly text: string
  /** Of the header of the response. */
  readonly mapUrl?: string
}

export interface ScriptTexts {
  /** The texts of the scripts by their key. */
  bind(scripts: readonly RawScript[]): Promise<ReadonlyMap<string, ScriptText>>
  end(): void
}

const URL_LIMIT = 2000
const VERSION_LIMIT = 5
const SCRIPT_LIMIT = 5000
const TEXT_TIMEOUT_MS = 5000
/** With a map in it. */
const TEXT_LIMIT_CHARS = 24_000_000
const STATUSES = new Set([200, 304])
const TYPES = new Set(['script', 'other', 'fetch', 'xhr'])

interface Received {
  readonly text: Promise<ScriptText | undefined>
  readonly isScript: boolean
  /** Whether a script is known to be this version or a later one. */
  isPast: boolean
}

/** `matters`: whether a script with this URL can be one of a file that was changed. */
export function watchScriptTexts(
  context: BrowserContext,
  matters: (url: string) => boolean,
  onUnread: (url: string) => void,
): ScriptTexts {
  const received = createBoundedMap<string, readonly Received[]>(URL_LIMIT)
  const textsByKey = createBoundedMap<string, ScriptText>(SCRIPT_LIMIT)
  const onResponse = (response: Response) => {
    const url = response.url()
    if (!STATUSES.has(response.status()) || !TYPES.has(response.request().resourceType())) return
    if (!matters(url)) return
    const isScript = response.request().resourceType() === 'script'
    const text = readText(response)
    void text.then((read) => isScript && !read && onUnread(url)).catch(() => {})
    const version = { text, isScript, isPast: false }
    received.set(url, [...(received.get(url) ?? []), version].slice(-VERSION_LIMIT))
  }
  context.on('response', onResponse)
  const evaluated = createBoundedMap<string, Map<Received, Received>>(URL_LIMIT)
  /** A module that a script evaluates is in the text of that. */
  async function versionsOf(url: string): Promise<readonly Received[]> {
    if (!isEvaluated(url)) return received.get(url) ?? []
    const known = evaluated.get(url) ?? new Map<Received, Received>()
    evaluated.set(url, known)
    for (const script of [...received.values()].flat()) {
      // What is fetched may have no end.
      if (!script.isScript || known.has(script)) continue
      const text = findEvaluated((await script.text)?.text ?? '', url)
      if (text !== undefined) known.set(script, { ...script, text: Promise.resolve({ text }), isPast: false })
    }
    return [...known.values()]
  }
  return {
    async bind(scripts) {
      const news = scripts.filter(({ key }) => !textsByKey.has(key))
      for (const [url, group] of groupBy(news, ({ url }) => url)) {
        const all = await versionsOf(url)
        const present = all.filter(({ isPast }) => !isPast)
        const versions = present.length > 0 ? present : all
        const texts = await Promise.all(versions.map(({ text }) => text))
        const chosen = chooseVersion(
          group.toSorted(byAge).map((script) => ({ key: script.key, length: lengthOf(script.functions) })),
          texts.map((text): Version | undefined => text),
        )
        for (const [key, text] of chosen) textsByKey.set(key, text)
        const last = texts.findLastIndex((text) => text && [...chosen.values()].includes(text))
        for (const version of versions.slice(0, last + 1)) version.isPast = true
      }
      return new Map(
        scripts.flatMap(({ key }) => {
          const text = textsByKey.get(key)
          return text ? [[key, text] as const] : []
        }),
      )
    },
    end: () => context.off('response', onResponse),
  }
}

// --- internal ---

async function readText(response: Response): Promise<ScriptText | undefined> {
  const headers = response.headers()
  const mapUrl = headers['sourcemap'] ?? headers['x-sourcemap']
  // A response may have no end.
  const text = await settleWithin(TEXT_TIMEOUT_MS, response.text())
  if (typeof text !== 'string' || text.length > TEXT_LIMIT_CHARS) return undefined
  // V8 has no mark of byte order.
  return { text: text.replace(/^\uFEFF/, ''), ...(mapUrl !== undefined && { mapUrl }) }
}

/** V8 numbers the scripts of an isolate. */
const byAge = (a: RawScript, b: RawScript): number => numberOf(a) - numberOf(b)

const numberOf = ({ key }: RawScript): number => Number(key.split(' ').at(-1))
