import * as v from 'valibot'
import type { Target } from '../../base/action.ts'
import { invalidParameter, type Outcome } from '../../base/failure.ts'
import { resourceUriOf } from '../../base/files/resource-uri.ts'
import { err, map, ok } from '../../base/result.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import { takePage } from '../../base/text/clip.ts'
import { removeMarks } from '../../base/text/direction-marks.ts'
import { definePageTool } from '../../sessions/tools/define-session-tool.ts'
import type { OpenSession } from '../../sessions/types/open-session.ts'
import type { Page } from '../../sessions/types/page.ts'
import type { SnapshotLine } from '../../sessions/types/snapshot.ts'
import { NOTHING, omit } from '../../tool/field-texts.ts'
import {
  cursor as cursorField,
  described,
  integerBetween,
  pattern as patternField,
} from '../../tool/fields.ts'
import { compileSearch, type TextSearch } from '../../tool/pattern.ts'
import { optionalTarget, targetFields } from '../../tool/target.ts'
import { labelControls } from '../block-labels.ts'
import { compactLines } from '../compact-lines.ts'
import { omitBoxes } from '../element-boxes.ts'
import { visibleLines } from '../modal-layers.ts'
import { createOutline, labelledTextOf, searchLines } from '../outline.ts'
import { linesOf, markStates, textOf } from '../snapshot-lines.ts'

// With its quotes escaped as JSON, a snapshot of this size stays below 8 KB.
const DEFAULT_LIMIT_CHARS = 6500

interface SnapshotRequest {
  readonly target: Target | undefined
  readonly depth: number | undefined
  readonly diff: boolean
  readonly search: TextSearch | undefined
  readonly maxChars: number
  readonly boxes: boolean
  readonly from: number | undefined
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
    'The accessibility tree; pass [e5] as ref e5. A long page (maxChars 6500) gives interactive elements; cursor "0" reads all. pattern (regex) searches; diff: since the last; boxes: x,y,w,h.',
  effect: 'reads',
  input: {
    ...targetFields,
    depth: v.optional(described(integerBetween(1, 1000), 'Levels shown')),
    maxChars: v.optional(integerBetween(200, 200_000), DEFAULT_LIMIT_CHARS),
    cursor: cursorField,
    diff: v.optional(v.boolean()),
    pattern: patternField,
    boxes: v.optional(v.boolean()),
  },
  output: {
    url: v.string(),
    title: v.string(),
    snapshot: v.string(),
    truncated: v.boolean(),
    cursor: v.optional(v.string()),
  },
  texts: {
    title: (title: string, { url }, { reportedUrl }) => (url === reportedUrl ? [] : [title]),
    snapshot: (tree: string) => (tree === '' ? [NOTHING] : tree.split('\n')),
    // An unfinished tree says so itself.
    truncated: omit,
  },
  async run(
    { selector, ref, depth, maxChars, cursor, diff = false, pattern, boxes = false },
    page,
    deadline,
    { session },
  ) {
    const target = optionalTarget({ selector, ref })
    if (!target.ok) return target
    const search = await compileSearch(pattern && removeMarks(pattern))
    if (!search.ok) return search
    const request = {
      target: target.value,
      depth,
      diff,
      search: search.value,
      maxChars,
      boxes,
      from: Number(cursor ?? 0),
    }
    if (boxes && diff) return err(invalidParameter('boxes', 'either boxes or diff', 'both'))
    // A cursor continues the recorded snapshot, which has no boxes, so the page is not read again.
    const [part, title] = await Promise.all([
      cursor !== undefined && session.lastSnapshot.isRecorded && !boxes
        ? ok(pageOf(session.lastSnapshot.text(), Number(cursor), maxChars))
        : takeSnapshot(page, deadline, session, request),
      page.title(deadline),
    ])
    if (!part.ok) return part
    if (!title.ok) return title
    return ok({ data: { url: page.url(), title: title.value, ...part.value } })
  },
})

async function takeSnapshot(
  page: Page,
  deadline: Deadline,
  session: OpenSession,
  request: SnapshotRequest,
): Promise<Outcome<SnapshotPart>> {
  const { target, depth, diff, search, maxChars, boxes, from } = request
  const isFullPage = !target && depth === undefined
  const options = { target, depth, boxes, awaitsExit: true, isSeen: isFullPage }
  const tree = await page.tree(options, deadline)
  if (!tree.ok) return tree
  if (diff && isFullPage && session.lastSnapshot.isRecorded)
    return ok({
      snapshot: session.lastSnapshot.describeChanges(tree.value, maxChars).changes,
      truncated: false,
    })
  const recorded = isFullPage && session.lastSnapshot.record(boxes ? omitBoxes(tree.value) : tree.value)
  if (!isFullPage && session.lastSnapshot.isRecorded) {
    const whole = await page.tree({}, deadline)
    if (whole.ok) session.lastSnapshot.recordPart(boxes ? omitBoxes(tree.value) : tree.value, whole.value)
  }
  const lines = markStates(recorded && !boxes ? recorded : linesOf(tree.value))
  if (search) {
    const labels = labelControls(lines)
    const matches = await search(lines.map((line) => removeMarks(labelledTextOf(line, labels))))
    return map(matches, (texts) =>
      truncate(
        textOf(searchLines(lines, { test: (text) => texts.has(removeMarks(text)) }, labels)),
        maxChars,
      ),
    )
  }
  const visible = visibleLines(lines)
  // A part of the page is shown with every ref.
  const text = textOf(target || boxes ? visible : compactLines(visible))
  if (boxes && from !== undefined) return ok(pageOf(text, from, maxChars))
  if (text.length <= maxChars) return ok({ snapshot: text, truncated: false })
  return ok(isFullPage ? outlineOf(visible, session, maxChars) : truncate(text, maxChars))
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

function pageOf(fullText: string, from: number, maxChars: number): SnapshotPart {
  const { text, next } = takePage(fullText, from, maxChars)
  return {
    snapshot: text,
    truncated: next !== undefined,
    ...(next !== undefined && { cursor: String(next) }),
  }
}

function truncate(fullText: string, maxChars: number): SnapshotPart {
  const { text, next } = takePage(fullText, 0, maxChars)
  return next === undefined
    ? { snapshot: text, truncated: false }
    : {
        snapshot: `${text}… ${fullText.length - next} more characters; pass a higher maxChars`,
        truncated: true,
      }
}
