import type { Page as PlaywrightPage } from 'playwright'
import { readDomNodes, readHtml, readMarkdown, readText } from '../in-page/generated.ts'
import type { DomNode, SingleMatch } from '../in-page/page/page-content.ts'
import { ambiguousFailure, attempt } from '../playwright/errors.ts'
import { evaluateTarget, locate, describeTarget, targetFailure } from '../playwright/locator.ts'
import type { Outcome } from '../../base/failure.ts'
import { err, ok } from '../../base/result.ts'
import type { SecretHooks } from '../../sessions/types/browsers.ts'
import type { Page } from '../../sessions/types/page.ts'
import type { Deadline } from '../../base/system/deadline.ts'
import type { Target } from '../../base/action.ts'

interface ContentOptions {
  readonly target?: Target
  readonly format: 'html' | 'text' | 'markdown'
  readonly from: number
  readonly maxChars: number
}

/** A part of a content of `total` characters; `end` is the offset of the next part. */
interface ContentPart {
  readonly text: string
  readonly total: number
  readonly end: number
}

/** A part of the content of the page or an element. The whole content is created, and cut, inside the page. */
export const readContent = (
  { parts }: Page,
  options: ContentOptions,
  deadline: Deadline,
): Promise<Outcome<ContentPart>> => {
  const { target, format, from, maxChars } = addContentMargins(options)
  return parts.readRedacted(
    ({ page }) => readElement(page, target, contentReaders[format], { from, maxChars }),
    deadline,
    (content) => ok(removeContentMargins(content, options, parts.secrets)),
  )
}

type Dom = { readonly nodes: readonly DomNode[]; readonly truncated: boolean }

export const readDom = (
  { parts }: Page,
  { target, maxNodes }: { target?: Target; maxNodes: number },
  deadline: Deadline,
): Promise<Outcome<Dom>> =>
  parts.readRedacted(
    async ({ page }) => {
      const json = await readElement(page, target, readDomNodes, maxNodes)
      return json.ok ? ok(JSON.parse(json.value) as Dom) : json
    },
    deadline,
    ok,
  )

// --- internal ---

// Read before and after a part too, so that a secret which the part would cut is recognized.
const CONTENT_MARGIN_CHARS = 10_000

function addContentMargins(options: ContentOptions): ContentOptions {
  const from = Math.max(0, options.from - CONTENT_MARGIN_CHARS)
  return { ...options, from, maxChars: options.from - from + options.maxChars + CONTENT_MARGIN_CHARS }
}

/** The requested part, not cut inside a secret. */
function removeContentMargins(
  { text, total }: ContentPart,
  { from, maxChars }: ContentOptions,
  secrets: SecretHooks | undefined,
): ContentPart {
  const before = from - Math.max(0, from - CONTENT_MARGIN_CHARS)
  if (!secrets)
    return { text: text.slice(before, before + maxChars), total, end: Math.min(total, from + maxChars) }
  const part = secrets.redactPart(text, before, maxChars)
  return { text: part.text, total, end: part.end === text.length ? total : from - before + part.end }
}

const contentReaders = { html: readHtml, text: readText, markdown: readMarkdown }

// An element that is not there now is not waited for.
async function readElement<A, T>(
  page: PlaywrightPage,
  target: Target = { selector: ':root' },
  read: (elements: Element[], arg: A) => SingleMatch<T>,
  arg: A,
): Promise<Outcome<T>> {
  const locatorResult = await locate(page, target)
  if (!locatorResult.ok) return locatorResult
  const match = await attempt(evaluateTarget({ locator: locatorResult.value, target }, read, arg), (error) =>
    targetFailure(error, target),
  )
  if (!match.ok) return match
  if ('value' in match.value) return ok(match.value.value)
  const { count } = match.value
  if (count === 0) return err({ code: 'ELEMENT_NOT_FOUND', target: describeTarget(target), waited: 0 })
  return err(ambiguousFailure(describeTarget(target), count))
}
