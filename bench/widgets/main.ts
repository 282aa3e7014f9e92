// `bun bench/widgets/main.ts [--show] [--snapshots] [LIBRARY...]`: about ten actions on the widgets of each of 40 libraries, by a ref of the
// snapshot alone, beside what the page itself has then. An action is done, refused with an error, or false: a success without its effect.
// Packages are installed into ~/.cache/footlight-widgets, once. FOOTLIGHT names another executable. The table goes to stdout, what was not
// done and (with --show) every answer to stderr.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { type Answer, binary, connect, type Peer } from '../../test/support/client.ts'
import { filesOf } from '../../test/support/npm.ts'
import { serveSite } from '../../test/support/site.ts'
import { installPackages } from '../install-packages.ts'
import { bundle } from './bundle.ts'
import { packages } from './packages.ts'
import type { Act, Page } from './page.ts'
import { pages } from './pages/pages.ts'

type Verdict = 'done' | 'refused' | 'false'

interface Result {
  readonly verdict: Verdict
  readonly answer: string
  readonly value: string
}

const SETTLE_MS = 300

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { show: { type: 'boolean', default: false }, snapshots: { type: 'boolean', default: false } },
})

const textOf = ({ result }: Answer): string =>
  result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')

/** The first ref behind this text, as a line of several siblings has one behind each name; else the one before it or of the line around. */
function refIn(snapshot: string, wanted: string): string | undefined {
  const lines = snapshot.split('\n')
  const text = wanted.replace(/ \[$/, '')
  for (const [row, line] of lines.entries()) {
    const index = line.indexOf(wanted)
    if (index === -1) continue
    const REF = /\[((?:f\d+)?e\d+)\]/g
    const ref =
      /^[^"]*(?:" )?\[((?:f\d+)?e\d+)\]/.exec(line.slice(index + text.length))?.[1] ??
      [...line.slice(0, index + text.length).matchAll(REF)].at(-1)?.[1]
    const depth = line.search(/\S/)
    const around = lines.slice(0, row).findLast((one) => one.search(/\S/) < depth)
    if (ref !== undefined) return ref
    return /\[((?:f\d+)?e\d+)\]/.exec(around ?? '')?.[1]
  }
  return undefined
}

async function perform({ call }: Peer, sessionId: string, act: Act): Promise<Result> {
  let answer = ''
  let isRefused = false
  for (const [index, line] of act.lines.entries()) {
    const { data } = await call('snapshot', { sessionId, maxChars: 60_000 })
    const ref = refIn(String(data.snapshot), line)
    if (ref === undefined) {
      isRefused = true
      answer += `no ref at ${line}\n`
      break
    }
    const isLast = index === act.lines.length - 1
    const tool = isLast ? act.tool : 'click'
    const target = tool === 'fill_form' ? { fields: [{ ref, ...act.input }] } : { ref, ...act.input }
    const said = await call(tool, { sessionId, ...(isLast ? target : { ref }) })
    answer += `${textOf(said)}\n`
    isRefused = said.failed
    if (isRefused) break
  }
  if (act.isLeft && !isRefused) await call('press_key', { sessionId, key: 'Tab' })
  await Bun.sleep(SETTLE_MS)
  const [key = '', want = ''] = act.want.split(/=(.*)/s)
  const script = `String(window.kept[${JSON.stringify(key)}])`
  const value = String((await call('evaluate', { sessionId, script })).data.result)
  return { verdict: value === want ? 'done' : isRefused ? 'refused' : 'false', answer, value }
}

async function measure(peer: Peer, page: Page, url: string): Promise<Record<Verdict, number>> {
  const counts = { done: 0, refused: 0, false: 0 }
  const sessionId = await peer.session({ viewport: { width: 1000, height: 1000 } })
  const open = () => peer.call('navigate', { sessionId, url })
  try {
    await open()
    if (options.snapshots) {
      await Bun.sleep(SETTLE_MS)
      console.error(textOf(await peer.call('snapshot', { sessionId, maxChars: 60_000 })))
      const script = 'window.pageErrors.join()'
      console.error('page errors:', (await peer.call('evaluate', { sessionId, script })).data.result)
    }
    for (const act of page.acts) {
      const { verdict, answer, value } = await perform(peer, sessionId, act)
      counts[verdict] += 1
      if (options.show || verdict !== 'done')
        console.error(
          `${page.name}: ${verdict}: ${act.tool} ${act.lines.join(' > ')} ${JSON.stringify(act.input)}: wanted ${act.want}, is ${value}\n    ${answer.trim().slice(0, 1200).replaceAll('\n', '\n    ')}`,
        )
      // What an action has left open is no fault of the next one.
      if (verdict !== 'done') await open()
    }
  } finally {
    await peer.call('close_session', { sessionId })
  }
  return counts
}

const row = (...cells: readonly (string | number)[]) => console.log(`| ${cells.join(' | ')} |`)

const installed = installPackages('footlight-widgets', packages)
const folder = mkdtempSync(join(tmpdir(), 'fl-widgets-'))
const site = await serveSite({}, filesOf(folder))
const peer = await connect({ command: [process.env['FOOTLIGHT'] ?? binary] })
const total = { done: 0, refused: 0, false: 0 }
row('library', 'actions', 'done', 'refused', 'false')
row('---', '---:', '---:', '---:', '---:')
for (const [index, page] of pages.entries()) {
  if (positionals.length > 0 && !positionals.some((part) => page.name.toLowerCase().includes(part))) continue
  mkdirSync(join(folder, `${index}`))
  try {
    bundle(page, installed, join(folder, `${index}`))
    const counts = await measure(peer, page, `${site.url}/${index}/index.html`)
    row(page.name, page.acts.length, counts.done, counts.refused, counts.false)
    for (const verdict of ['done', 'refused', 'false'] as const) total[verdict] += counts[verdict]
  } catch (error) {
    row(page.name, page.acts.length, `not run: ${String(error).slice(0, 1000)}`, '', '')
  }
}
row('all', total.done + total.refused + total.false, total.done, total.refused, total.false)
await peer.close()
site.close()
rmSync(folder, { recursive: true })
process.exit(0)
