// Where in the work tree the server failed: the places that the stacks in its output name, printed with an answer of 500 or more.

import { fileURLToPath } from 'node:url'
import type { OpenSession } from '../../core/sessions/types/open-session.ts'
import type { ChangedPath } from './change/changed-path.ts'
import { pathInTree } from './change/path-in-tree.ts'
import type { ErrorEntry } from './ledger/entry.ts'
import { hashText } from './ledger/text-hash.ts'

/** Those of the present content of changed files: what was printed after their edit. */
export function findServerErrors(
  { journal, network, record }: OpenSession,
  top: string,
  changed: readonly ChangedPath[],
): readonly ErrorEntry[] {
  const failures = network.read({ limit: Infinity, accept: ({ status = 0 }) => status >= FAILED_STATUS })
  if (failures.entries.length === 0) return []
  const isOfFailure = (at: number) =>
    failures.entries.some((request) => Math.abs(request.at - at) < PRINTED_WITHIN_MS)
  const { entries: lines } = journal.read({ kinds: ['server'], limit: Infinity })
  let name = UNNAMED
  return lines.flatMap(({ at, text, message = text }): readonly ErrorEntry[] => {
    name = NAME.exec(message)?.[1] ?? name
    const place = placeOf(message, top)
    const file = place && changed.find(({ path }) => path === place.file)
    if (!file || file.content === undefined || at < (file.editedAt ?? Infinity) || !isOfFailure(at)) return []
    const common = { at, session: record.name, file: file.path, content: hashText(file.content) }
    return [{ kind: 'error', ...common, line: place.line, name, isBlank: false }]
  })
}

// --- internal ---

const FAILED_STATUS = 500
const PRINTED_WITHIN_MS = 5000
const UNNAMED = 'an error of the server'

/** At the beginning of what runtimes print of an exception. */
const NAME = /^\s*(?:Uncaught )?([A-Z]\w*(?:Error|Exception|Warning|Interrupt))\b/
/** A frame of a stack, as Node, Python, Ruby and PHP write it. */
const FRAME =
  /^\s*(?:at (?:.*?\()?|from |File "|#\d+ )(?<path>(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^\n"():]+)(?:", line |\(|:)(?<line>\d+)/

function placeOf(message: string, top: string): { readonly file: string; readonly line: number } | undefined {
  const { path, line } = FRAME.exec(message)?.groups ?? {}
  if (path === undefined || line === undefined) return undefined
  const file = path.startsWith('file:') ? filePathOf(path) : path
  return file === undefined ? undefined : { file: pathInTree(top, file), line: Number(line) }
}

function filePathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url)
  } catch {
    return undefined
  }
}
