// `bun bench/seeded-bugs/main.ts`: twenty bugs, each put into an application whose dev server runs; does the answer of the one call that
// meets it name the file and the line of the cause? `--bug TEXT` and `--contender TEXT` (a part of the name or application), `--show`
// (prints the answers), `--packages FOLDER` (with the peers installed). The table goes to stdout.

import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { install } from '../../test/support/npm.ts'
import { findBenchBrowser, versions } from '../peers.ts'
import { writeSource } from '../write-source.ts'
import { placeApplication } from './applications.ts'
import { linesWith, namesLine, type SeededBug } from './bug.ts'
import { bugs } from './bugs.ts'
import { type Contender, createDevtoolsMcp, createFootlight, createPlaywrightMcp } from './contenders.ts'

interface Result {
  readonly bug: string
  readonly contender: string
  /** Whether the answer of the action names the cause, and whether it does together with the console. */
  readonly byAnswer: boolean
  readonly byConsole: boolean
  readonly answerChars: number
}

// The same for all: dev servers notice a change and compile it. The page is opened again before a click.
const NOTICE_TIME_MS = 4000

const { values } = parseArgs({
  options: {
    bug: { type: 'string', default: '' },
    contender: { type: 'string', default: '' },
    packages: { type: 'string' },
    show: { type: 'boolean', default: false },
  },
})

async function runBug(bug: SeededBug, contender: Contender, api: string): Promise<Result> {
  const name = `${bug.name}, ${bug.application}`
  const copy = mkdtempSync(join(tmpdir(), 'fl-seeded-'))
  try {
    const folder = await placeApplication(bug.application, copy)
    const application = await contender.open(bug.application, folder)
    for (const edit of bug.edits) applyEdit(folder, edit, api)
    await Bun.sleep(NOTICE_TIME_MS)
    if (bug.action.kind !== 'navigate') await application.act({ kind: 'navigate' })
    const answer = await application.act(bug.action)
    const console = await application.readConsole()
    await application.close()
    const [file, part] = bug.cause
    const lines = linesWith(readFileSync(join(folder, file), 'utf8'), part)
    if (values.show)
      process.stderr.write(`--- ${name}: ${file}:${lines.join()}\n${answer}\n--- console\n${console}\n`)
    const byAnswer = namesLine(answer, file, lines)
    const byConsole = byAnswer || namesLine(console, file, lines)
    return { bug: name, contender: contender.name, byAnswer, byConsole, answerChars: answer.length }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function applyEdit(folder: string, edit: SeededBug['edits'][number], api: string): void {
  if ('text' in edit) return writeSource(folder, edit.file, edit.text)
  const text = readFileSync(join(folder, edit.file), 'utf8')
  if (!text.includes(edit.from)) throw new Error(`${edit.file} has no ${JSON.stringify(edit.from)}`)
  writeSource(folder, edit.file, text.replace(edit.from, edit.to.replace('__API__', api)))
}

function tableOf(results: readonly Result[], contenders: readonly Contender[]): string {
  const cellOf = (result: Result | undefined) =>
    result ? (result.byAnswer ? 'yes' : result.byConsole ? 'console' : 'no') : 'failed'
  const rowOf = (bug: string) => [
    bug,
    ...contenders.map(({ name }) =>
      cellOf(results.find((result) => result.bug === bug && result.contender === name)),
    ),
  ]
  const sums = contenders.map(({ name }) => {
    const own = results.filter(({ contender }) => contender === name)
    return `${own.filter(({ byAnswer }) => byAnswer).length} (${own.filter(({ byConsole }) => byConsole).length}) of ${own.length}`
  })
  const rows = [...new Set(results.map(({ bug }) => bug))].map(rowOf)
  return [
    ['bug', ...contenders.map(({ name }) => name)],
    ['---', ...contenders.map(() => '---')],
    ...rows,
    ['named by the answer (with the console)', ...sums],
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

const executablePath = findBenchBrowser()
const isChosen = ({ name, application }: SeededBug) => `${name}, ${application}`.includes(values.bug)
const needsPeers = !'footlight'.includes(values.contender) || values.contender === ''
const fetched =
  values.packages !== undefined || !needsPeers
    ? { folder: values.packages ?? tmpdir(), remove: () => {} }
    : install(...Object.entries(versions).map(([name, version]) => `${name}@${version}`))
const start = { folder: fetched.folder, executablePath }
const contenders = [
  await createFootlight(executablePath, tmpdir()),
  createPlaywrightMcp(start),
  createDevtoolsMcp(start),
].filter(({ name }) => name.includes(values.contender))
// Another origin, which allows nobody to read its answers.
const api = createServer((socket) =>
  socket.once('data', () =>
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n[]'),
  ),
).listen(0, '127.0.0.1')
await once(api, 'listening')
const apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`

const results: Result[] = []
for (const bug of bugs.filter(isChosen))
  for (const contender of contenders) {
    const result = await runBug(bug, contender, apiUrl).catch((error) =>
      console.error(`${bug.name}: ${error}`),
    )
    if (!result) continue
    console.error(`bench: ${result.bug}, ${result.contender}: ${result.byAnswer ? 'named' : 'not named'}`)
    results.push(result)
  }
for (const contender of contenders) await contender.close()
fetched.remove()
console.log(tableOf(results, contenders))
process.exit(0)
