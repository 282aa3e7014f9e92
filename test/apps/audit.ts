// Forty seeded regressions in applications of five stacks: `audit` with `since` names the rule and the source line of each, and nothing
// of what did not change.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'bun:test'
import { PNG } from 'pngjs'
import { callOrThrow, connect } from '../support/client.ts'
import { serveSite, type Route } from '../support/site.ts'
import { placeCopy } from './place.ts'

/** One element a line, as the stacks write them. */
const MARKUP = `<section>
<h1>Seed 0</h1>
<img id="hero" src="SITE/fast.png" width="600" height="300" alt="Hero" />
<p class="note">A note of the page</p>
<input id="name" aria-label="Name" />
<div class="tools"><button type="button">Tool</button></div>
<div class="bar">Bar</div>
<div class="title">A title with several words that needs two lines</div>
<button type="button" class="icon" id="left">A</button>
<button type="button" class="icon" id="right">B</button>
<div class="tall">Tall</div>
</section>`

const STYLE = `body { font: 16px/20px sans-serif; margin: 8px } .pale { color: #bbb } .wide { width: 700px } .title { width: 120px }
.short { height: 26px; overflow: hidden } .icon { width: 40px; height: 40px; padding: 0 } .tiny { width: 12px; height: 12px }
#hero { display: block } .tall { height: 600px; background: #eee }`

/** What an edit breaks: the text that it replaces, what the finding begins with. */
const seeds: readonly (readonly [rule: string, from: string, to: string, line: RegExp])[] = [
  ['contrast', 'class="note"', 'class="note pale"', /^serious color-contrast: /],
  ['label', ' aria-label="Name"', '', /^critical label: /],
  ['focus', 'class="tools"', 'class="tools" aria-hidden="true"', /^serious aria-hidden-focus: /],
  ['overflow', 'class="bar"', 'class="bar wide"', /^overflow at 320 px: /],
  ['shift', 'fast.png" width="600" height="300"', 'late.png"', /^CLS /],
  ['slow picture', 'fast.png', 'slow.png', /^LCP /],
  ['cut text', 'class="title"', 'class="title short"', /^cut: /],
  ['small target', 'class="icon" id="left"', 'class="icon tiny" id="left"', /^target: /],
]

interface AuditedStack {
  readonly name: string
  readonly port: number
  readonly file: string
  readonly page: string
  write?(markup: string): string
}

const asJsx = (markup: string) => markup.replaceAll('class=', 'className=')
// What Vue notes of static content is that of the template around it, so each element gets something that may change.
const makeDynamic = (markup: string) => markup.replace(/<(\w+)/g, '<$1 :data-count="count"')

const stacks: readonly AuditedStack[] = [
  { name: 'vite-react', port: 5511, file: 'src/app.jsx', page: 'index.html', write: asJsx },
  { name: 'vite-vue', port: 5512, file: 'src/app.vue', page: 'index.html', write: makeDynamic },
  { name: 'vite-svelte', port: 5513, file: 'src/app.svelte', page: 'index.html' },
  { name: 'angular', port: 5518, file: 'src/app.ts', page: 'src/index.html' },
  { name: 'astro', port: 5517, file: 'src/pages/index.astro', page: 'src/pages/index.astro' },
]

const LIMIT_MS = 600_000
const START_LIMIT_MS = 110_000

/** A picture that is not so plain that it would be no content. */
function drawPicture(): Buffer {
  const picture = new PNG({ width: 600, height: 300 })
  for (let at = 0; at < picture.data.length; at += 1)
    picture.data[at] = at % 4 === 3 ? 255 : (at * 7919) % 251
  return PNG.sync.write(picture)
}

const picture = drawPicture()
const answerAfter =
  (ms: number): Route =>
  (_, response) => {
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'no-store' })
      response.end(picture)
    }, ms)
  }

describe.each(stacks)('$name', ({ name, port, file, page, write = (markup) => markup }) => {
  test(
    'each regression has its line, and without one nothing is new',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'fl-audited-'))
      const app = await placeCopy(name, folder)
      const site = await serveSite({
        '/style.css': (_, response) => {
          response.setHeader('content-type', 'text/css')
          response.end(STYLE)
        },
        '/fast.png': answerAfter(0),
        '/late.png': answerAfter(900),
        '/slow.png': answerAfter(3200),
      })
      for (const entry of ['package.json', 'angular.json'].map((one) => join(app, one)))
        if (existsSync(entry))
          writeFileSync(entry, readFileSync(entry, 'utf8').replace(/\b53\d\d\b/, String(port)))
      const link = `$&<link rel="stylesheet" href="${site.url}/style.css" />`
      const document = readFileSync(join(app, page), 'utf8').replace(/<title>.*<\/title>/, link)
      if (!document.includes('/style.css')) throw new Error(`${page} has no title`)
      writeFileSync(join(app, page), document)
      const original = readFileSync(join(app, file), 'utf8')
      const markup = MARKUP.replace('SITE', site.url)
      const sourceOf = (seeded: string, count: number): string =>
        original.replace('<h1>First title</h1>', write(seeded.replace('Seed 0', `Seed ${count}`)))
      const peer = await connect({
        args: ['--headless', '--evidence', 'text', '--tools', '+audit'],
        env: { NODE_ENV: 'development', CI: '1' },
      })
      let sessionId: string | undefined
      const call = (tool: string, input: Record<string, unknown> = {}) =>
        callOrThrow(peer, tool, { sessionId, ...input })
      let count = 0
      /** Writes the source, and loads the page anew once its server has it. */
      const show = async (seeded: string): Promise<string> => {
        count += 1
        const source = sourceOf(seeded, count)
        writeFileSync(join(app, file), source)
        await call('wait_for', { text: `Seed ${count}`, timeout: 60_000 })
        await call('history', { direction: 'reload' })
        await call('wait_for', { text: `Seed ${count}`, timeout: 60_000 })
        const { result } = await call('evaluate', {
          script: `const hero = document.querySelector('#hero'); await hero.decode(); await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))); return hero.complete`,
        })
        expect(result).toBe(true)
        return source
      }
      const found: string[] = []
      const missed: string[] = []
      try {
        writeFileSync(join(app, file), sourceOf(markup, count))
        const { sessionId: id, url } = await callOrThrow(peer, 'create_session', {
          command: 'npm run dev',
          cwd: app,
          readyTimeout: START_LIMIT_MS,
        })
        sessionId = id
        await call('navigate', { url })
        await call('wait_for', { text: 'Seed 0', timeout: 60_000 })
        await show(markup)
        await call('audit')
        for (const [rule, from, to, line] of seeds) {
          if (!markup.includes(from)) throw new Error(`the markup has no ${from}`)
          await show(markup)
          for (const since of ['baseline', 'edit'])
            expect([rule, (await call('audit', { since })).findings]).toEqual([rule, []])
          const source = await show(markup.replace(from, to))
          // The text of the heading differs as well.
          const soundLines = sourceOf(markup, count).split('\n')
          const place = 1 + source.split('\n').findIndex((one, index) => one !== soundLines[index])
          const { findings } = await call('audit', { since: 'baseline' })
          const isFound = findings.some(
            (one: string) => line.test(one) && new RegExp(`${file}:${place}\\b`).test(one),
          )
          ;(isFound ? found : missed).push(rule)
        }
        await show(markup)
        for (const since of ['baseline', 'edit'])
          expect((await call('audit', { since })).findings).toEqual([])
      } finally {
        await peer.close()
        site.close()
        rmSync(folder, { recursive: true, force: true })
      }
      expect({ found, missed }).toEqual({ found: seeds.map(([rule]) => rule), missed: [] })
    },
    LIMIT_MS,
  )
})
