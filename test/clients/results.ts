// The results of runs, which are kept in results.json and shown in docs/project/tested-clients.md.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pages, root } from '../../scripts/docs/pages.ts'
import { type ClientResult, readClientResults, resultsPath } from '../../scripts/docs/tested-clients.ts'

/** Replaces what is known of the clients that have run, and the table in the docs. */
export function writeResults(ran: readonly string[], results: readonly ClientResult[]): void {
  const others = readClientResults().filter(({ client }) => !ran.includes(client))
  const keyOf = ({ client, way, era }: ClientResult) => [client, way, era].join(' ')
  const sorted = [...others, ...results].toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)))
  writeFileSync(resultsPath, `${JSON.stringify(sorted, null, 2)}\n`)
  writeFileSync(
    join(root, 'docs/project/tested-clients.md'),
    pages['docs/project/tested-clients.md']?.() ?? '',
  )
}
