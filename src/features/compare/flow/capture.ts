// What a user can see of the page of one version after a part of a flow: read when it has come to rest.

import type { Outcome } from '../../../core/base/failure.ts'
import type { Box, Size } from '../../../core/base/geometry.ts'
import type { Image } from '../../../core/base/image.ts'
import { ok } from '../../../core/base/result.ts'
import type { Deadline } from '../../../core/base/system/deadline.ts'
import type { JournalEntry } from '../../../core/sessions/journal/journal.ts'
import type { NetworkRequest } from '../../../core/sessions/journal/network-log.ts'
import type { Page } from '../../../core/sessions/types/page.ts'
import type { AriaNode, AriaTree } from '../../../core/sessions/types/snapshot.ts'
import { omitBoxes } from '../../../core/snapshot/element-boxes.ts'
import { linesOf } from '../../../core/snapshot/snapshot-lines.ts'
import { auditPage, readPageLayout } from '../../audit/audit-page.ts'
import {
  type AreaWithElements,
  compareScreenshot,
  type ScreenshotComparison,
} from '../../baseline/compare-screenshot.ts'
import { limitDeadline } from '../../lib/replay/run-check.ts'
import type { PageView, ViewEntry, ViewLine } from '../differences/page-view.ts'
import type { Ending } from '../differences/step-endings.ts'
import type { Side } from './sides.ts'

export interface Capture {
  readonly view: PageView
  readonly picture?: Image
  /** Why there is none. */
  readonly pictureProblem?: string
  /** What scrolls by itself, such as `<main>`: the picture shows its first part only. */
  readonly scrollers: readonly string[]
  /** Where the picture differs from that of the base. */
  readonly areas: readonly AreaWithElements[]
  /** The boxes of elements by their refs, in CSS pixels of the page. */
  readonly boxes: ReadonlyMap<string, Box>
  readonly url: string
  readonly ending: Ending
  /** How many tabs were opened that no step was done in. */
  readonly unseenTabs: number
}

export interface CaptureOptions {
  /** The newest entry of the session before the part of the flow. */
  readonly since: number
  /** The same of the base. */
  readonly base?: Capture
  /** Whether the page may be made narrow: nothing depends on it afterwards. */
  readonly isLast: boolean
  /** The tabs in which something was done. */
  readonly usedTabs: ReadonlySet<string>
}

const REQUESTS_TIMEOUT_MS = 2000
const PICTURE_TIMEOUT_MS = 12_000
const AUDIT_TIMEOUT_MS = 10_000
/** Both versions are drawn by the same browser: a shade that nobody could tell from the next one is a change too. */
const COLOR_THRESHOLD = 0.02
const STILL_PAUSE_MS = 300
const READING_LIMIT = 7
const NARROW_WIDTH = 320
/** What an element hides of its content is more than a line that does not fit by some pixels. */
const HIDDEN_MINIMUM_PIXELS = 8

/** Resolves after some milliseconds. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => AbortSignal.timeout(ms).addEventListener('abort', () => resolve()))

export async function capturePage(
  page: Page,
  side: Side,
  { since, base, isLast, usedTabs }: CaptureOptions,
  deadline: Deadline,
): Promise<Outcome<Capture>> {
  await page.settle(pause(REQUESTS_TIMEOUT_MS))
  await page.waitForAnimations()
  const { tree, picture } = await readAtRest(page, side, base, deadline)
  if (!tree.ok) return tree
  const title = await page.title(deadline)
  const layout = await readPageLayout(page, deadline)
  const wide = layout.ok ? overflowOf(layout.value.wide, layout.value.width, 0) : []
  const narrow = isLast && layout.ok ? await readNarrow(page, layout.value, deadline) : []
  const console = await readConsole(side, since)
  const { scrollers, ...ending } = await readFacts(page, side, deadline)
  const audit = await auditPage(page, limitDeadline(deadline, AUDIT_TIMEOUT_MS), 'accessibility')
  const { scrollX, scrollY } = layout.ok ? layout.value : { scrollX: 0, scrollY: 0 }
  return ok({
    view: {
      address: localText(page.url(), side),
      title: title.ok ? title.value : '',
      lines: toLines(tree.value, side),
      console,
      requests: readRequests(side, since),
      overflow: [...wide, ...narrow],
      ...(audit.ok && audit.value.notes.length === 0 && { violations: audit.value.findings }),
    },
    ...(picture.ok ? { picture: picture.value.image } : { pictureProblem: picture.error.code }),
    scrollers,
    areas: picture.ok ? (picture.value.result?.areas ?? []) : [],
    boxes: boxesOf(tree.value, scrollX, scrollY),
    url: page.url(),
    ending,
    unseenTabs: page.tabIds().all.filter((id) => !usedTabs.has(id)).length,
  })
}

/** The picture of the page at rest, and where it differs from that of the base. */
export const comparePicture = (
  page: Page,
  base: Image | undefined,
  ignored: readonly Box[],
  deadline: Deadline,
): Promise<Outcome<ScreenshotComparison>> =>
  compareScreenshot(
    page,
    {
      fullPage: true,
      tolerance: 0,
      threshold: COLOR_THRESHOLD,
      baseline: base?.bytes,
      ...(ignored.length > 0 && { ignored }),
    },
    limitDeadline(deadline, PICTURE_TIMEOUT_MS),
  )

// --- internal ---

/** The tree and the picture once the tree no longer changes, or at once if it is that of the base. */
async function readAtRest(
  page: Page,
  side: Side,
  base: Capture | undefined,
  deadline: Deadline,
): Promise<{ readonly tree: Outcome<AriaTree>; readonly picture: Outcome<ScreenshotComparison> }> {
  const textOf = (tree: AriaTree) => textOfLines(toLines(tree, side))
  const baseText = base && textOfLines(base.view.lines)
  const takePicture = () => comparePicture(page, base?.picture, [], deadline)
  let tree = await page.tree({ boxes: true }, deadline)
  for (let reading = 1; ; reading += 1) {
    if (!tree.ok || textOf(tree.value) === baseText) return { tree, picture: await takePicture() }
    // A picture takes about as long as the pause.
    const [picture] = await Promise.all([takePicture(), pause(STILL_PAUSE_MS)])
    const next = await page.tree({ boxes: true }, deadline)
    const isStill = next.ok && textOf(next.value) === textOf(tree.value)
    if (isStill || reading === READING_LIMIT) return { tree: next, picture }
    tree = next
    await page.settle()
  }
}

/** A field for a password that exists, in a document and in the open roots of its components; the error that covers the page; and what scrolls
 * by itself. */
const READ_FACTS = `() => {
  const roots = (root) => [root, ...[...root.querySelectorAll('*')].flatMap((element) => {
    if (element.shadowRoot) return roots(element.shadowRoot)
    try { return element.localName === 'iframe' && element.contentDocument ? roots(element.contentDocument) : [] } catch { return [] }
  })]
  const isShown = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== 'hidden'
  const hides = (element) => {
    const isLong = element.scrollHeight > element.clientHeight + ${HIDDEN_MINIMUM_PIXELS}
    const isWide = element.scrollWidth > element.clientWidth + ${HIDDEN_MINIMUM_PIXELS}
    if (!isLong && !isWide) return false
    const { overflowX, overflowY } = getComputedStyle(element)
    return ((isLong && /auto|scroll/.test(overflowY)) || (isWide && /auto|scroll/.test(overflowX))) && isShown(element)
  }
  // The overflow of a body is that of the window, where the root has none.
  const isWindow = ({ localName, ownerDocument: { documentElement } }) =>
    localName === 'html' || (localName === 'body' && getComputedStyle(documentElement).overflow === 'visible')
  const scrollers = roots(document).flatMap((root) => [...root.querySelectorAll('*')])
    .filter((element) => !isWindow(element) && !/^(textarea|select|option)$/.test(element.localName) && hides(element))
    .map(({ localName, id, classList: [name] }) => '<' + localName + (id ? '#' + id : name ? '.' + name : '') + '>')
  const asksPassword = roots(document).some((root) => {
    const fields = [...root.querySelectorAll('input[type=password]')].filter(isShown)
    return fields.length === 1 && fields[0].autocomplete !== 'new-password'
  })
  const covers = [['vite-error-overlay', 'Vite'], ['nuxt-error-overlay', 'Nuxt'], ['rsbuild-error-overlay', 'Rsbuild'], ['#webpack-dev-server-client-overlay', 'webpack']]
  const [, overlay = ''] = covers.find(([selector]) => document.querySelector(selector)) || []
  return { asksPassword, overlay, scrollers: [...new Set(scrollers)].slice(0, 3) }
}`

type PageFacts = Ending & Pick<Capture, 'scrollers'>

async function readFacts(page: Page, { session }: Side, deadline: Deadline): Promise<PageFacts> {
  const reading = await page.evaluate(READ_FACTS, undefined, undefined, deadline)
  const facts = reading.ok ? (reading.value.result as Omit<PageFacts, 'status'> | undefined) : undefined
  const status = session.network.sincePageLoad().find(({ isPageLoad }) => isPageLoad)?.status
  return {
    asksPassword: facts?.asksPassword === true,
    scrollers: facts?.scrollers ?? [],
    ...(facts?.overlay && { overlay: facts.overlay }),
    status,
  }
}

const textOfLines = (lines: readonly ViewLine[]): string => lines.map(({ text }) => text).join('\n')

function toLines(tree: AriaTree, side: Side): readonly ViewLine[] {
  const refs = refsByKey(tree)
  const localize = localizerOf(side)
  return linesOf(omitBoxes(tree)).flatMap(({ key, text, name, ref, isHidden }) => {
    if (isHidden) return []
    // The key of a text begins with that of the element that it is in.
    const owner = ref ?? refs.get(key.slice(0, Math.max(0, key.lastIndexOf(`/${name}#`))))
    return [{ text: localize(ref === undefined ? text : text.replace(` [${ref}]`, '')), ref: owner }]
  })
}

const nodesOf = (tree: AriaTree): readonly AriaNode[] =>
  tree.flatMap((node) => (typeof node === 'string' ? [] : [node, ...nodesOf(node.children ?? [])]))

function refsByKey(tree: AriaTree): ReadonlyMap<string, string> {
  const refs = new Map<string, string>()
  for (const { ref, key = ref } of nodesOf(tree))
    if (ref !== undefined && key !== undefined) refs.set(key, ref)
  return refs
}

/** Ports after that of the page that belong to the same command. */
const PORT_GAP = 10

/** Makes a text one without the address of the server and the folder of its files, which are other ones in each version. */
function localizerOf({ origin, root }: Pick<Side, 'origin' | 'root'>): (text: string) => string {
  const { host, hostname, port } = new URL(origin)
  const first = Number(port)
  const hasRoot = root !== undefined && root.length > 1
  return (text) =>
    (hasRoot ? text.replaceAll(`${root}/`, '').replaceAll(`${root}\\`, '') : text)
      .replaceAll(origin, '')
      .replaceAll(host, hostname)
      .replace(/\b(localhost|127\.0\.0\.1|\[::1\]):(\d{4,5})\b/g, (whole, name: string, other: string) => {
        const distance = Number(other) - first
        if (distance === 0) return name
        return distance > 0 && distance < PORT_GAP ? `${name}:PORT+${distance}` : whole
      })
}

const localText = (text: string, side: Side): string => localizerOf(side)(text)

function boxesOf(tree: AriaTree, scrollX: number, scrollY: number): ReadonlyMap<string, Box> {
  const boxes = new Map<string, Box>()
  for (const { ref, box } of nodesOf(tree))
    if (ref !== undefined && box) boxes.set(ref, { ...box, x: box.x + scrollX, y: box.y + scrollY })
  return boxes
}

const overflowOf = (
  wide: readonly { readonly name: string; readonly selector: string; readonly right: number }[],
  width: number,
  narrow: number,
): readonly ViewEntry[] =>
  wide.map(({ name, selector, right }) => ({
    text: `${name} is ${right - width} px wider than the page${narrow ? ` at ${narrow} px` : ''}`,
    key: `${narrow} ${name}`,
    ref: selector,
  }))

async function readNarrow(
  page: Page,
  { width, height }: Size,
  deadline: Deadline,
): Promise<readonly ViewEntry[]> {
  const resize = (to: number) =>
    page.perform({ kind: 'emulate', change: { viewport: { width: to, height } } }, deadline)
  const changed = await resize(NARROW_WIDTH)
  if (!changed.ok) return []
  await page.waitForAnimations()
  const layout = await readPageLayout(page, deadline)
  await resize(Math.max(width, NARROW_WIDTH))
  return layout.ok ? overflowOf(layout.value.wide, layout.value.width, NARROW_WIDTH) : []
}

const ENTRY_LIMIT = 500
const LOCATE_TIMEOUT_MS = 1500
/** The network log has the same. */
const REPEATED_REQUEST = /^error: Failed to load resource:/

async function readConsole(side: Side, since: number): Promise<readonly ViewEntry[]> {
  const { journal, sources, redactor } = side.session
  const accept = ({ level, text }: JournalEntry) =>
    (level === 'error' || level === 'warning') && !REPEATED_REQUEST.test(text)
  const { entries } = journal.read({ kinds: ['console'], since, limit: ENTRY_LIMIT, accept })
  const entriesWithSource = await sources.locateEntries(entries, LOCATE_TIMEOUT_MS)
  return entriesWithSource.map((entry) => {
    const source = sources.firstSourceOf(entry)
    const text = localText(redactor.redactText(entry.message ?? entry.text), side)
    return {
      text,
      key: text.replace(/\bhttps?:\S+|\/\S+:\d+/g, '').replace(/\d+/g, '#'),
      file: source?.file,
      line: source?.line,
    }
  })
}

/** What the page asks for by itself, apart from its code. */
const DATA_TYPES: ReadonlySet<string> = new Set([
  'document',
  'fetch',
  'xhr',
  'image',
  'font',
  'media',
  'websocket',
  'eventsource',
  'ping',
])
const FAILED_STATUS = 400

function readRequests(side: Side, since: number): readonly ViewEntry[] {
  const { network, redactor } = side.session
  return network.read({ since, limit: ENTRY_LIMIT }).entries.flatMap((request) => {
    const outcome = outcomeOf(request)
    if (outcome === undefined || (!DATA_TYPES.has(request.type) && outcome.isOk)) return []
    // A development server gives each load a token for its socket.
    const address = request.type === 'websocket' ? request.url.replace(/\?.*$/s, '') : request.url
    const url = localText(redactor.redactText(address), side)
    const text = `${request.method} ${url} → ${outcome.text}`
    return [{ text, key: text }]
  })
}

// A request that is aborted because the page navigates is no failure.
function outcomeOf({
  state,
  status,
  failure = '',
}: NetworkRequest): { readonly text: string; readonly isOk: boolean } | undefined {
  if (status !== undefined && status >= FAILED_STATUS) return { text: String(status), isOk: false }
  if (state === 'failed' && status === undefined)
    return /ABORTED/.test(failure) ? undefined : { text: `failed (${failure})`, isOk: false }
  return { text: 'ok', isOk: true }
}
