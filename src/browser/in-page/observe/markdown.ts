// Runs inside the page, so it may use nothing but its arguments and the DOM: what is visible of an element, as Markdown.

export function renderMarkdown(root: Element): string {
  const skipped = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG', 'HEAD', 'IFRAME', 'CANVAS'])

  const hidden = (element: Element): boolean =>
    skipped.has(element.tagName.toUpperCase()) ||
    element.getAttribute('aria-hidden') === 'true' ||
    !isVisible(element)

  // An element without a box of its own shows what is in it.
  const isVisible = (element: Element): boolean =>
    (element.checkVisibility?.() ?? true) ||
    (getComputedStyle(element).display === 'contents' &&
      (!element.parentElement || isVisible(element.parentElement)))

  const nodesOf = (element: Element): Node[] => [...(element.shadowRoot ?? element).childNodes]
  const inner = (element: Element): string => nodesOf(element).map(render).join('')
  const line = (element: Element): string => inner(element).replace(/\s+/g, ' ').trim()
  const block = (text: string): string => (text === '' ? '' : `\n\n${text}\n\n`)

  function list(element: Element): string {
    const ordered = element.tagName === 'OL'
    const items = [...element.children].filter((item) => !hidden(item))
    const texts = items.map((item, index) => {
      const text = inner(item)
        .replace(/\n{2,}/g, '\n')
        .trim()
        .replaceAll('\n', '\n  ')
      return `${ordered ? `${index + 1}.` : '-'} ${text}`
    })
    return block(texts.join('\n'))
  }

  function table(element: Element): string {
    const rows = [...(element as HTMLTableElement).rows].filter((row) => !hidden(row))
    const cells = rows.map((row) => [...row.cells].map((cell) => line(cell).replaceAll('|', '\\|')))
    const [head = [], ...rest] = cells
    const told = (row: string[]) => `| ${row.join(' | ')} |`
    return block([told(head), told(head.map(() => '---')), ...rest.map(told)].join('\n'))
  }

  function field(element: Element): string {
    if (element instanceof HTMLSelectElement)
      return `[${[...element.selectedOptions].map((one) => one.label).join(', ')}]`
    const input = element as HTMLInputElement
    if (input.type === 'hidden') return ''
    if (input.type === 'checkbox' || input.type === 'radio') return input.checked ? '[x] ' : '[ ] '
    const value = input.type === 'password' ? '•'.repeat(Math.min(8, input.value.length)) : input.value
    return `[${value || input.placeholder}]`
  }

  function render(node: Node): string {
    if (node.nodeType === Node.TEXT_NODE) return (node.textContent ?? '').replace(/\s+/g, ' ')
    if (!(node instanceof Element) || hidden(node)) return ''
    const heading = /^H([1-6])$/.exec(node.tagName)?.[1]
    if (heading) return block(`${'#'.repeat(Number(heading))} ${line(node)}`)
    switch (node.tagName) {
      case 'A': {
        const text = line(node)
        const href = node.getAttribute('href') ?? ''
        return text && href && !href.startsWith('javascript:') ? `[${text}](${href})` : text
      }
      case 'BR':
        return '\n'
      case 'HR':
        return block('---')
      case 'IMG':
        return node.getAttribute('alt') ? `![${node.getAttribute('alt')}]` : ''
      case 'STRONG':
      case 'B':
        return line(node) && `**${line(node)}**`
      case 'EM':
      case 'I':
        return line(node) && `*${line(node)}*`
      case 'PRE':
        return block(`\`\`\`\n${(node.textContent ?? '').replace(/\n$/, '')}\n\`\`\``)
      case 'CODE':
        return `\`${node.textContent ?? ''}\``
      case 'BLOCKQUOTE':
        return block(`> ${inner(node).trim().replaceAll('\n', '\n> ')}`)
      case 'UL':
      case 'OL':
        return list(node)
      case 'TABLE':
        return table(node)
      case 'INPUT':
      case 'TEXTAREA':
      case 'SELECT':
        return field(node)
      case 'BUTTON':
        return `[${line(node) || node.getAttribute('aria-label') || node.getAttribute('title') || ''}] `
      default:
        return /^(block|flex|grid|list-item|table|flow-root)/.test(getComputedStyle(node).display)
          ? block(inner(node).trim())
          : inner(node)
    }
  }

  return render(root)
    .split('\n')
    .map((one) => one.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
