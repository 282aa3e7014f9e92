// What ran in the pages and workers of a context of the files that were changed. Where nothing is changed, nothing is read.

import type { BrowserContext } from 'playwright'
import { decodePart } from '../../../core/base/redaction/encodings.ts'
import { parseUrl } from '../../../core/base/text/parse-url.ts'
import type { CountedFunction, Reading, ReadScript, ReadStyle } from './reading.ts'
import { watchReceivedFiles } from './received-files.ts'
import { watchScriptTexts } from './script-texts.ts'
import { startStyleUsage, type StyleUsage } from './style-usage.ts'
import { openTargets, type RawScript, type TargetSession } from './targets.ts'
import { createWantedSources, type WorkTree } from './wanted-sources.ts'
import { readStyle, STYLED } from './wanted-styles.ts'

export interface PageReading {
  /** Begins to count, whether a file has been changed or not: an edit may be in a page sooner than it is known here. */
  arm(): Promise<void>
  /** Begins to count if a file has been changed since: to be called before a server can have put an edit into a page. */
  refresh(): Promise<void>
  /** What ran since the last reading. One reading waits for the one before. Never rejects. */
  take(): Promise<Reading>
  /** The URLs of scripts of which nothing could be read: they, or their maps, are missing or too large. */
  unread(): Promise<readonly string[]>
  /** Whether another reading now would leave the readings at most a twentieth of the time: nothing is lost without it while the pages stay in
   * their processes. */
  isDue(): boolean
  end(): Promise<void>
}

/** How much of the time readings may take. */
const SHARE = 0.05
const NOTHING: Reading = { scripts: [], styles: [], received: [] }

export function openPageReading(context: BrowserContext, tree: WorkTree): PageReading {
  let counting: Promise<Counting> | undefined
  let last: Promise<unknown> = Promise.resolve()
  let dueAt = 0
  const arm = async () => void (await (counting ??= startCounting(context, tree)))
  const refresh = async () => {
    if (counting || tree.changed().size > 0) await arm()
  }
  const take = async () => {
    if (!counting) return refresh().then(() => NOTHING)
    const startedAt = performance.now()
    const reading = await (await counting).take()
    const endedAt = performance.now()
    dueAt = endedAt + (endedAt - startedAt) * (1 / SHARE - 1)
    return reading
  }
  return {
    arm: () => arm().catch(() => {}),
    refresh: () => refresh().catch(() => {}),
    unread: async () => (await counting?.catch(() => undefined))?.unread() ?? [],
    isDue: () => performance.now() >= dueAt,
    take() {
      if (tree.changed().size === 0) return Promise.resolve(NOTHING)
      const reading = last.then(take).catch(() => NOTHING)
      last = reading
      return reading
    },
    async end() {
      await last
      await (await counting)?.end()
    },
  }
}

/** Of a function that was called, but whose blocks were not counted, it is not known what ran. */
export const isSure = ({ isBlockCoverage, ranges }: CountedFunction): boolean =>
  isBlockCoverage || !ranges[0]?.count

// --- internal ---

interface Counting {
  unread(): readonly string[]
  take(): Promise<Reading>
  end(): Promise<void>
}

async function startCounting(context: BrowserContext, tree: WorkTree): Promise<Counting> {
  const sources = createWantedSources(tree)
  const matters = (url: string) => tree.changed().size > 0 && sources.matters(url)
  const unread = new Set<string>()
  const texts = watchScriptTexts(context, matters, (url) => unread.add(url))
  const files = watchReceivedFiles(context, tree)
  const mattersAsStyle = mattersForStyle(tree)
  const usages = new Map<TargetSession, StyleUsage>()
  const isStyled = () => [...tree.changed()].some((file) => STYLED.test(file))
  const addStyles = (session: TargetSession) => {
    if (isStyled() && !usages.has(session))
      usages.set(
        session,
        startStyleUsage(session, { matters: mattersAsStyle, acceptOrigin: tree.acceptOrigin }),
      )
  }
  const targets = await openTargets(context, addStyles)
  async function takeStyles(): Promise<readonly ReadStyle[]> {
    const sessions = targets.sessions()
    sessions.forEach(addStyles)
    const sheets = await Promise.all(
      sessions.map(async (session) => (await usages.get(session)?.take()) ?? []),
    )
    return (await Promise.all(sheets.flat().map((sheet) => readStyle(sheet, sources, tree)))).flat()
  }
  // A page that went to another site stopped the counters of its process for a moment.
  const unsure = new Set<string>()
  return {
    async take() {
      const raw = (await targets.take()).filter(({ url }) => sources.matters(url))
      const textsByKey = await texts.bind(raw)
      const scripts: ReadScript[] = []
      for (const script of raw) {
        const text = textsByKey.get(script.key)
        const read = text && (await sources.find(script.url, text))
        if (!read) continue
        scripts.push({ ...read, script: countedOf(script, text.text) })
        if (script.functions.every(isSure) || unsure.has(script.key)) continue
        unsure.add(script.key)
        targets.compileAnew()
      }
      const [styles, received] = await Promise.all([takeStyles(), files.take()])
      return { scripts, styles, received }
    },
    unread: () => [...new Set([...unread, ...sources.unread()])],
    async end() {
      texts.end()
      files.end()
      await targets.end()
    },
  }
}

/** A sheet with a map may be of any file. */
const mattersForStyle =
  ({ changed }: WorkTree) =>
  (id: string, hasMap: boolean): boolean => {
    const path = parseUrl(id)?.pathname ?? id.replace(/[?#].*$/, '')
    const name = decodePart(path).split('/').at(-1)
    return hasMap || [...changed()].some((file) => name !== '' && file.split('/').at(-1) === name)
  }

const countedOf = ({ url, functions }: RawScript, source: string) => ({
  url,
  source,
  functions: functions.filter(isSure),
})
