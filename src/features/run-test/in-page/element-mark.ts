// What tells an element of a page from all others: its role, and hashes, of which nothing of the page can be read. By the mark that an element
// had, the same element is found again when a locator does not find it any more. Runs in Playwright's utility world.

import { joinSpaces } from '../../../core/browser/in-page/page/elements.ts'
import {
  describeElement,
  type SelectorGenerator,
} from '../../../core/browser/in-page/snapshot/describe-element.ts'
import { chooseMark, formatMark, type Mark, parseMark, type Repair } from './choose-mark.ts'

type Injected = SelectorGenerator & {
  readonly utils: {
    /** What versions before 1.58 call the other one. */
    getElementAccessibleName?(element: Element, includesHidden: boolean): string
  }
}

/** The mark of the only element that a selector matches, as soon as one does; empty if it matches several. */
export function readMark(injected: Injected, { selector }: { readonly selector: string }): Promise<string> {
  const BATCH_LIMIT = 300
  const read = (): string | undefined => {
    const elements = injected.querySelectorAll(injected.parseSelector(selector), document)
    const [element] = elements
    if (!element) return undefined
    return elements.length > 1 ? '' : formatMark(markOf(injected, element))
  }
  const mark = read()
  if (mark !== undefined) return Promise.resolve(mark)
  return new Promise((resolve) => {
    let batches = 0
    const observer = new MutationObserver(() => {
      const late = read()
      if (late === undefined && (batches += 1) < BATCH_LIMIT) return
      observer.disconnect()
      resolve(late ?? '')
    })
    observer.observe(document, { subtree: true, childList: true, attributes: true })
  })
}

/** What is there in place of the element of a mark, if the selector finds nothing; `frame` is the selector of the frame that both are in. */
export function findRepair(
  injected: Injected,
  { selector, mark, frame }: { readonly selector: string; readonly mark: string; readonly frame: string },
): Repair | undefined {
  if (injected.querySelectorAll(injected.parseSelector(selector), document).length > 0) return undefined
  const all = listElements(injected)
  const known = parseMark(mark)
  const elements = all.filter(
    (element) => roleOf(injected, element) === known.role && hashOf(textOf(injected, element)) === known.text,
  )
  const choice = chooseMark(
    known,
    elements.map((element) => markOf(injected, element)),
    pageOf(),
  )
  if (typeof choice !== 'number') return { state: choice }
  const { utils } = injected
  Object.assign(utils, { getElementAccessibleNameText: nameReaderOf(injected) })
  const report = describeElement(
    { elements: elements.slice(choice, choice + 1), injected } as never,
    'replay',
  )
  const [best] = report.element?.selectors ?? []
  return best === undefined ? { state: 'several' } : { state: 'offered', locator: `${frame}${best}` }
}

// --- internal ---

const TEXT_LIMIT_CHARS = 200
const ELEMENT_LIMIT = 4000
/** Of those with the same tag. */
const ALIKE_LIMIT = 500

const listElements = (injected: Injected): readonly Element[] =>
  injected.querySelectorAll(injected.parseSelector('css=*'), document).slice(0, ELEMENT_LIMIT)

const roleOf = ({ utils }: Injected, element: Element): string => utils.getAriaRole(element) ?? ''

const nameReaderOf = ({ utils }: Injected) =>
  utils.getElementAccessibleNameText ?? utils.getElementAccessibleName

/** Its accessible name, or else what is written in it. */
const textOf = (injected: Injected, element: Element): string =>
  joinSpaces(nameReaderOf(injected)?.(element, false) || (element.textContent ?? '')).slice(
    0,
    TEXT_LIMIT_CHARS,
  )

/** FNV-1a. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(36)
}

/** The numbers in a path are those of what it shows. */
const pageOf = (): string => hashOf(location.pathname.replace(/[^/]*\d[^/]*/g, '0'))

function markOf(injected: Injected, element: Element): Mark {
  const [role, text] = [roleOf(injected, element), textOf(injected, element)]
  const alike = [...element.ownerDocument.getElementsByTagName(element.localName)]
    .slice(0, ALIKE_LIMIT)
    .filter((other) => roleOf(injected, other) === role && textOf(injected, other) === text)
  return {
    ...{ role, text: hashOf(text), page: pageOf(), count: Math.max(1, alike.length) },
    isEmpty: text === '',
    signs: [...new Set(signsOf(element).map(([kind, sign]) => kind + hashOf(sign)))],
  }
}

type Sign = readonly [kind: 'a' | 'c' | 'n' | 'p', text: string]

const NAMES =
  /^(id|name|type|placeholder|title|alt|href|src|for|value|aria-.*|data-test.*|data-qa|data-cy|data-id)$/
const ANCESTOR_LIMIT = 6
const SCOPE = 'li, tr, article, section, fieldset, form, dialog, nav, header, footer, main, aside, [role]'

/** What an element has, what is in and beside it, and what it is in. */
function signsOf(element: Element): readonly Sign[] {
  const signs: Sign[] = [['c', element.localName]]
  for (const { name, value } of element.attributes)
    if (NAMES.test(name) && value !== '') signs.push(['a', `${name}=${value}`])
  for (const name of element.classList) signs.push(['c', `.${name}`])
  signs.push(['c', `in it ${[...element.children].map(({ localName }) => localName).join()}`])
  for (const sibling of [element.previousElementSibling, element.nextElementSibling])
    if (sibling) signs.push(['p', `beside ${textIn(sibling)}`])
  let ancestor = element.parentElement
  for (let depth = 0; ancestor && depth < ANCESTOR_LIMIT; depth += 1) {
    signs.push(['p', `${ancestor.localName}#${ancestor.id}.${ancestor.className}`])
    ancestor = ancestor.parentElement
  }
  const scope = element.parentElement?.closest(SCOPE)
  if (scope) signs.push(['n', `${textIn(scope)} ${scope.getAttribute('aria-label') ?? ''}`])
  const heading = scope?.querySelector('h1, h2, h3, h4, h5, h6, legend, th')
  if (heading) signs.push(['n', textIn(heading)])
  return signs
}

const textIn = (element: Element): string => joinSpaces(element.textContent ?? '').slice(0, TEXT_LIMIT_CHARS)
