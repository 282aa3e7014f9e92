// The changes of a page between an answer and the next call. They are read before an action begins, so that they are never taken for its
// effect, and are reported at the start of the answer.

import type { Deadline } from '../../base/system/deadline.ts'
import type { ToolCall } from '../../tool/tool-call.ts'
import type { OwnedSession } from '../types/owned-session.ts'

type NewsCall = Pick<ToolCall, 'changesPage' | 'reportsOthers' | 'group'>

/** Begins to read the changes since the last report to the client, if the call may change the page. */
export function readNews(session: OwnedSession, call: NewsCall, deadline: Deadline): void {
  const { page, lastSnapshot } = session
  if (!call.changesPage || call.reportsOthers || !lastSnapshot.isRecorded) return
  // The calls of `steps` have one answer, so only the first of them reads it.
  if (call.group !== undefined && call.group === session.newsGroup) return
  session.newsGroup = call.group
  session.news = page.readNews(deadline)
}

/** Describes the changes, which are reported to the client now; undefined if there are none. */
export async function takeNews(session: OwnedSession, maxChars: number): Promise<string | undefined> {
  const { lastSnapshot, redact } = session
  const news = await session.news
  session.news = undefined
  if (!news) return undefined
  const known = lastSnapshot.text()
  const { changes } = lastSnapshot.describeChanges(news.tree, maxChars)
  const passed = news.messages
    .map(redact)
    .filter((message) => !known.includes(message.replace(/^\S+ /, '')))
    .map((message) => `+ ${message} (gone again)`)
  return [changes, ...passed].filter(Boolean).join('\n') || undefined
}
