// Renders the visible content of an element as Markdown.

export function renderMarkdown(root: Element): string {
  const skippedTags = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'HEAD', 'IFRAME', 'CANVAS'])

  const isHidden = (element: Element): boolean =>
    skippedTags.has(element.tagName.toUpperCase()) ||
    element.getAttribute('aria-hidden') === 'true' ||
    !isVisible(element)

  // An element without a box may have visible children.
  const isVisible = (element: Element): boolean =>
    (element.checkVisibility?.() ?? true) ||
    (getComputedStyle(element).display === 'contents' &&
      (!element.parentElement || isVisible(element.parentElement)))

  const nodesOf = (element: Element): Node[] => [...(element.shadowRoot ?? element).childNodes]
  const renderChildren = (element: Element): string => nodesOf(element).map(render).join('')
  const renderLine = (element: Element): string => renderChildren(element).replace(/\s+/g, ' ').trim()
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
    if (node.nodeType === Node.TEXT_NODE) return (node.textContent ?? '').replace(/\s+/g, ' ')
    if (!(node instanceof Element) || isHidden(node)) return ''
    const heading = /^H([1-6])$/.exec(node.tagName)?.[1]
    if (heading) return toBlock(`${'#'.repeat(Number(heading))} ${renderLine(node)}`)
    switch (node.tagName) {
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
