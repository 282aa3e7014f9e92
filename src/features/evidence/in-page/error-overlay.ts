import type { ErrorOverlay } from '../../../core/base/failure-records.ts'
import { joinSpaces } from '../../../core/browser/in-page/page/elements.ts'

/** Reads the error that an overlay of a dev server or a framework shows; `maxChars` limits its message. */
export function readOverlay(_: Element[], maxChars: number): ErrorOverlay | undefined {
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
  const createOverlay = (
    name: string,
    message: string,
    file: string,
    allText: string,
  ): ErrorOverlay | undefined => {
    const text = joinSpaces(message) || joinSpaces(allText)
    if (!text) return undefined
    const location =
      joinSpaces(file) ||
      (/[\w@~+()[\].:\\/-]*[\w)\]]\.[a-z]{1,6}[: ]\(?\d+:\d+/i.exec(allText.slice(0, 3000))?.[0] ?? '')
    return {
      name,
      message: text.length > maxChars ? `${text.slice(0, maxChars)}…` : text,
      ...(location && { file: location.slice(0, 300) }),
    }
  }
  const findText = (root: ParentNode, selectors: readonly string[]): string => {
    for (const selector of selectors) {
      const element = root.querySelector(selector)
      const text = element ? textOf(element) : ''
      if (text.trim()) return text
    }
    return ''
  }

  const hosts =
    'vite-error-overlay, vite-plugin-checker-error-overlay, nuxt-error-overlay, rsbuild-error-overlay, nextjs-portal'
  for (const host of document.querySelectorAll(hosts)) {
    const root = host.shadowRoot
    if (!root) continue
    // Next.js has its portal on every page, and a dialog in it only for an error.
    const isNext = host.localName === 'nextjs-portal'
    if (
      isNext &&
      !root.querySelector('[data-nextjs-dialog], [role="dialog"], #nextjs__container_errors_desc')
    )
      continue
    const frameBody = root.querySelector('iframe')?.contentDocument?.body
    const allText = `${textOf(root)}\n${frameBody ? textOf(frameBody) : ''}`
    const plugin = findText(root, ['.plugin'])
    const terminal = findText(root, ['[data-nextjs-terminal]'])
    const message = findText(root, [
      '.message-body',
      '#message-content',
      '#nextjs__container_errors_desc',
      '.message',
    ])
    const fullMessage = isNext && terminal ? `${message}\n${terminal}` : `${plugin} ${message}`
    const file = findText(root, ['.file', '#code h2', '.code-frame-link', '[data-with-open-in-editor-link]'])
    const result = createOverlay(host.localName, fullMessage, /:\d+/.test(file) ? file : '', allText)
    if (result) return result
  }

  for (const frame of document.querySelectorAll('iframe')) {
    const isWebpackOverlay = /^(webpack|rspack)-dev-server-client-overlay$/.test(frame.id)
    // The overlay of Create React App has no id and no URL, and the highest z-index.
    const isReactOverlay = !frame.id && !frame.getAttribute('src') && frame.style.zIndex === '2147483647'
    const body = isWebpackOverlay || isReactOverlay ? frame.contentDocument?.body : undefined
    if (!body) continue
    const text = textOf(body).replace(/^\s*(Compiled with problems:|Uncaught runtime errors:|×)\s*/g, '')
    const result = createOverlay(frame.id || 'error overlay', text, '', text)
    if (result) return result
  }
  return undefined
}
