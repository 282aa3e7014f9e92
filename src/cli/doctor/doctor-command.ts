// `footlight doctor [--json] [--fix]`: what works on this machine, really tried, and what to do about the rest. Nothing leaves it.

import process from 'node:process'
import { colors } from 'consola/utils'
import { printLine, printMessage, showProgress } from '../output.ts'
import { watchInterruption } from '../terminal.ts'
import { wrapLines } from '../wrap-lines.ts'
import type { CheckRow } from './check-row.ts'
import { createRows, createUsedBrowserRow, findFailedChecks } from './check-rows.ts'
import { gatherFacts, findLeftovers, startBrowser } from './gather-facts.ts'
import { formatRow } from './format-row.ts'
import { readFlags } from '../options/flags.ts'
import { switches } from '../commands.ts'
import { optionNames } from '../options/options.ts'
import { VERSION } from '../version.ts'
import { createWatchdog } from '../../devserver/process/watchdog.ts'
import { createTemporaryFolder } from '../../runtime/files/temporary-folder.ts'

/** Answers the exit code: 0 when no check failed, that of the browser that would be used among them. The server's own options are read
 * too. */
export async function runDoctor(raw: readonly string[]): Promise<number> {
  const doctorFlags = ['json', 'fix']
  const flags = readFlags(raw, [...doctorFlags, ...optionNames], [...doctorFlags, ...switches])
  const stray = flags.ok ? flags.value.rest[0] : undefined
  if (!flags.ok || stray !== undefined) {
    printMessage(flags.ok ? `doctor: unexpected argument "${stray}"` : flags.error)
    return 2
  }
  void watchInterruption().exitCode.then((code) => process.exit(code))
  return checkMachine(flags.value.values)
}

// --- internal ---

async function checkMachine(flags: ReadonlyMap<string, string>): Promise<number> {
  const isOn = (name: string) => flags.get(name) === 'true'
  const show = isOn('json') ? () => {} : printRow
  // Looked for before anything of ours is there; the scratch folder would sweep it silently.
  const leftovers = await findLeftovers(isOn('fix'))
  const temporary = createTemporaryFolder({ sweep: false })
  process.once('exit', temporary.remove)
  // A browser that is ended with this process may still write to its profile.
  createWatchdog(crypto.randomUUID(), temporary.folder)
  const { settings, facts } = await gatherFacts(flags, leftovers, isOn('fix'))
  const rows = createRows(facts)
  rows.forEach(show)
  const used = facts.browsers.find(({ isUsed }) => isUsed)
  if (used) {
    showProgress(`starting ${used.path ?? used.browser} …`)
    const row = createUsedBrowserRow(await startBrowser(used, settings))
    showProgress('')
    show(row)
    rows.push(row)
  }
  const failedChecks = findFailedChecks(rows)
  const ok = failedChecks.length === 0
  if (isOn('json')) printLine(JSON.stringify({ ok, version: VERSION, checks: rows }))
  else printLine(`\nFootlight is ${ok ? 'ready.' : `not ready: ${failedChecks.join(', ')} failed.`}`)
  return ok ? 0 : 1
}

function printRow(row: CheckRow): void {
  const { isTTY, columns = Infinity } = process.stdout
  const text = wrapLines(formatRow(row), columns)
  printLine(isTTY ? `${stateColors[row.state](text.slice(0, 1))}${text.slice(1)}` : text)
}

const stateColors = { ok: colors.green, warn: colors.yellow, fail: colors.red, skip: colors.gray } as const
