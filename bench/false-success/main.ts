// `bun bench/false-success/main.ts [--only ours|peers|NAME] [--show] [--packages FOLDER] [FAMILY...]`: an action on each of 240 pages, whose
// own record says what truly happened. Does the answer say success without the effect, or failure with it? See judge.ts for the rule. The
// table and each false answer go to stdout; `--show` prints every answer.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { install } from '../../test/support/npm.ts'
import { findBenchBrowser, versions } from '../peers.ts'
import {
  agentBrowser,
  type Contender,
  devtoolsMcp,
  type Driver,
  footlight,
  playwrightMcp,
} from './contenders.ts'
import { clickPages } from './families/clicks.ts'
import { documentPages } from './families/documents.ts'
import { fieldPages } from './families/fields.ts'
import { listPages } from './families/lists.ts'
import { widgetPages } from './families/widgets.ts'
import { judge, readRecord, type Verdict, verdicts } from './judge.ts'
import type { Page } from './page.ts'
import { type PageServer, servePages } from './serve-pages.ts'

interface Result {
  readonly contender: string
  readonly page: string
  readonly verdict: Verdict | 'not run'
  readonly record: string
  readonly answer: string
}

const SETTLE_MS = 150
/** Less than any client takes from one call to the next. */
const THINKING_MS = 300

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    show: { type: 'boolean', default: false },
    packages: { type: 'string' },
  },
})

async function runPage(page: Page, contender: string, driver: Driver, pages: PageServer): Promise<Result> {
  const run = pages.open(page)
  try {
    await driver.open(run.url)
    await run.loaded()
    await driver.look()
    if (page.between) await run.goOn(page.between === 'load')
    await Bun.sleep(THINKING_MS)
    if (page.first) await driver.act(page.first, run.url)
    const said = await driver.act(page.action, run.url)
    await Bun.sleep(page.settleMs ?? SETTLE_MS)
    const record = await run.read()
    const verdict = judge(page, record, said)
    const answer = `${said.isError ? 'error: ' : ''}${said.words}${said.state === undefined ? '' : `\n[state]${said.state}`}`
    return { contender, page: page.name, verdict, record: readRecord(record), answer }
  } catch (error) {
    return { contender, page: page.name, verdict: 'not run', record: '', answer: String(error) }
  } finally {
    await driver.closePage().catch(() => {})
  }
}

function tableOf(results: readonly Result[], contenders: readonly Contender[]): string {
  const rows = contenders.map(({ name }) => {
    const own = results.filter(({ contender }) => contender === name)
    return [
      name,
      ...verdicts.map((verdict) => `${own.filter((one) => one.verdict === verdict).length}`),
      `${own.length}`,
    ]
  })
  return [['', ...verdicts, 'pages'], ['---', ...verdicts.map(() => '---:'), '---:'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

const all = [...clickPages, ...listPages, ...documentPages, ...fieldPages, ...widgetPages]
const chosen = all.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)),
)
const executablePath = findBenchBrowser()
const cwd = mkdtempSync(join(tmpdir(), 'fl-false-success-'))
writeFileSync(join(cwd, 'note.txt'), 'note')
const ours = [footlight('chromium', cwd), footlight('firefox', cwd)]
const needsPeers = values.only !== 'ours' && !values.only.includes('footlight')
const fetched =
  values.packages !== undefined || !needsPeers
    ? { folder: values.packages ?? '', remove: () => {} }
    : install(...Object.entries(versions).map(([name, version]) => `${name}@${version}`))
const start = { folder: fetched.folder, executablePath, cwd }
const peers = needsPeers ? [playwrightMcp(start), devtoolsMcp(start), agentBrowser(start)] : []
const contenders = [...(values.only === 'peers' ? [] : ours), ...peers].filter(
  ({ name }) => ['', 'ours', 'peers'].includes(values.only) || name.includes(values.only),
)
const pages = servePages()
const results: Result[] = []
for (const contender of contenders) {
  const driver = await contender.start()
  for (const page of chosen) {
    const result = await runPage(page, contender.name, driver, pages)
    results.push(result)
    const isFalse = !['right', 'told', 'visible'].includes(result.verdict)
    process.stderr.write(`bench: ${contender.name}: ${page.name}: ${result.verdict}\n`)
    if (values.show || isFalse)
      process.stderr.write(
        `  record: ${result.record}\n  answer: ${result.answer.slice(0, 1500).replaceAll('\n', '\n  ')}\n`,
      )
  }
  await driver.close()
}
pages.stop()
fetched.remove()
rmSync(cwd, { recursive: true, force: true })
console.log(tableOf(results, contenders))
for (const { contender, page, verdict, record } of results)
  if (verdict.startsWith('false') || verdict === 'not run')
    console.log(`- ${contender}: ${page}: ${verdict} (record: ${record || 'nothing'})`)
process.exit(0)
