// `bun bench/pins.ts [STACK]`: a person sets pins on ten elements of an application in each of five stacks, in batches of five, one with the mouse
// and one with the keyboard alone; the agent reads and answers them. Counts the pins whose ref, source line, words, picture and answer are right.
// Packages are installed once into ~/.cache/footlight-source-lines.

import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import type { Page } from 'playwright'
import { expect as assertion } from 'playwright/test'
import { openPages } from '../test/support/checks.ts'
import { callOrThrow, connect, type Peer } from '../test/support/client.ts'
import { until } from '../test/support/leftovers.ts'
import { installPackages } from './install-packages.ts'
import { VITE_PACKAGES } from './vite-packages.ts'
import { writeSource } from './write-source.ts'

const SOLID_PACKAGES = { vite: '^7', 'solid-js': '^1', 'vite-plugin-solid': '^2', 'solid-devtools': '^0.34' }

/** Each on a line of its own, with a name that no other line has. */
const LINES = [
  '<h1>Orders of today</h1>',
  '<a href="#help">Help</a>',
  '<button type="button">Save</button>',
  '<input aria-label="Customer" />',
  '<input type="checkbox" aria-label="Urgent" />',
  '<select aria-label="Size"><option>Small</option></select>',
  '<textarea aria-label="Remark"></textarea>',
  '<p>Nothing was sent yet</p>',
  '<button type="button">Print</button>',
  '<h2>Old orders</h2>',
]
const NAMES = [
  'Orders of today',
  'Help',
  'Save',
  'Customer',
  'Urgent',
  'Size',
  'Remark',
  'Nothing',
  'Print',
  'Old orders',
]
const BATCH = 5
const TIMEOUT_MS = 120_000

interface Stack {
  readonly name: string
  readonly file: string
  /** The application around the lines. */
  readonly write: (markup: string) => string
  readonly main?: readonly [file: string, text: string]
  readonly plugin?: string
}

const jsx = (markup: string) =>
  `export function App() {\n  return (\n    <main>\n${markup}\n    </main>\n  )\n}\n`
const html = (body: string) => `<!doctype html>\n<title>Pins</title>\n<body>\n${body}\n</body>\n`

const stacks: readonly Stack[] = [
  {
    name: 'react',
    file: 'src/app.jsx',
    write: jsx,
    main: [
      'src/main.jsx',
      "import { createRoot } from 'react-dom/client'\nimport { App } from './app.jsx'\ncreateRoot(document.querySelector('#root')).render(<App />)\n",
    ],
    plugin: '@vitejs/plugin-react',
  },
  {
    name: 'vue',
    file: 'src/app.vue',
    // What Vue notes of static content is that of the template around it.
    write: (markup) =>
      `<script setup>\nimport { ref } from 'vue'\nconst count = ref(0)\n</script>\n<template>\n<main>\n${markup.replaceAll(/<(?!\/)(\w+)/g, '<$1 :data-count="count"')}\n</main>\n</template>\n`,
    main: [
      'src/main.js',
      "import { createApp } from 'vue'\nimport App from './app.vue'\ncreateApp(App).mount('#root')\n",
    ],
    plugin: '@vitejs/plugin-vue',
  },
  {
    name: 'svelte',
    file: 'src/app.svelte',
    write: (markup) => `<main>\n${markup}\n</main>\n`,
    main: [
      'src/main.js',
      "import { mount } from 'svelte'\nimport App from './app.svelte'\nmount(App, { target: document.querySelector('#root') })\n",
    ],
    plugin: '@sveltejs/vite-plugin-svelte',
  },
  {
    name: 'solid',
    file: 'src/app.jsx',
    write: jsx,
    main: [
      'src/main.jsx',
      "import 'solid-devtools'\nimport { render } from 'solid-js/web'\nimport { App } from './app.jsx'\nrender(() => <App />, document.querySelector('#root'))\n",
    ],
    plugin: 'vite-plugin-solid',
  },
  { name: 'plain', file: 'index.html', write: html },
]

function createApp({ file, write, main, plugin }: Stack): { folder: string; lineOf(name: string): number } {
  const folder = mkdtempSync(join(tmpdir(), 'fl-pins-'))
  const packages = plugin === 'vite-plugin-solid' ? SOLID_PACKAGES : VITE_PACKAGES
  symlinkSync(
    join(installPackages('footlight-source-lines', packages), 'node_modules'),
    join(folder, 'node_modules'),
  )
  const text = write(LINES.map((line) => `      ${line}`).join('\n'))
  writeSource(folder, file, text)
  writeSource(folder, 'package.json', '{"private":true,"type":"module"}')
  if (main) {
    writeSource(folder, main[0], main[1])
    writeSource(
      folder,
      'index.html',
      html(`<div id="root"></div>\n<script type="module" src="/${main[0]}"></script>`),
    )
  }
  writeSource(folder, 'vite.config.js', configOf(plugin))
  return { folder, lineOf: (name) => text.split('\n').findIndex((line) => line.includes(name)) + 1 }
}

function configOf(plugin: string | undefined): string {
  // Others may use the same packages.
  const config = (plugins: string) => `export default { plugins: [${plugins}], cacheDir: '.vite' }\n`
  if (plugin === undefined) return config('')
  const call = plugin === '@sveltejs/vite-plugin-svelte' ? 'import { svelte as plugin }' : 'import plugin'
  if (plugin !== 'vite-plugin-solid') return `${call} from '${plugin}'\n${config('plugin()')}`
  const locator = "devtools({ locator: { targetIDE: 'vscode', componentLocation: true, jsxLocation: true } })"
  return `${call} from '${plugin}'\nimport devtools from 'solid-devtools/vite'\n${config(`${locator}, plugin()`)}`
}

/** Sets the pins of one batch in the view, and sends them. */
type SetPins = (view: Page, names: readonly string[], boxes: ReadonlyMap<string, Box>) => Promise<void>

interface Box {
  readonly x: number
  readonly y: number
}

const wordsOf = (name: string): string => `about ${name}`

const withMouse: SetPins = async (view, names, boxes) => {
  const picture = view.getByRole('img', { name: 'The page of shop' })
  await view.getByRole('button', { name: 'Comment', exact: true }).click()
  for (const [index, name] of names.entries()) {
    const place = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0 }
    const { x, y } = boxes.get(name) ?? { x: 0, y: 0 }
    await view.mouse.click(place.x + (x * place.width) / 1280, place.y + (y * place.width) / 1280)
    await view.getByLabel('What do you say about it?').fill(wordsOf(name))
    await view
      .getByRole('button', { name: index === names.length - 1 ? 'Send' : 'Add another', exact: true })
      .click()
    await assertion(view.locator('#comment')).toBeHidden()
  }
}

const withKeyboard: SetPins = async (view, names) => {
  const { keyboard } = view
  const focused = () => view.evaluate(() => document.activeElement?.id ?? '')
  const tabTo = async (id: string) => {
    for (let count = 0; (await focused()) !== id; count += 1) {
      if (count > 60) throw new Error(`the keyboard does not reach ${id}`)
      await keyboard.press('Tab')
    }
  }
  await tabTo('point')
  await keyboard.press('Enter')
  for (const [index, name] of names.entries()) {
    const pointed = view.locator('#pointed')
    for (let count = 0; !(await pointed.textContent())?.includes(name); count += 1) {
      if (count > 60) throw new Error(`the keyboard does not reach ${name}`)
      const before = await pointed.textContent()
      await keyboard.press('ArrowDown')
      await assertion(pointed).not.toHaveText(before ?? '')
    }
    await keyboard.press('Enter')
    await assertion(view.getByLabel('What do you say about it?')).toBeFocused()
    await keyboard.type(wordsOf(name))
    if (index === names.length - 1) await keyboard.press('Control+Enter')
    else {
      await tabTo('more')
      await keyboard.press('Enter')
    }
    await assertion(view.locator('#comment')).toBeHidden()
  }
}

interface Told {
  readonly number: number
  readonly ref: string
  readonly source?: string
  readonly note: string
  readonly locator?: string
  readonly picture?: string
}

async function readBoxes(peer: Peer): Promise<ReadonlyMap<string, Box>> {
  const script = `return [...document.querySelectorAll('main > *, body > *')].filter((e) => !e.querySelector('h1')).map((e) => { const r = e.getBoundingClientRect(); return [e.ariaLabel ?? e.textContent, r.x + Math.min(r.width / 2, 20), r.y + r.height / 2] })`
  const { result } = await callOrThrow(peer, 'evaluate', { script })
  const boxes = new Map<string, Box>()
  for (const name of NAMES) {
    const [, x, y] = (result as [string, number, number][]).find(([text]) => text.includes(name)) ?? []
    boxes.set(name, { x: x ?? 0, y: y ?? 0 })
  }
  return boxes
}

/** The name of the element that the agent reaches by a ref. */
async function readName(peer: Peer, ref: string): Promise<string> {
  const script = 'return element.ariaLabel ?? element.textContent'
  const { data } = await peer.call('evaluate', { script, ref })
  return String(data.result)
}

async function runStack(stack: Stack, view: Page): Promise<Record<string, number>> {
  const { folder, lineOf } = createApp(stack)
  const peer = await connect({ args: ['--headless', '--view'], cwd: folder })
  const right = { refs: 0, sources: 0, words: 0, locators: 0, pictures: 0, states: 0 }
  try {
    const command = 'node node_modules/vite/bin/vite.js --port $PORT --strictPort'
    await callOrThrow(peer, 'create_session', { name: 'shop', command, cwd: folder })
    await callOrThrow(peer, 'navigate', { url: '/' })
    await callOrThrow(peer, 'wait_for', { text: 'Old orders', timeout: TIMEOUT_MS })
    const boxes = await readBoxes(peer)
    await until(() => /http:\S+#\S+/.test(peer.stderr()))
    await view.goto(/http:\S+#\S+/.exec(peer.stderr())?.[0] ?? '')
    await view.getByRole('link', { name: 'shop' }).click()
    const picture = view.getByRole('img', { name: 'The page of shop' })
    await assertion(picture).toHaveAttribute('src', /^data:image\/jpeg/, { timeout: TIMEOUT_MS })
    for (const [batch, setPins] of [withMouse, withKeyboard].entries()) {
      const names = NAMES.slice(batch * BATCH, (batch + 1) * BATCH)
      const waiting = callOrThrow(peer, 'wait_for', { comment: true, timeout: TIMEOUT_MS })
      await setPins(view, names, boxes)
      const { comments } = (await waiting) as { comments: readonly Told[] }
      const answers = comments.map(({ number }, index) =>
        index % 2 === 0 ? `${number} done: changed ${number}` : `${number} question: what of ${number}?`,
      )
      await callOrThrow(peer, 'wait_for', { answers })
      for (const [index, name] of names.entries()) {
        const told = comments[index]
        // Nothing notes the lines of a page without a framework.
        const expected = stack.main ? `${stack.file}:${lineOf(name)}` : 'none'
        const reached = await readName(peer, told?.ref ?? '')
        if (reached.includes(name)) right.refs += 1
        else console.log(stack.name, name, 'ref', told?.ref, reached)
        if ((told?.source ?? 'none').startsWith(expected)) right.sources += 1
        else console.log(stack.name, name, 'source', told?.source, expected)
        if (told?.note === wordsOf(name)) right.words += 1
        if (told?.locator !== undefined) {
          const { count } = await callOrThrow(peer, 'exists', { selector: told.locator })
          if (count === 1) right.locators += 1
        }
        if (told?.picture !== undefined && existsSync(told.picture)) right.pictures += 1
        const number = told?.number ?? 0
        const state = index % 2 === 0 ? `done: changed ${number}` : `question: what of ${number}?`
        const item = view
          .getByRole('list', { name: 'Comments' })
          .getByRole('listitem')
          .nth(number - 1)
        await assertion(item).toContainText(`${wordsOf(name)}${state}`)
        right.states += 1
      }
    }
  } finally {
    await view.goto('about:blank')
    await peer.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return right
}

const browsers = await openPages('chromium', 1, { network: true })
const [view] = browsers.pages
const wanted = stacks.filter(({ name }) => process.argv.length < 3 || process.argv.includes(name))
for (const stack of wanted) {
  const result = view ? await runStack(stack, view) : {}
  console.log(stack.name, JSON.stringify(result))
}
await browsers.close()
