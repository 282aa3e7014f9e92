// Which edited files a text of a dev server names: a line of its output, or a message to its pages.

import type { JournalEntry } from '../../core/sessions/journal/journal.ts'
import type { WebSocketFrame } from '../../core/sessions/journal/network-log.ts'

export interface NamedFile {
  readonly file: string
  /** When the server had noticed the change, in Unix milliseconds. */
  readonly at: number
  /** Whether the page says that it has applied it. */
  readonly isApplied: boolean
}

interface ServerFolders {
  readonly folder: string
  readonly pageFolder: string
}

/** Whether a text names a file by its path from one of the folders of the server, and no longer path that ends alike. */
export function namesFile(text: string, file: string, { folder, pageFolder }: ServerFolders): boolean {
  const prefix = `${pageFolder}/`
  const forms = file.startsWith(prefix) ? [file, file.slice(prefix.length)] : [file]
  return forms.some((form) => {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
      const before = text.slice(Math.max(0, at - folder.length - prefix.length - 2), at)
      const isStart =
        !/[\w./@-]$/.test(before) || /(^|[^\w.])\.\/$/.test(before) || before.endsWith(`${folder}/`)
      const isInPage = pageFolder !== '' && before.endsWith(`${folder}/${prefix}`)
      if ((isStart || isInPage) && !/^[\w/-]|^\.\w/.test(text.slice(at + form.length))) return true
    }
    return false
  })
}

// Vite, and Astro, print the file whose change makes them load pages anew.
const RELOAD_PATTERN = /\bpage reload (.+)$|\[watch\] (.+)$/m

/** The edited files that lines name as the reason for that. */
export const filesInLines = (
  entries: readonly JournalEntry[],
  files: readonly string[],
  folders: ServerFolders,
): readonly NamedFile[] =>
  entries.flatMap(({ text, at }) => {
    const [, first, second] = RELOAD_PATTERN.exec(text) ?? []
    const names = first ?? second
    return names === undefined ? [] : namedIn(names, files, folders, at, false)
  })

/** The edited files that messages between the server and its pages name as changed: Vite tells the page to load itself again, and pages of
 * Next tell which modules they have replaced. */
export const filesInFrames = (
  frames: readonly WebSocketFrame[],
  files: readonly string[],
  folders: ServerFolders,
): readonly NamedFile[] =>
  frames.flatMap(({ body = '', at }) => {
    if (!MESSAGE_PATTERN.test(body)) return []
    const message = parseMessage(body)
    if (message['type'] === 'full-reload')
      return namedIn(String(message['triggeredBy'] ?? ''), files, folders, at, false)
    const { updatedModules: modules, startTime } = message
    if (message['event'] !== 'client-hmr-latency' || !Array.isArray(modules)) return []
    const paths = modules.map((name) => String(name).replace(/^\[project\]\/| \[.*$/g, ''))
    return files
      .filter((file) => paths.some((path) => path === file || path.endsWith(`/${file}`)))
      .map((file) => ({ file, at: Number(startTime), isApplied: true }))
  })

// --- internal ---

const MESSAGE_PATTERN = /"full-reload"|"client-hmr-latency"/

function parseMessage(body: string): Readonly<Record<string, unknown>> {
  try {
    const message: unknown = JSON.parse(body)
    return typeof message === 'object' && message !== null ? { ...message } : {}
  } catch {
    return {}
  }
}

const namedIn = (
  text: string,
  files: readonly string[],
  folders: ServerFolders,
  at: number,
  isApplied: boolean,
): readonly NamedFile[] =>
  files.filter((file) => namesFile(text, file, folders)).map((file) => ({ file, at, isApplied }))
