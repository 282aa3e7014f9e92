// Says that a page which had content shows nothing: after each action, and to who reads an empty page.

import { startTimer, type Timer } from '../../../core/base/system/timer.ts'
import type { NewSession, SessionFeature } from '../../../core/sessions/types/session-feature.ts'
import { type BlankSearch, createBlankSearch, type NoteCause, type Suspicion } from './blank-search.ts'
import { hasErrorSince } from './name-places.ts'

declare module '../../../core/sessions/types/open-session.ts' {
  interface OpenSession {
    /** Since when the page is blank, such as `since click #go: it had 40 elements`; undefined if it is not. */
    blank(): Promise<string | undefined>
  }
}

export function watchBlank({ redactor, journal }: NewSession, noteCause: NoteCause): SessionFeature {
  let search: BlankSearch | undefined
  let isActing = false
  let act = { name: '', seq: 0 }
  let pause: Timer | undefined
  return {
    open(session) {
      const own = createBlankSearch(session, noteCause)
      search = own
      return { blank: async () => summaryOf(await own.look()) }
    },
    beforeCall({ description, changesPage, timeoutKind, hasTarget, readsPageOutput }) {
      isActing = changesPage
      pause?.stop()
      if (changesPage) {
        act = { name: redactor.redactText(description), seq: journal.lastSeq() }
        const isInput = hasTarget && !readsPageOutput
        // Who opens an address waits for no look at the document before.
        const isOpening = timeoutKind === 'navigation' && !description.startsWith('history')
        search?.begin(act, isOpening ? 'none' : isInput ? 'if unknown' : 'always')
      }
      return undefined
    },
    async describeAction({ session, newEntries, call }) {
      // Read while the page settles, it costs nothing. What is emptied later without an error is said with the next call. A new document is blank
      // with an error alone.
      const isFull = call.timeoutKind === 'navigation' || search?.isFull()
      await newEntries
      if ((await isFull) && !search?.isOpen() && !hasErrorSince(session, act.seq)) return []
      const blank = await search?.look()
      return blank ? [sentenceOf(blank, blank.act === act)] : []
    },
    async afterAction({ call: { timeoutKind } }) {
      if (timeoutKind === 'navigation') pause = startTimer(PAUSE_MS, () => void search?.isFull())
    },
    async describeCall(_, data) {
      const { snapshot } = data as Readonly<Record<string, unknown>>
      const blank = !isActing && (search?.isOpen() || snapshot === '') ? await search?.look() : undefined
      if (!blank || typeof snapshot !== 'string') return undefined
      return { data: { snapshot: [sentenceOf(blank), snapshot].filter(Boolean).join('\n') } }
    },
    async beforeClose() {
      pause?.stop()
      return () => ''
    },
  }
}

// --- internal ---

/** After a navigation the page is read when nobody waits for it. */
const PAUSE_MS = 300

const summaryOf = (blank: Suspicion | undefined): string | undefined =>
  blank && `since ${blank.act.name}: it had ${countOf(blank.before)}`

function sentenceOf({ before, cause, act }: Suspicion, isNow = false): string {
  const call = isNow ? (act.name.startsWith('click ') ? 'this click' : 'this call') : act.name
  const places = cause?.places.map(({ file, line }) => `${file}:${line}`) ?? []
  const named = places.length > 0 ? ` Its error: ${places.join(', ')}.` : ''
  return `The page is blank since ${call}: it had ${countOf(before)}.${named}`
}

const countOf = ({ elements }: Suspicion['before']): string =>
  `${elements} element${elements === 1 ? '' : 's'}`
