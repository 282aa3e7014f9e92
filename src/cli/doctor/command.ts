// `footlight doctor [--json] [--fix]`: what works on this machine, really tried, and what to do about the rest. Nothing leaves it.

import process from 'node:process'
import { gather, leftBehind } from './gather.ts'
import { table } from './show.ts'
import { usable, verdicts } from './verdicts.ts'
import { readFlags } from '../options/flags.ts'
import { switches } from '../commands.ts'
import { optionNames } from '../options/options.ts'
import { installShutdown } from '../serve/shutdown.ts'
import { VERSION } from '../version.ts'
import { createTemporaryFolder } from '../../runtime/files/temporary-folder.ts'

/** Answers the exit code: 0 when one browser works. The server's own options are read too. */
export async function doctor(raw: readonly string[]): Promise<number> {
  const own = ['json', 'fix']
  const flags = readFlags(raw, [...own, ...optionNames], [...own, ...switches])
  const stray = flags.ok ? flags.value.rest[0] : undefined
  if (!flags.ok || stray !== undefined) {
    tell(flags.ok ? `doctor: unexpected argument "${stray}"` : flags.error)
    return 2
  }
  const { values } = flags.value
  const on = (name: string) => values.get(name) === 'true'
  // Looked for before anything of ours is there; the scratch folder would sweep it silently.
  const left = await leftBehind(on('fix'))
  const temporary = createTemporaryFolder({ sweep: false })
  installShutdown(
    async () => {},
    () => temporary.remove(),
    (error) => tell(String(error)),
  )
  const facts = await gather(values, left, process.stderr.isTTY ? tell : () => {})
  temporary.remove()
  const rows = verdicts(facts)
  const ok = usable(facts)
  if (on('json')) say(JSON.stringify({ ok, version: VERSION, checks: rows }))
  else say(`${table(rows)}\n\n${ok ? 'A browser works.' : 'No browser works.'}`)
  return ok ? 0 : 1
}

const say = (text: string): void => void process.stdout.write(`${text}\n`)

const tell = (text: string): void => void process.stderr.write(`footlight: ${text}\n`)
