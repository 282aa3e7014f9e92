import type { Copy } from './report-copies.ts'

/** Puts a copy into the clipboard of the browser; returns whether it is there. */
export function writeClipboard({ text, html }: Copy): boolean {
  document.addEventListener('copy', (event) => {
    event.preventDefault()
    event.clipboardData?.setData('text/plain', text)
    if (html !== '') event.clipboardData?.setData('text/html', html)
  })
  return document.execCommand('copy')
}
