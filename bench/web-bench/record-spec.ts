// Runs a spec of a project as its own tests do, and notes what it does as calls of tools. Playwright's own methods are watched, so that the
// control flow of the spec, its waits and its values are the real ones.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'
import { type Browser, devices, type Locator, type Page } from 'playwright'
import { defineConfig, expect } from 'playwright/test'

export interface SpecCall {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

type Body = (fixtures: { page: Page; context: unknown; browser: Browser }) => Promise<void>

interface Spec {
  readonly before: readonly Body[]
  readonly tests: readonly { readonly title: string; readonly body: Body }[]
}

const TEST_TIMEOUT_MS = 15_000

/** The calls of the first test of the file that passes and does nothing else than tools can repeat; otherwise the reason. */
export async function recordSpec(
  path: string,
  browser: Browser,
  baseUrl: string,
  libraries: string,
): Promise<{ readonly title: string; readonly calls: readonly SpecCall[] } | string> {
  const spec = loadSpec(path, libraries)
  let reason = 'it has no test'
  for (const { title, body } of spec.tests) {
    const result = await runTest(spec, body, browser, baseUrl).catch((error: Error) =>
      error.message.slice(0, 200),
    )
    if (typeof result !== 'string') return { title, calls: result }
    reason = `${title}: ${result}`
  }
  return reason
}

// --- internal ---

async function runTest(
  { before }: Spec,
  body: Body,
  browser: Browser,
  baseURL: string,
): Promise<readonly SpecCall[] | string> {
  const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 720 } })
  const page = await context.newPage()
  page.setDefaultTimeout(5000)
  const calls: SpecCall[] = []
  const others = new Set<string>()
  watchPage(page, calls, others)
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it takes too long')), TEST_TIMEOUT_MS)
  })
  try {
    const run = async () => {
      for (const work of [...before, body]) await work({ page, context, browser })
    }
    await Promise.race([run(), end])
  } finally {
    clearTimeout(timer)
    await context.close()
  }
  if (others.size > 0) return `it uses ${[...others].join(', ')}`
  return calls.some(({ tool }) => tool === 'navigate') ? calls : 'it opens no page'
}

type Watched = Record<string, (...args: unknown[]) => unknown>

const LOCATOR_CALLS: Readonly<Record<string, (selector: unknown, argument: unknown) => SpecCall>> = {
  click: (selector) => ({ tool: 'click', input: { selector } }),
  dblclick: (selector) => ({ tool: 'click', input: { selector, clickCount: 2 } }),
  hover: (selector) => ({ tool: 'hover', input: { selector } }),
  fill: (selector, value) => ({ tool: 'fill_form', input: { fields: [{ selector, value }] } }),
  check: (selector) => ({ tool: 'fill_form', input: { fields: [{ selector, value: true }] } }),
  uncheck: (selector) => ({ tool: 'fill_form', input: { fields: [{ selector, value: false }] } }),
  selectOption: (selector, value) => ({ tool: 'select', input: { selector, values: [value].flat() } }),
  press: (selector, key) => ({ tool: 'press_key', input: { selector, key } }),
}
const OTHER_LOCATOR_CALLS = [
  'tap',
  'dragTo',
  'setInputFiles',
  'dispatchEvent',
  'pressSequentially',
  'type',
  'focus',
  'blur',
]

function watchPage(page: Page, calls: SpecCall[], others: Set<string>): void {
  let depth = 0
  const around =
    (target: Watched, name: string, note: (args: readonly unknown[]) => unknown, self: unknown) =>
    async (...args: unknown[]) => {
      if (depth === 0) note(args)
      depth += 1
      try {
        return await target[name]?.apply(self, args)
      } finally {
        depth -= 1
      }
    }
  const watchLocator = (locator: Locator): Locator => {
    const selector = String((locator as unknown as { _selector: string })._selector)
    const watched = locator as unknown as Watched
    return new Proxy(locator, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown
        if (typeof value !== 'function' || typeof name !== 'string') return value
        const toCall = LOCATOR_CALLS[name]
        if (toCall)
          return around(watched, name, ([argument]) => calls.push(toCall(selector, argument)), target)
        if (OTHER_LOCATOR_CALLS.includes(name)) return around(watched, name, () => others.add(name), target)
        return (...args: unknown[]) => {
          const result = (value as (...all: unknown[]) => unknown).apply(target, args)
          if (isLocator(result)) return watchLocator(result)
          return name === 'all' ? (result as Promise<Locator[]>).then((all) => all.map(watchLocator)) : result
        }
      },
    })
  }
  watchMethods(page, { calls, others, around, watchLocator })
}

const isLocator = (value: unknown): value is Locator =>
  typeof value === 'object' && value !== null && '_selector' in value && 'click' in value

interface Watch {
  readonly calls: SpecCall[]
  readonly others: Set<string>
  readonly around: (
    target: Watched,
    name: string,
    note: (args: readonly unknown[]) => unknown,
    self: unknown,
  ) => unknown
  readonly watchLocator: (locator: Locator) => Locator
}

function watchMethods(page: Page, { calls, others, around, watchLocator }: Watch): void {
  const methods = page as unknown as Watched
  const replace = (owner: Watched, name: string, note: (args: readonly unknown[]) => unknown) => {
    const original = { [name]: owner[name] } as Watched
    owner[name] = around(original, name, note, owner) as Watched[string]
  }
  for (const name of [
    'locator',
    'getByText',
    'getByLabel',
    'getByRole',
    'getByPlaceholder',
    'getByAltText',
    'getByTitle',
    'getByTestId',
  ]) {
    const original = methods[name]
    methods[name] = (...args) => watchLocator(original?.apply(page, args) as Locator)
  }
  for (const [name, toCall] of Object.entries(LOCATOR_CALLS))
    if (name in page)
      replace(methods, name, ([selector, argument]) => calls.push(toCall(`${selector} >> nth=0`, argument)))
  replace(methods, 'goto', ([url]) => calls.push({ tool: 'navigate', input: { url } }))
  replace(methods, 'reload', () => calls.push({ tool: 'history', input: { direction: 'reload' } }))
  replace(methods, 'goBack', () => calls.push({ tool: 'history', input: { direction: 'back' } }))
  replace(methods, 'goForward', () => calls.push({ tool: 'history', input: { direction: 'forward' } }))
  for (const name of [
    'evaluate',
    'setViewportSize',
    'setContent',
    'route',
    'tap',
    'dragAndDrop',
    'frame',
    'frameLocator',
  ])
    if (name in page) replace(methods, name, () => void (name === 'evaluate' || others.add(name)))
  const keyboard = page.keyboard as unknown as Watched
  replace(keyboard, 'press', ([key]) => calls.push({ tool: 'press_key', input: { key } }))
  for (const name of ['down', 'up', 'type', 'insertText'])
    replace(keyboard, name, () => others.add(`keyboard.${name}`))
  const mouse = page.mouse as unknown as Watched
  for (const name of ['move', 'down', 'up', 'click', 'dblclick', 'wheel'])
    replace(mouse, name, () => others.add(`mouse.${name}`))
  page.on('dialog', () => others.add('a dialog'))
  page.on('popup', () => others.add('a popup'))
}

function loadSpec(path: string, libraries: string): Spec {
  const before: Body[] = []
  const tests: { title: string; body: Body }[] = []
  const test = Object.assign((title: string, body: Body) => void tests.push({ title, body }), {
    beforeEach: (body: Body) => void before.push(body),
    afterEach: () => {},
    beforeAll: () => {},
    afterAll: () => {},
    describe: Object.assign((_: string, define: () => void) => define(), { configure: () => {} }),
    skip: () => {},
    only: (title: string, body: Body) => void tests.push({ title, body }),
    setTimeout: () => {},
    use: () => {},
    slow: () => {},
  })
  const modules = new Map<string, { exports: unknown }>()
  const load = (file: string): unknown => {
    const loaded = modules.get(file)
    if (loaded) return loaded.exports
    const module = { exports: {} as unknown }
    modules.set(file, module)
    const native = createRequire(file)
    const requireOwn = (name: string): unknown => {
      if (name === '@playwright/test') return { test, expect, devices, defineConfig, describe: test.describe }
      if (name === '@web-bench/test-util') return load(`${libraries}/test-util/src/index.js`)
      if (name === '@web-bench/shop-test-util') return load(`${libraries}/shop-test-util/src/index.js`)
      return name.startsWith('.') ? load(native.resolve(name)) : native(name)
    }
    const source = toCommonJs(readFileSync(file, 'utf8'))
    new Function('require', 'module', 'exports', '__dirname', '__filename', source)(
      requireOwn,
      module,
      module.exports,
      dirname(file),
      file,
    )
    return module.exports
  }
  load(path)
  return { before, tests }
}

/** The forms of import and export that the specs have, as `require` and `exports`. */
function toCommonJs(source: string): string {
  const exported: string[] = []
  const exportName = (name: string): string => {
    exported.push(`exports.${name} = ${name}`)
    return ''
  }
  const text = source
    .replace(
      /^import\s+\{([^}]*)\}\s+from\s+('[^']+')/gm,
      (_, names: string, from: string) => `const {${names.replace(/\bas\b/g, ':')}} = require(${from})`,
    )
    .replace(
      /^import\s+(?:\*\s+as\s+)?(\w+)\s+from\s+('[^']+')/gm,
      (_, name: string, from: string) => `const ${name} = ((all) => all?.default ?? all)(require(${from}))`,
    )
    .replace(/^export\s+(?=(?:async\s+)?(?:function\*?|const|let|class)\s+(\w+))/gm, (_, name: string) =>
      exportName(name),
    )
    .replace(/^export\s+\{([^}]*)\};?/gm, (_, names: string) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean)
        .map(exportName)
        .join(''),
    )
    .replace(/^export\s+default\s+/gm, 'exports.default = ')
  return `${text}\n${exported.join('\n')}`
}
