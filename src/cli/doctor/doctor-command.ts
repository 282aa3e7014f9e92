// `footlight doctor [--json] [--fix]`: what works on this machine, really tried, and what to do about the rest. Nothing leaves it.

import process from 'node:process'
import { printLine, printMessage } from '../output.ts'
import { gatherFacts, findLeftovers } from './gather-facts.ts'
import { formatTable } from './format-table.ts'
import { hasUsableBrowser, createRows } from './check-rows.ts'
import { readFlags } from '../options/flags.ts'
import { switches } from '../commands.ts'
import { optionNames } from '../options/options.ts'
import { installShutdown } from '../serve/shutdown.ts'
import { VERSION } from '../version.ts'
import { createTemporaryFolder } from '../../runtime/files/temporary-folder.ts'

/** Answers the exit code: 0 when one browser works. The server's own options are read too. */
export async function runDoctor(raw: readonly string[]): Promise<number> {
  const doctorFlags = ['json', 'fix']
  const flags = readFlags(raw, [...doctorFlags, ...optionNames], [...doctorFlags, ...switches])
  const stray = flags.ok ? flags.value.rest[0] : undefined
  if (!flags.ok || stray !== undefined) {
    printMessage(flags.ok ? `doctor: unexpected argument "${stray}"` : flags.error)
    return 2
  }
  const { values } = flags.value
  const isOn = (name: string) => values.get(name) === 'true'
  // Looked for before anything of ours is there; the scratch folder would sweep it silently.
  const leftovers = await findLeftovers(isOn('fix'))
  const temporary = createTemporaryFolder({ sweep: false })
  installShutdown(
    async () => {},
    () => temporary.remove(),
    (error) => printMessage(String(error)),
  )
  const facts = await gatherFacts(values, leftovers, process.stderr.isTTY ? printMessage : () => {})
  temporary.remove()
  const rows = createRows(facts)
  const ok = hasUsableBrowser(facts)
  if (isOn('json')) printLine(JSON.stringify({ ok, version: VERSION, checks: rows }))
  else printLine(`${formatTable(rows)}\n\n${ok ? 'A browser works.' : 'No browser works.'}`)
  return ok ? 0 : 1
}
