// The text of a page in a trace. A snapshot of a frame is a tree of nodes, in which `[[count, index]]` is a node of the snapshot `count`
// snapshots before, counted from its leaves.

/** One snapshot of a frame. */
export interface FrameSnapshot {
  readonly frameId: string
  readonly frameUrl: string
  readonly isMainFrame: boolean
  readonly html: unknown
}

/** The URL, the title and the visible text of the newest main frame, one line for each element with a text of its own. */
export function readSnapshotText(snapshots: readonly FrameSnapshot[]): {
  readonly url?: string
  readonly title?: string
  readonly text: string
} {
  const last = snapshots.findLast(({ isMainFrame }) => isMainFrame)
  if (!last) return { text: '' }
  const pages = snapshots.filter(({ frameId }) => frameId === last.frameId)
  const lines: SnapshotLine[] = []
  collectLines(last.html, pages.length - 1, { pages, lines, parent: '' })
  const title = lines.find(({ tag }) => tag === 'title')?.text
  return {
    url: last.frameUrl,
    ...(title !== undefined && { title }),
    text: lines
      .filter(({ tag }) => !hiddenTags.has(tag))
      .map(({ tag, text }) => `${tag}: ${text}`)
      .join('\n'),
  }
}

// --- internal ---

interface SnapshotLine {
  readonly tag: string
  readonly text: string
}

interface Collection {
  readonly pages: readonly FrameSnapshot[]
  readonly lines: SnapshotLine[]
  readonly parent: string
}

const hiddenTags: ReadonlySet<string> = new Set(['title', 'style', 'script', 'noscript', 'template', 'svg'])
const LINE_LIMIT = 200

function collectLines(node: unknown, index: number, collection: Collection): void {
  const { pages, lines, parent } = collection
  if (lines.length >= LINE_LIMIT) return
  if (typeof node === 'string') {
    const text = node.replace(/\s+/g, ' ').trim()
    if (text !== '') lines.push({ tag: parent, text })
    return
  }
  if (!Array.isArray(node)) return
  const [head, , ...children] = node as unknown[]
  if (Array.isArray(head)) {
    const [count, position] = head as number[]
    const target = index - (count ?? 0)
    const page = pages[target]
    if (page && count !== 0) collectLines(listNodes(page.html)[position ?? -1], target, collection)
    return
  }
  if (typeof head !== 'string') return
  for (const child of children) collectLines(child, index, { ...collection, parent: head.toLowerCase() })
}

/** The texts and elements of a snapshot, children before their parents, without references. */
function listNodes(html: unknown): readonly unknown[] {
  if (typeof html === 'string') return [html]
  if (!Array.isArray(html) || typeof html[0] !== 'string') return []
  return [...html.slice(2).flatMap(listNodes), html]
}
