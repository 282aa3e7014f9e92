// Reads a part of the content of one element: it is rendered and truncated inside the page.

import { joinSpaces, readDrawnMarkup } from './elements.ts'

export interface DomNode {
  readonly tag: string
  readonly attributes?: Readonly<Record<string, string>>
  readonly text?: string
  readonly children?: readonly DomNode[]
}

/** The value of the only match, or the number of matches. */
export type SingleMatch<T> = { readonly value: T } | { readonly count: number }

// The text as it is rendered, with that of shadow roots where their slots put it.
function renderText(root: Element): string {
  const isComposed = (element: Element): boolean =>
    [element, ...element.querySelectorAll('*')].some((one) => one.shadowRoot || one.localName === 'slot')
  const plainText = (element: Element): string =>
    (element as HTMLElement).innerText ?? element.textContent ?? ''

  function render(node: Node): string {
    if (node instanceof Text) return node.data.replace(/\s+/g, ' ')
    if (!(node instanceof Element)) return ''
    const { display } = getComputedStyle(node)
    if (display === 'none') return ''
    const text = isComposed(node) ? renderNodes(node) : plainText(node)
    return /^(inline|contents)/.test(display) ? text : `\n${text.trim()}\n`
  }
  function renderNodes(element: Element): string {
    const assigned = element instanceof HTMLSlotElement ? element.assignedNodes() : []
    const nodes = assigned.length > 0 ? assigned : [...(element.shadowRoot ?? element).childNodes]
    return nodes.map(render).join('')
  }

  if (!isComposed(root)) return plainText(root)
  return renderNodes(root)
    .replace(/[ \t]*\n\s*/g, '\n')
    .trim()
}

interface ContentRange {
  readonly from: number
  readonly maxChars: number
}

function readContent(
  elements: Element[],
  { from, maxChars }: ContentRange,
  render: (element: Element) => string,
): SingleMatch<{ text: string; total: number; end: number }> {
  const [element] = elements
  if (!element || elements.length > 1) return { count: elements.length }
  const text = readDrawnMarkup(element) ?? render(element)
  return { value: { text: text.slice(from, from + maxChars), total: text.length, end: text.length } }
}

export const readHtml = (elements: Element[], range: ContentRange) =>
  readContent(elements, range, (element) => element.outerHTML)
export const readText = (elements: Element[], range: ContentRange) => readContent(elements, range, renderText)
export const readMarkdown = (elements: Element[], range: ContentRange) =>
  readContent(elements, range, renderMarkdown)

/** As JSON text, because Playwright takes half a second to serialize ten thousand objects, which blocks all sessions. */
export function readDomNodes(elements: Element[], maxNodes: number): SingleMatch<string> {
  const [element] = elements
  if (!element || elements.length > 1) return { count: elements.length }
  return { value: JSON.stringify(listDomNodes(element, maxNodes)) }
}

// Lists the elements of a subtree level by level, so that the deepest ones are truncated.
function listDomNodes(root: Element, maxNodes: number): { nodes: DomNode[]; truncated: boolean } {
  type MutableNode = {
    tag: string
    attributes?: Record<string, string>
    text?: string
    children?: MutableNode[]
  }
  const truncate = (text: string, limit: number) => (text.length > limit ? `${text.slice(0, limit)}…` : text)
  const CHAR_LIMIT = 500_000
  const DEPTH_LIMIT = 500
  let count = 0
  let chars = 0
  let truncated = false
  // A field of a form hides the property of its name.
  const read = <Name extends keyof Element>(element: Element, name: Name): Element[Name] =>
    Reflect.get(Element.prototype, name, element)

  function createNode(element: Element): MutableNode {
    const attributes: Record<string, string> = {}
    for (const { name, value } of [...read(element, 'attributes')].slice(0, 30))
      attributes[truncate(name, 100)] = truncate(value, 200)
    const textNodes = [...read(element, 'childNodes')].filter((node) => node.nodeType === Node.TEXT_NODE)
    const text = textNodes
      .map((node) => node.textContent ?? '')
      .join(' ')
      .replace(/\s+/g, ' ')
      .trim()
    const tag = read(element, 'localName')
    const isCode = tag === 'script' || tag === 'style'
    const node: MutableNode = { tag: truncate(tag, 100) }
    if (Object.keys(attributes).length > 0) node.attributes = attributes
    if (text !== '' && !isCode) node.text = truncate(text, 500)
    chars += JSON.stringify(node).length
    return node
  }

  const rootNode = createNode(root)
  count = 1
  let level: [Element, MutableNode][] = [[root, rootNode]]
  for (let depth = 1; level.length > 0 && !truncated; depth += 1) {
    const next: [Element, MutableNode][] = []
    for (const [element, node] of level) {
      for (const child of [...(read(element, 'shadowRoot')?.children ?? []), ...read(element, 'children')]) {
        if (count >= maxNodes || chars > CHAR_LIMIT || depth > DEPTH_LIMIT) {
          truncated = true
          break
        }
        count += 1
        const childNode = createNode(child)
        ;(node.children ??= []).push(childNode)
        next.push([child, childNode])
      }
    }
    level = next
  }
  return { nodes: [rootNode], truncated }
}

function renderMarkdown(root: Element): string {
  const skippedTags = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'HEAD', 'IFRAME', 'CANVAS'])

  // A field of a form hides the property of its name.
  const read = <Name extends keyof Element>(element: Element, name: Name): Element[Name] =>
    Reflect.get(Element.prototype, name, element)
  const tagOf = (element: Element): string => read(element, 'tagName').toUpperCase()
  const attributeOf = (element: Element, name: string): string | null =>
    Element.prototype.getAttribute.call(element, name)

  const isHidden = (element: Element): boolean =>
    skippedTags.has(tagOf(element)) || attributeOf(element, 'aria-hidden') === 'true' || !isVisible(element)

  // An element without a box may have visible children.
  const isVisible = (element: Element): boolean => {
    const parent = read(element, 'parentElement')
    return (
      (Element.prototype.checkVisibility?.call(element) ?? true) ||
      (getComputedStyle(element).display === 'contents' && (!parent || isVisible(parent)))
    )
  }

  // An element that hides its text may have visible children.
  function hidesText(element: Element | null): boolean {
    if (!element) return false
    const { visibility, contentVisibility } = getComputedStyle(element)
    return visibility !== 'visible' || contentVisibility === 'hidden'
  }

  // A slot shows what is assigned to it, else its own children.
  function nodesOf(element: Element): Node[] {
    const assigned = element instanceof HTMLSlotElement ? element.assignedNodes() : []
    if (assigned.length > 0) return assigned
    return [...(read(element, 'shadowRoot')?.childNodes ?? read(element, 'childNodes'))]
  }
  const renderChildren = (element: Element): string => nodesOf(element).map(render).join('')
  const renderLine = (element: Element): string => joinSpaces(renderChildren(element))
  const toBlock = (text: string): string => (text === '' ? '' : `\n\n${text}\n\n`)

  function renderList(element: Element): string {
    const isOrdered = element.tagName === 'OL'
    const items = [...element.children].filter((item) => !isHidden(item))
    const texts = items.map((item, index) => {
      const text = renderChildren(item)
        .replace(/\n{2,}/g, '\n')
        .trim()
        .replaceAll('\n', '\n  ')
      return `${isOrdered ? `${index + 1}.` : '-'} ${text}`
    })
    return toBlock(texts.join('\n'))
  }

  function renderTable(element: Element): string {
    const rows = [...(element as HTMLTableElement).rows].filter((row) => !isHidden(row))
    const cells = rows.map((row) => [...row.cells].map((cell) => renderLine(cell).replaceAll('|', '\\|')))
    const [head = [], ...rest] = cells
    const toRow = (row: string[]) => `| ${row.join(' | ')} |`
    return toBlock([toRow(head), toRow(head.map(() => '---')), ...rest.map(toRow)].join('\n'))
  }

  function renderField(element: Element): string {
    if (element instanceof HTMLSelectElement)
      return `[${[...element.selectedOptions].map((option) => option.label).join(', ')}]`
    const input = element as HTMLInputElement
    if (input.type === 'hidden') return ''
    if (input.type === 'checkbox' || input.type === 'radio') return input.checked ? '[x] ' : '[ ] '
    const value = input.type === 'password' ? '•'.repeat(Math.min(8, input.value.length)) : input.value
    return `[${value || input.placeholder}]`
  }

  function render(node: Node): string {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = (node.textContent ?? '').replace(/\s+/g, ' ')
      return text.trim() !== '' && hidesText(node.parentElement) ? '' : text
    }
    if (!(node instanceof Element) || isHidden(node)) return ''
    const tag = read(node, 'tagName')
    const heading = /^H([1-6])$/.exec(tag)?.[1]
    if (heading) return toBlock(`${'#'.repeat(Number(heading))} ${renderLine(node)}`)
    switch (tag) {
      case 'A': {
        const text = renderLine(node)
        const href = node.getAttribute('href') ?? ''
        return text && href && !href.startsWith('javascript:') ? `[${text}](${href})` : text
      }
      case 'BR':
        return '\n'
      case 'HR':
        return toBlock('---')
      case 'IMG':
        return node.getAttribute('alt') ? `![${node.getAttribute('alt')}]` : ''
      case 'STRONG':
      case 'B':
        return renderLine(node) && `**${renderLine(node)}**`
      case 'EM':
      case 'I':
        return renderLine(node) && `*${renderLine(node)}*`
      case 'PRE':
        return toBlock(`\`\`\`\n${(node.textContent ?? '').replace(/\n$/, '')}\n\`\`\``)
      case 'CODE':
        return `\`${node.textContent ?? ''}\``
      case 'BLOCKQUOTE':
        return toBlock(`> ${renderChildren(node).trim().replaceAll('\n', '\n> ')}`)
      case 'UL':
      case 'OL':
        return renderList(node)
      case 'TABLE':
        return renderTable(node)
      case 'INPUT':
      case 'TEXTAREA':
      case 'SELECT':
        return renderField(node)
      case 'BUTTON':
        return `[${renderLine(node) || node.getAttribute('aria-label') || node.getAttribute('title') || ''}] `
      default:
        return /^(block|flex|grid|list-item|table|flow-root)/.test(getComputedStyle(node).display)
          ? toBlock(renderChildren(node).trim())
          : renderChildren(node)
    }
  }

  return render(root)
    .split('\n')
    .map((textLine) => textLine.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

export function readTitle(maxChars: number): string {
  const title = String(document.title)
  return title.length > maxChars ? `${title.slice(0, maxChars)}…` : title
}
