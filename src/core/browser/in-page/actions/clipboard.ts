/** What the scripts of a session may read: the clipboard of the browser if `isHolder`, else its own last copy. */
export interface ReadableClipboard extends Copy {
  readonly isHolder: boolean
}

/** Lets the scripts of the page read only what its session copied, and reports what they write. The function of this name records a copy if
 * it gets one, and returns what may be read. */
export function guardClipboard(functionName: string): void {
  const syncCopy = Reflect.get(window, functionName) as (copy?: Copy) => Promise<ReadableClipboard>
  Reflect.deleteProperty(window, functionName)
  // Pages that are not secure have none.
  if (typeof Clipboard === 'undefined') return
  const { prototype } = Clipboard
  const original = {
    readText: prototype.readText,
    read: prototype.read,
    writeText: prototype.writeText,
    write: prototype.write,
  }

  const textOf = async (items: ClipboardItems, type: string): Promise<string> => {
    const item = items.find(({ types }) => types.includes(type))
    return item ? (await item.getType(type)).text() : ''
  }

  // Firefox does not know the name, and has no permission for it.
  const isGranted = (): Promise<boolean> =>
    navigator.permissions.query({ name: 'clipboard-read' as PermissionName }).then(
      ({ state }) => state === 'granted',
      () => true,
    )

  // Without the permission the browser has to decide; what it returns may be that of another session by then.
  async function readOwn<T>(read: () => Promise<T>, ownOf: (copy: Copy) => T): Promise<T> {
    if (!(await syncCopy()).isHolder && (await isGranted())) return ownOf(await syncCopy())
    const data = await read()
    const readable = await syncCopy()
    return readable.isHolder ? data : ownOf(readable)
  }

  function itemsOf({ text, html }: Copy): ClipboardItems {
    const own = Object.entries({ 'text/plain': text, 'text/html': html }).filter(([, data]) => data !== '')
    const blobs = own.map(([type, data]) => [type, new Blob([data], { type })] as const)
    return blobs.length === 0 ? [] : [new ClipboardItem(Object.fromEntries(blobs))]
  }

  const methods = {
    readText(this: Clipboard): Promise<string> {
      return readOwn(
        () => original.readText.call(this),
        ({ text }) => text,
      )
    },
    read(this: Clipboard): Promise<ClipboardItems> {
      return readOwn(() => original.read.call(this), itemsOf)
    },
    async writeText(this: Clipboard, text: string): Promise<void> {
      await original.writeText.call(this, text)
      await syncCopy({ text: String(text), html: '' })
    },
    async write(this: Clipboard, items: ClipboardItems): Promise<void> {
      await original.write.call(this, items)
      const list = [...items]
      await syncCopy({ text: await textOf(list, 'text/plain'), html: await textOf(list, 'text/html') })
    },
  }

  for (const [name, value] of Object.entries(methods))
    if (name in prototype)
      Object.defineProperty(prototype, name, { value, configurable: true, enumerable: true, writable: true })
}

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

/** Resolves when what the page has queued so far is done. */
export const waitForTask = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })

/** Puts a copy into the clipboard of the browser; returns whether it is there. */
export function writeClipboard({ text, html }: Copy): boolean {
  document.addEventListener('copy', (event) => {
    event.preventDefault()
    event.clipboardData?.setData('text/plain', text)
    if (html !== '') event.clipboardData?.setData('text/html', html)
  })
  return document.execCommand('copy')
}
