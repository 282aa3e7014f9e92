import type { ErrorOverlay } from '../../../core/failure.ts'

/** The error that an overlay of a dev server or a framework shows; `length` limits its message in characters. */
export function readOverlay(_: Element[], length: number): ErrorOverlay | undefined {
  const clean = (text: string) => text.replace(/\s+/g, ' ').trim()
  const textOf = (root: Node): string => {
    const parts: string[] = []
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
    for (let size = 0; size < 5000 && walker.nextNode();) {
      const node = walker.currentNode
      if (/^(style|script|button)$/i.test(node.parentElement?.localName ?? '')) continue
      const text = node.nodeValue ?? ''
      size += text.length
      parts.push(text.slice(0, 5000))
    }
    return parts.join('\n')
  }
  const overlay = (name: string, message: string, file: string, whole: string): ErrorOverlay | undefined => {
    const told = clean(message) || clean(whole)
    if (!told) return undefined
    const place =
      clean(file) ||
      (/[\w@~+()[\].:\\/-]*[\w)\]]\.[a-z]{1,6}[: ]\(?\d+:\d+/i.exec(whole.slice(0, 3000))?.[0] ?? '')
    return {
      name,
      message: told.length > length ? `${told.slice(0, length)}…` : told,
      ...(place && { file: place.slice(0, 300) }),
    }
  }
  const first = (root: ParentNode, selectors: readonly string[]): string => {
    for (const selector of selectors) {
      const found = root.querySelector(selector)
      const text = found ? textOf(found) : ''
      if (text.trim()) return text
    }
    return ''
  }

  const hosts =
    'vite-error-overlay, vite-plugin-checker-error-overlay, nuxt-error-overlay, rsbuild-error-overlay, nextjs-portal'
  for (const host of document.querySelectorAll(hosts)) {
    const root = host.shadowRoot
    if (!root) continue
    // Next has its portal on every page, and a dialog in it only for an error.
    const next = host.localName === 'nextjs-portal'
    if (next && !root.querySelector('[data-nextjs-dialog], [role="dialog"], #nextjs__container_errors_desc'))
      continue
    const framed = root.querySelector('iframe')?.contentDocument?.body
    const whole = `${textOf(root)}\n${framed ? textOf(framed) : ''}`
    const plugin = first(root, ['.plugin'])
    const terminal = first(root, ['[data-nextjs-terminal]'])
    const message = first(root, [
      '.message-body',
      '#message-content',
      '#nextjs__container_errors_desc',
      '.message',
    ])
    const said = next && terminal ? `${message}\n${terminal}` : `${plugin} ${message}`
    const file = first(root, ['.file', '#code h2', '.code-frame-link', '[data-with-open-in-editor-link]'])
    const read = overlay(host.localName, said, /:\d+/.test(file) ? file : '', whole)
    if (read) return read
  }

  for (const frame of document.querySelectorAll('iframe')) {
    const known = /^(webpack|rspack)-dev-server-client-overlay$/.test(frame.id)
    // The overlay of Create React App has no name: it lies over everything and has no address.
    const nameless = !frame.id && !frame.getAttribute('src') && frame.style.zIndex === '2147483647'
    const body = known || nameless ? frame.contentDocument?.body : undefined
    if (!body) continue
    const text = textOf(body).replace(/^\s*(Compiled with problems:|Uncaught runtime errors:|×)\s*/g, '')
    const read = overlay(frame.id || 'error overlay', text, '', text)
    if (read) return read
  }
  return undefined
}
