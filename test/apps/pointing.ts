// What a person points at in applications of five stacks has the ref of the snapshot and the source that get_content reads.

import type { ElementOrigin } from '../../src/core/sessions/types/sources.ts'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, test } from 'bun:test'
import { placedElementsOf } from '../../src/core/snapshot/changed-elements.ts'
import { readOrigin } from '../../src/features/sources/element-origin.ts'
import { deadline, openSessionPage, valueOf, type SessionPage } from '../support/session-page.ts'
import { until } from '../support/leftovers.ts'
import { placeCopy } from './place.ts'

const MARKUP = `<h1>Pointed at</h1>
<nav><a href="#home">Home</a></nav>
<button type="button">Save</button>
<input aria-label="Name" />
<input type="checkbox" aria-label="Agree" />
<select aria-label="Size"><option>Small</option></select>
<textarea aria-label="Note"></textarea>
<ul>
  <li>One</li>
  <li>Two</li>
</ul>
<p>Text</p>
<table><tbody><tr><td>Cell</td></tr></tbody></table>`

/** Their middle shows nothing of another element. */
const ROLES = [
  'heading',
  'link',
  'button',
  'textbox',
  'checkbox',
  'combobox',
  'listitem',
  'paragraph',
  'cell',
]
const MARKUP_COUNT = 11

interface PointedStack {
  readonly name: string
  readonly port: number
  readonly file: string
  write?(markup: string): string
}

// What Vue notes of static content is that of the template around it, so each element gets something that may change.
const makeDynamic = (markup: string) => markup.replace(/<(\w+)/g, '<$1 :data-count="count"')

// The runs of the same applications may use their own ports at the same time.
const stacks: readonly PointedStack[] = [
  { name: 'vite-react', port: 5411, file: 'src/app.jsx' },
  { name: 'vite-vue', port: 5412, file: 'src/app.vue', write: makeDynamic },
  { name: 'vite-svelte', port: 5413, file: 'src/app.svelte' },
  { name: 'angular', port: 5418, file: 'src/app.ts' },
  { name: 'astro', port: 5417, file: 'src/pages/index.astro' },
]

const START_LIMIT_MS = 110_000
const LIMIT_MS = 300_000

describe.each(stacks)('$name', ({ name, port, file, write = (markup) => markup }) => {
  test(
    'each element at its middle',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'fl-pointing-'))
      const app = await placeCopy(name, folder)
      const source = readFileSync(join(app, file), 'utf8')
      writeFileSync(join(app, file), source.replace('<h1>First title</h1>', write(MARKUP)))
      for (const file of ['package.json', 'angular.json'].map((entry) => join(app, entry)))
        if (existsSync(file))
          writeFileSync(file, readFileSync(file, 'utf8').replace(/\b53\d\d\b/, String(port)))
      const server = startServer(app)
      const session = await openSessionPage()
      try {
        const url = `http://localhost:${port}/`
        const isUp = () =>
          fetch(url)
            .then(({ ok }) => ok)
            .catch(() => false)
        expect(await until(isUp, START_LIMIT_MS)).toBe(true)
        await session.open(url)
        await expectSameElements(session)
      } finally {
        await session.close()
        await server.stop()
        rmSync(folder, { recursive: true, force: true })
      }
    },
    LIMIT_MS,
  )
})

async function expectSameElements({ page }: SessionPage): Promise<void> {
  // The toolbar of Astro moves what is noted, from attributes into a module.
  const hasSource = async () => {
    const origin = await readOrigin(page, { selector: 'td' }, deadline())
    return origin.ok && isNamed(origin.value) && !('data-astro-source-loc' in origin.value.element.attributes)
  }
  expect(await until(hasSource, START_LIMIT_MS)).toBe(true)
  const tree = valueOf(await page.tree({ boxes: true }, deadline()))
  // Those of the page: the toolbar of Astro comes after them.
  const elements = placedElementsOf(tree)
    .filter(({ role }) => ROLES.includes(role))
    .slice(0, MARKUP_COUNT)
  expect(elements).toHaveLength(MARKUP_COUNT)
  let sourceCount = 0
  for (const { role, name, ref, box } of elements) {
    const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    const origin = valueOf(await readOrigin(page, { ref }, deadline()))
    const element = valueOf(await page.elementAt(point, deadline()))
    expect(element).toEqual({ role, name, ref, box: expect.anything(), origin })
    if (isNamed(origin)) sourceCount += 1
  }
  expect(sourceCount).toBe(elements.length)
}

const isNamed = ({ position, template }: ElementOrigin): boolean => (position ?? template) !== undefined

function startServer(cwd: string) {
  // A test runner's own NODE_ENV would make frameworks leave out what they do in development.
  const env = { ...process.env, NODE_ENV: 'development', CI: '1' }
  const server = Bun.spawn(['npm', 'run', 'dev'], {
    cwd,
    env,
    detached: true,
    stdout: 'ignore',
    stderr: 'ignore',
  })
  return {
    async stop() {
      process.kill(-server.pid, 'SIGKILL')
      await server.exited
    },
  }
}
