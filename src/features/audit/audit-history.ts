// The audits of a session: what is new is judged by an earlier one of the same page.

import { parseUrl } from '../../core/base/text/parse-url.ts'
import type { PageAudit } from './finding.ts'

declare module '../../core/sessions/types/open-session.ts' {
  interface OpenSession {
    readonly audits: AuditHistory
  }
}

export interface AuditRecord extends PageAudit {
  readonly url: string
  /** Unix milliseconds. */
  readonly at: number
}

/** `baseline`: the first audit of the page. `edit`: the last one before the sources were edited last. */
export type Since = 'baseline' | 'edit'

export interface AuditHistory {
  add(record: AuditRecord): void
  /** Oldest first. */
  list(): readonly AuditRecord[]
  /** The audit to compare one of this page with. `editedAt` is when a source was edited last; without it an edit may have been at any time. */
  findEarlier(url: string, since: Since, editedAt: number | undefined): AuditRecord | undefined
}

/** The first audit of a page is kept, and the newest ones. */
const RECORD_LIMIT = 30

export function createAuditHistory(): AuditHistory {
  let records: readonly AuditRecord[] = []
  const ofPage = (url: string) => records.filter((record) => pageOf(record.url) === pageOf(url))
  return {
    add(record) {
      records = [...records, record]
      if (records.length <= RECORD_LIMIT) return
      const firsts = new Map(records.toReversed().map((one) => [pageOf(one.url), one]))
      const oldest = records.find((one) => firsts.get(pageOf(one.url)) !== one) ?? records[0]
      records = records.filter((one) => one !== oldest)
    },
    list: () => records,
    findEarlier(url, since, editedAt) {
      const earlier = ofPage(url)
      if (since === 'baseline') return earlier[0]
      if (editedAt === undefined) return earlier.at(-1)
      return earlier.findLast(({ at }) => at < editedAt) ?? earlier[0]
    },
  }
}

// --- internal ---

/** The page of a URL: a fragment is one only if it is a route. */
function pageOf(url: string): string {
  const address = parseUrl(url)
  if (!address) return url
  const { protocol, pathname, search, hash } = address
  return protocol === 'data:' ? url : `${pathname}${search}${/^#!?\//.test(hash) ? hash : ''}`
}
