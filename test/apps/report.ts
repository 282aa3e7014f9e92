// A person finds the cause in the report of a real stack: text above the timeline that is visible when the file is
// opened, without a click.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { pathToFileURL } from 'node:url'
import { openPages, type BrowserPages } from '../support/checks.ts'
import { readVisibleText } from '../support/visible-text.ts'
import { openApp } from './app.ts'
import { edits, TITLE, type Edit, type Stack } from './stack.ts'

interface Seed {
  readonly edit: Edit
  /** What a person looks for who has to mend it. */
  readonly cause: readonly (string | RegExp)[]
}

const LIMIT_MS = 300_000

const vite: Stack = {
  name: 'vite-react',
  command: 'npm run dev',
  origin: 'http://localhost:5311',
  source: 'src/app.jsx',
  syntax: /./,
  missing: /./,
}
const next: Stack = {
  ...vite,
  name: 'next',
  origin: 'http://localhost:5315',
  source: 'app/page.jsx',
  env: { NEXT_TELEMETRY_DISABLED: '1' },
}

const differs: Edit = (source) =>
  source.replace(TITLE, "{typeof window === 'undefined' ? 'Offers of the server' : 'Offers of the browser'}")
const throwsOnServer: Edit = (source) =>
  source
    .replace("'use client'", '')
    .replace(/import .*/, '')
    .replace(
      'const [count, setCount] = useState(0)',
      'const offers = undefined\n  const count = offers.length',
    )
    .replace(' onClick={increment}', '')

const seeds: readonly (readonly [name: string, stack: Stack, seed: Seed])[] = [
  [
    'a handler of React throws',
    vite,
    { edit: edits.handlerThrows, cause: ['increment is broken', 'src/app.jsx:6'] },
  ],
  [
    'Vite does not find an import, and its overlay covers the page',
    vite,
    { edit: edits.missingImport, cause: [/Failed to resolve import .\.\/missing-module/, 'src/app.jsx'] },
  ],
  [
    'Next renders another text on the server than in the browser',
    next,
    { edit: differs, cause: [/Hydration failed/, 'Offers of the server', 'Offers of the browser'] },
  ],
  [
    'a page of Next throws on the server',
    next,
    {
      edit: throwsOnServer,
      cause: [
        /Cannot read properties of undefined \(reading 'length'\)/,
        /app\/page\.jsx:7/,
        /GET \S+ .*500/,
      ],
    },
  ],
]

let browsers: BrowserPages
beforeAll(async () => void (browsers = await openPages('chromium', 1)), LIMIT_MS)
afterAll(() => browsers.close())

test.each(seeds)(
  '%s',
  async (_, stack, { edit, cause }) => {
    const app = await openApp(stack, { report: 'on' })
    app.edit(edit)
    await app.start()
    await app.open()
    await app.call('click', { selector: '#counter', timeout: 5000 })
    const { data } = await app.call('close_session')
    const [reader] = browsers.pages
    await reader?.goto(pathToFileURL(/Its report is (.+\.html)\./.exec(data.message)?.[1] ?? '').href)
    const text = (await reader?.evaluate(readVisibleText)) ?? ''
    await app.close()
    const [top = ''] = text.split('\n Timeline\n')
    expect(cause.filter((one) => (typeof one === 'string' ? !top.includes(one) : !one.test(top)))).toEqual([])
  },
  LIMIT_MS,
)
