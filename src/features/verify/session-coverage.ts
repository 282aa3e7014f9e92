// What ran of the changed files in one session goes to the ledger: read after each action, before each navigation and at the end.

import { statSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopbackHost } from '../../core/base/network/http-guard.ts'
import { settleWithin } from '../../core/base/system/settle-within.ts'
import { parseUrl } from '../../core/base/text/parse-url.ts'
import type { OwnedSession } from '../../core/sessions/types/owned-session.ts'
import type { SessionFeature } from '../../core/sessions/types/session-feature.ts'
import { type CoverageParts, createCoverageReader } from './coverage-reader.ts'

declare module '../../core/sessions/types/open-session.ts' {
  interface OpenSession {
    readonly coverage: SessionCoverage
  }
}

interface SessionCoverage {
  /** The folder whose work tree it is about. */
  readonly folder: string
  /** Why nothing is known of what its pages run; undefined where that is counted. */
  readonly unseen: string | undefined
  /** Waits until what has run is in the ledger. */
  flush(): Promise<void>
}

interface SessionCoverageParts extends CoverageParts {
  /** What the answer of verify says in a few words; undefined where nothing is changed. */
  readonly summarize: () => Promise<string | undefined>
  readonly serverVariables: NonNullable<SessionFeature['serverVariables']>
}

const CALL_LIMIT_CHARS = 60
const LEAVING_TIMEOUT_MS = 300
const END_TIMEOUT_MS = 2000
const LOADED_TYPES = new Set(['script', 'stylesheet', 'document', 'other'])
const LEAVING = new Set(['navigate', 'history', 'closeTab'])

export function createSessionCoverage(parts: SessionCoverageParts): SessionFeature {
  const { folder, unseen } = parts
  const reader = unseen === undefined ? createCoverageReader(parts) : undefined
  const hasNews = watchForEdits(folder)
  let lastCall = ''
  let session: OwnedSession | undefined
  return {
    serverVariables: parts.serverVariables,
    open(owner) {
      session = owner
      reader?.open(owner)
      const flush = async () => {
        await reader?.refresh()
        await reader?.read(lastCall)
      }
      return { coverage: { folder, unseen, flush } }
    },
    onRequest({ url, type }) {
      if (reader && LOADED_TYPES.has(type) && hasNews(url)) void reader.refresh()
    },
    async perform(action, next) {
      // What the page ran goes with its document.
      if (reader && LEAVING.has(action.kind)) await settleWithin(LEAVING_TIMEOUT_MS, reader.read(lastCall))
      return next()
    },
    async afterAction({ call: { description } }) {
      lastCall = callOf(session?.redact(description) ?? '')
      // No answer waits for it.
      void reader?.read(lastCall, { mayWait: true })
    },
    async summarize() {
      await reader?.read(lastCall)
      const text = await parts.summarize()
      return text === undefined ? undefined : { name: 'verify', text }
    },
    async beforeClose() {
      if (reader) await settleWithin(END_TIMEOUT_MS, reader.read(lastCall).then(reader.end))
      return async () => {
        await (await parts.servers())?.end()
        return ''
      }
    },
  }
}

// --- internal ---

const LOOK_INTERVAL_MS = 1000

/** Returns a function that tells whether a request can be one for an edit that nobody has seen: for a file that changed since the last look, or
 * for what is made of several files, once in a while. */
function watchForEdits(folder: string): (url: string) => boolean {
  let lookedAt = Date.now()
  return (url) => {
    const { hostname = '', pathname = '' } = parseUrl(url) ?? {}
    if (!isLoopbackHost(hostname)) return false
    const changedAt = statSync(join(folder, decodePath(pathname)), { throwIfNoEntry: false })?.mtimeMs
    const now = Date.now()
    if (changedAt === undefined ? now - lookedAt < LOOK_INTERVAL_MS : changedAt < lookedAt) return false
    lookedAt = now
    return true
  }
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** The tool and its target, without the query of an address. */
const callOf = (description: string): string =>
  description
    .replace(/(\s(?:\/|https?:)[^\s?#]*)[?#]\S*/g, '$1')
    .replace(/\s+/g, ' ')
    .slice(0, CALL_LIMIT_CHARS)
