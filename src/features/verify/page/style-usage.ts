// Which rules of style of a page were used since the last time, of the sheets that came from files that were changed.

import { groupBy } from '../../../core/base/group-by.ts'
import { settleWithin } from '../../../core/base/system/settle-within.ts'
import type { TargetSession } from './targets.ts'

/** What Blink names: from the selector of a rule to its end. */
interface UsedRange {
  readonly startOffset: number
  readonly endOffset: number
}

/** `id`: the file or the module that a server names, or the URL. */
export interface UsedSheet {
  readonly id: string
  readonly text: string
  readonly mapUrl?: string
  readonly used: readonly UsedRange[]
}

export interface StyleUsage {
  /** The sheets that are new or have a rule that was used, with all that was used of them so far. */
  take(): Promise<readonly UsedSheet[]>
}

interface SheetHeader {
  readonly styleSheetId: string
  readonly frameId: string
  readonly sourceURL: string
  readonly sourceMapURL?: string
  readonly ownerNode?: number
}

interface Sheet extends Omit<UsedSheet, 'used'> {
  readonly used: Map<number, UsedRange>
  isNew: boolean
}

interface Usage extends UsedRange {
  readonly styleSheetId: string
  readonly used: boolean
}

const ANSWER_TIMEOUT_MS = 2000

interface StyleFilter {
  /** Whether the sheet with this id can be one of a changed file. */
  readonly matters: (id: string, hasMap: boolean) => boolean
  /** Whether a document at this URL counts. */
  readonly acceptOrigin: (url: string) => boolean
}

export function startStyleUsage(session: TargetSession, filter: StyleFilter): StyleUsage {
  const sheets = new Map<string, Promise<Sheet | undefined>>()
  session.on<{ header: SheetHeader }>('CSS.styleSheetAdded', ({ header }) =>
    sheets.set(
      header.styleSheetId,
      readSheet(session, header, filter).catch(() => undefined),
    ),
  )
  const removed = new Set<string>()
  session.on<{ styleSheetId: string }>('CSS.styleSheetRemoved', ({ styleSheetId }) =>
    removed.add(styleSheetId),
  )
  for (const method of ['DOM.enable', 'CSS.enable', 'CSS.startRuleUsageTracking'])
    session.send(method).catch(() => {})
  return {
    async take() {
      const answer = await settleWithin(
        ANSWER_TIMEOUT_MS,
        session.send<{ coverage: readonly Usage[] }>('CSS.takeCoverageDelta'),
      )
      const coverage = answer instanceof Error || !answer ? [] : answer.coverage
      const usages = groupBy(coverage, ({ styleSheetId }) => styleSheetId)
      const taken: UsedSheet[] = []
      for (const [id, reading] of sheets) {
        const sheet = await reading
        if (!sheet) continue
        const used = usages.get(id)?.filter((usage) => usage.used) ?? []
        for (const usage of used) sheet.used.set(usage.startOffset, usage)
        if (used.length > 0 || sheet.isNew) taken.push({ ...sheet, used: [...sheet.used.values()] })
        sheet.isNew = false
      }
      for (const id of removed) sheets.delete(id)
      removed.clear()
      return taken
    },
  }
}

// --- internal ---

async function readSheet(
  session: TargetSession,
  { styleSheetId, frameId, sourceURL, sourceMapURL, ownerNode }: SheetHeader,
  { matters, acceptOrigin }: StyleFilter,
): Promise<Sheet | undefined> {
  const id = (await readModuleId(session, ownerNode)) ?? sourceURL
  const hasMap = Boolean(sourceMapURL)
  if (!matters(id, hasMap) || !acceptOrigin(await readFrameUrl(session, frameId))) return undefined
  const { text } = await session.send<{ text: string }>('CSS.getStyleSheetText', { styleSheetId })
  return { id, text, used: new Map(), isNew: true, ...(sourceMapURL && { mapUrl: sourceMapURL }) }
}

interface FrameTree {
  readonly frame: { readonly id: string; readonly url: string }
  readonly childFrames?: readonly FrameTree[]
}

/** The URL of the document of a frame: what a sheet says of itself may be of another. */
async function readFrameUrl(session: TargetSession, frameId: string): Promise<string> {
  const find = ({ frame, childFrames = [] }: FrameTree, above: string): string | undefined => {
    const url = frame.url.startsWith('about:') ? above : frame.url
    if (frame.id === frameId) return url
    return childFrames.map((child) => find(child, url)).find((own) => own !== undefined)
  }
  const { frameTree } = await session.send<{ frameTree: FrameTree }>('Page.getFrameTree')
  return find(frameTree, '') ?? ''
}

/** What Vite names on the element of a sheet. */
async function readModuleId(
  session: TargetSession,
  backendNodeId: number | undefined,
): Promise<string | undefined> {
  if (backendNodeId === undefined) return undefined
  const { node } = await session.send<{ node: { attributes?: readonly string[] } }>('DOM.describeNode', {
    backendNodeId,
  })
  const { attributes = [] } = node
  const index = attributes.indexOf('data-vite-dev-id')
  return index < 0 ? undefined : attributes[index + 1]
}
