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
  collectLines(last.html, pages.length - 1, { pages, lines, element: { tag: '' } })
  const title = lines.find(({ element }) => element.tag === 'title')?.text
  return {
    url: last.frameUrl,
    ...(title !== undefined && { title: textOf(title) }),
    text: lines
      .filter(({ element }) => !hiddenTags.has(element.tag))
      .map(({ element, text }) => `${element.tag}: ${textOf(text)}`)
      .join('\n'),
  }
}

// --- internal ---

/** The text of an element without that of others in it. */
interface SnapshotLine {
  readonly element: SnapshotElement
  text: string
}

interface SnapshotElement {
  readonly tag: string
}

interface Collection {
  readonly pages: readonly FrameSnapshot[]
  readonly lines: SnapshotLine[]
  readonly element: SnapshotElement
}

const hiddenTags: ReadonlySet<string> = new Set(['title', 'style', 'script', 'noscript', 'template', 'svg'])
const LINE_LIMIT = 200

function collectLines(node: unknown, index: number, collection: Collection): void {
  const { pages, lines, element } = collection
  if (lines.length >= LINE_LIMIT) return
  if (typeof node === 'string') {
    const line = lines.at(-1)
    // A framework writes a text with a value in it as several.
    if (line?.element === element) line.text += node
    else if (node.trim() !== '') lines.push({ element, text: node })
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
  const own = { ...collection, element: { tag: head.toLowerCase() } }
  for (const child of children) collectLines(child, index, own)
}

const textOf = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** The texts and elements of a snapshot, children before their parents, without references. */
function listNodes(html: unknown): readonly unknown[] {
  if (typeof html === 'string') return [html]
  if (!Array.isArray(html) || typeof html[0] !== 'string') return []
  return [...html.slice(2).flatMap(listNodes), html]
}
