import * as v from 'valibot'
import { cursor as cursorField, pattern as patternField, integerBetween } from './define/fields.ts'
import { compileSearch, type TextSearch } from './define/pattern.ts'
import { optionalTarget, targetFields } from './define/target.ts'
import { definePageTool } from './define/define-tool.ts'
import type { Outcome } from '../core/failure.ts'
import { standaloneTextOf, createOutline, searchLines } from '../core/snapshot/outline.ts'
import { takePage as partOf } from '../core/text/paging.ts'
import { visibleLines } from '../core/snapshot/modal-layers.ts'
import { resourceUriOf } from '../core/session/resource-uri.ts'
import { map, ok } from '../core/result.ts'
import { linesOf, textOf, type SnapshotLine } from '../core/snapshot/snapshot-lines.ts'
import type { OpenSession } from '../runtime/ports/open-session.ts'
import type { Target } from '../runtime/ports/page.ts'
import type { Call, Page } from '../runtime/ports/page.ts'

// With its quotes escaped as JSON this stays below 8 KB.
const DEFAULT_LIMIT_CHARS = 6500

interface SnapshotRequest {
  readonly target: Target | undefined
  readonly depth: number | undefined
  readonly diff: boolean
  readonly search: TextSearch | undefined
  readonly maxChars: number
}

interface SnapshotPart {
  readonly snapshot: string
  readonly truncated: boolean
  readonly cursor?: string
  readonly resource?: string
}

export const snapshot = definePageTool({
  name: 'snapshot',
  title: 'Snapshot',
  description:
    'The accessibility tree; pass [e5] as ref e5. A long page gives interactive elements; cursor reads all. pattern (regex) searches; diff: since the last.',
  effect: 'reads',
  input: {
    ...targetFields,
    depth: v.optional(integerBetween(1, 1000)),
    maxChars: v.optional(integerBetween(200, 200_000)),
    cursor: cursorField,
    diff: v.optional(v.boolean()),
    pattern: patternField,
  },
  output: {
    url: v.string(),
    title: v.string(),
    snapshot: v.string(),
    truncated: v.boolean(),
    cursor: v.optional(v.string()),
  },
  async run(
    { selector, ref, depth, maxChars = DEFAULT_LIMIT_CHARS, cursor, diff = false, pattern },
    page,
    call,
    { session },
  ) {
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const search = await compileSearch(pattern)
    if (!search.ok) return search
    const wanted = { target: target.value, depth, diff, search: search.value, maxChars }
    // Reading on is about the page as it was, so it is not looked at again.
    const told =
      cursor !== undefined && session.lastSnapshot.isRecorded
        ? ok(readPart(session, Number(cursor), maxChars))
        : await takeSnapshot(page, call, session, wanted)
    if (!told.ok) return told
    const title = await page.title(call)
    return title.ok ? ok({ data: { url: page.url(), title: title.value, ...told.value } }) : title
  },
})

async function takeSnapshot(
  page: Page,
  call: Call,
  session: OpenSession,
  wanted: SnapshotRequest,
): Promise<Outcome<SnapshotPart>> {
  const { target, depth, diff, search: searchIn, maxChars } = wanted
  const options = { ...(target && { target }), ...(depth !== undefined && { depth }) }
  const tree = await page.tree(options, call)
  if (!tree.ok) return tree
  const whole = !target && depth === undefined
  if (diff && whole && session.lastSnapshot.isRecorded)
    return ok({ snapshot: session.lastSnapshot.describeChanges(tree.value, maxChars), truncated: false })
  const lines = whole ? session.lastSnapshot.record(tree.value) : linesOf(tree.value)
  if (searchIn) {
    const found = await searchIn(lines.map(standaloneTextOf))
    return map(found, (texts) =>
      truncate(textOf(searchLines(lines, { test: (text) => texts.has(text) })), maxChars),
    )
  }
  const shown = visibleLines(lines)
  const text = textOf(shown)
  if (text.length <= maxChars) return ok({ snapshot: text, truncated: false })
  return ok(whole ? outlineOf(shown, session, maxChars) : truncate(text, maxChars))
}

const outlineOf = (
  lines: readonly SnapshotLine[],
  { record }: OpenSession,
  maxChars: number,
): SnapshotPart => ({
  snapshot: createOutline(lines, maxChars),
  truncated: true,
  cursor: '0',
  resource: resourceUriOf({ session: record.id, part: 'snapshot' }),
})

function readPart({ lastSnapshot }: OpenSession, from: number, maxChars: number): SnapshotPart {
  const { text, next } = partOf(lastSnapshot.text(), from, maxChars)
  return {
    snapshot: text,
    truncated: next !== undefined,
    ...(next !== undefined && { cursor: String(next) }),
  }
}

function truncate(whole: string, maxChars: number): SnapshotPart {
  const { text, next } = partOf(whole, 0, maxChars)
  return next === undefined
    ? { snapshot: text, truncated: false }
    : { snapshot: `${text}… ${whole.length - next} more characters; pass a higher maxChars`, truncated: true }
}
