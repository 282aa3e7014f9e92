// The error overlays of dev servers and frameworks. An element that is missing or covered on such a page has that error as its cause.

import type { Page } from 'playwright'
import { settleWithin } from '../../runtime/calls/settle-within.ts'
import { evaluateTarget } from '../playwright/locator.ts'
import type { ErrorOverlay, Failure } from '../../core/failure.ts'

const READ_TIMEOUT_MS = 500
const MESSAGE_LIMIT_CHARS = 500

/** The failure with the error of the page's overlay, if there is one. */
export async function addErrorOverlay(page: Page, failure: Failure): Promise<Failure> {
  switch (failure.code) {
    case 'ELEMENT_NOT_FOUND':
    case 'ELEMENT_NOT_CLICKABLE':
    case 'ELEMENT_NOT_EDITABLE':
    case 'TIMEOUT': {
      const root = { selector: 'html' }
      const overlay = await settleWithin(
        READ_TIMEOUT_MS,
        evaluateTarget(page.locator(root.selector), root, readOverlay, MESSAGE_LIMIT_CHARS),
      )
      return overlay && !(overlay instanceof Error) ? { ...failure, overlay } : failure
    }
    default:
      return failure
  }
}

// Runs inside the page, so it may use nothing but its arguments and the DOM.
function readOverlay(_: Element[], length: number): ErrorOverlay | undefined {
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
