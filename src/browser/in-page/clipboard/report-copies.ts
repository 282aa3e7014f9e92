// The scripts of a page may replace everything here afterwards, so what is needed later is kept.

/** What a page copied, as text and as HTML; empty where it did not. */
export interface Copy {
  readonly text: string
  readonly html: string
}

/** Calls the function of this name with everything that is copied by keys, by a menu or by `execCommand`. */
export function reportCopies(reportName: string): void {
  const report = Reflect.get(window, reportName) as (copy: Copy) => Promise<unknown>

  // A password cannot be copied.
  function readSelection(): string {
    let active = document.activeElement
    while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
    if (active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement) {
      const { selectionStart, selectionEnd, value, type } = active
      if (selectionStart !== null && selectionEnd !== null && selectionStart < selectionEnd)
        return type === 'password' ? '' : value.slice(selectionStart, selectionEnd)
    }
    return String(document.getSelection() ?? '')
  }

  function onCopy(event: ClipboardEvent): void {
    const { clipboardData, isTrusted } = event
    if (!isTrusted || !clipboardData) return
    const selection = readSelection()
    // Without one nothing is copied; a picture has no text.
    const hasSelection = selection !== '' || document.getSelection()?.isCollapsed === false
    const replacements = new Map<string, string>()
    const setData = clipboardData.setData.bind(clipboardData)
    clipboardData.setData = (format, data) => {
      replacements.set(/^text(\/plain)?$/i.test(format) ? 'text' : format, data)
      setData(format, data)
    }
    const { port1, port2 } = new MessageChannel()
    // After all listeners of the page.
    port1.onmessage = () => {
      port1.close()
      const [text = '', html = ''] = [replacements.get('text'), replacements.get('text/html')]
      if (event.defaultPrevented && replacements.size > 0) void report({ text, html })
      if (!event.defaultPrevented && hasSelection) void report({ text: selection, html: '' })
    }
    port2.postMessage(undefined)
  }

  for (const type of ['copy', 'cut'] as const) window.addEventListener(type, onCopy, true)
}
