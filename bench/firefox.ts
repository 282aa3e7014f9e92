// `bun bench/firefox.ts [RUNS]`: actions in stock Firefox, Footlight beside raw Playwright, taking turns, each with a Firefox of its own. Raw
// Playwright runs in Node, as it usually does. The table goes to stdout.

import { resolve } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { findExecutable } from '../src/core/browser/process/find-executable.ts'
import { callOrThrow, connect } from '../test/support/client.ts'
import { type Row, sideBySide, table } from './measure.ts'

const [runs = '30'] = process.argv.slice(2)
const { path: executablePath } = findExecutable({ browser: 'firefox', headless: true })
if (!executablePath) throw new Error('bench: there is no Firefox; run `bun run setup --tests` first')

const PAGE_URL = `data:text/html,<button>Save</button><input id="name">`
const rawSource = `
const { firefox } = require('playwright')
const run = async () => {
  const browser = await firefox.launch({ executablePath: ${JSON.stringify(executablePath)}, channel: 'moz-firefox' })
  const page = await browser.newPage()
  const actions = {
    navigate: () => page.goto(${JSON.stringify(PAGE_URL)}),
    click: () => page.click('button'),
    fill: () => page.fill('#name', 'Ada'),
    'type, 10 letters': () => page.locator('#name').pressSequentially('abcdefghij'),
    snapshot: () => page.locator('body').ariaSnapshot(),
    evaluate: () => page.evaluate('6 * 7'),
  }
  for await (const line of require('node:readline').createInterface(process.stdin)) {
    await actions[line]()
    console.log('done')
  }
  await browser.close()
}
run()`

const peer = await connect({ args: ['--headless', '--browser', 'firefox'] })
const sessionId = await peer.session()
const calls = {
  navigate: ['navigate', { url: PAGE_URL }],
  click: ['click', { selector: 'button' }],
  fill: ['fill_form', { fields: [{ selector: '#name', value: 'Ada' }] }],
  'type, 10 letters': ['type', { selector: '#name', text: 'abcdefghij', clear: true }],
  snapshot: ['snapshot', {}],
  evaluate: ['evaluate', { script: '6 * 7' }],
} as const satisfies Record<string, readonly [tool: string, input: object]>

const raw = Bun.spawn(['node', '-e', rawSource], {
  cwd: resolve(import.meta.dir, '..'),
  stdin: 'pipe',
  stdout: 'pipe',
  stderr: 'inherit',
})
const answers = createInterface(Readable.fromWeb(raw.stdout as never))[Symbol.asyncIterator]()

const rows: Row[] = []
for (const [name, [tool, input]] of Object.entries(calls)) {
  console.error(`bench: ${name} …`)
  const contenders = {
    footlight: async () => void (await callOrThrow(peer, tool, { sessionId, ...input })),
    'raw Playwright': async () => {
      void raw.stdin.write(`${name}\n`)
      if ((await answers.next()).done) throw new Error('bench: raw Playwright has ended')
    },
  }
  rows.push(await sideBySide(name, contenders, { runs: Number(runs), warmUp: 3 }))
}
await raw.stdin.end()
await raw.exited
await peer.close()
console.log(table(rows))
process.exit(0)
