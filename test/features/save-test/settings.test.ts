// Mocks and emulated settings.

import { describe, expect, test } from 'bun:test'
import { ok } from '../../../src/core/base/result.ts'
import { readTest } from '../../../src/features/compare/flow/read-test.ts'
import type { EmulationChange } from '../../../src/features/emulate/emulation.ts'
import type { MockRule } from '../../../src/features/mock/mock-rule.ts'
import { bodyOf, button, click, emulate, mock, navigate, ORIGIN, step, testOf } from './recorded-steps.ts'

const body = { body: 'x' }
const fulfill = "(route) => route.fulfill({ contentType: 'text/plain; charset=utf-8', body: 'x' })"

describe('the URL of a mock', () => {
  test.each([
    [undefined, "'**/*'"],
    ['/api', String.raw`/\/api/`],
    [`${ORIGIN}/api`, String.raw`/\/api/`],
    ['**/api/*', "'**/api/*'"],
    [`${ORIGIN}/api/*`, "'**/api/*'"],
    ['https://a.example/*', "'https://a.example/*'"],
    ['**/api**', String.raw`/\/api/`],
    ['**/*.{png,jpg}', String.raw`/\/[^/]*\.(?:png|jpg)$/`],
    ['/api/', '/api/'],
    [String.raw`/users/\d+$/`, String.raw`/users\/\d+$/`],
    ['/(?i)API[/?]/', '/API[/?]/i'],
  ])('%s is %s', (url, code) => {
    const text = bodyOf([mock({ ...(url !== undefined && { url }), answer: body })])
    expect(text).toContain(`page.route(${code}, `)
  })
})

test.each<[MockRule, readonly string[]]>([
  [{ url: '*', answer: body }, [`await page.route('*', ${fulfill});`]],
  [{ url: '*', answer: { ...body, times: 2 } }, [`await page.route('*', ${fulfill}, { times: 2 });`]],
  [{ url: '*', answer: { fail: true } }, ["await page.route('*', (route) => route.abort());"]],
  [{ url: '*', answer: {} }, []],
  [
    { url: '*', answer: { json: [{ a: null, 'b-c': "it's" }], status: 201, headers: { 'x-a': 'b' } } },
    [
      `await page.route('*', (route) => route.fulfill({ status: 201, headers: { 'x-a': 'b' }, json: [{ a: null, 'b-c': "it's" }] }));`,
    ],
  ],
  [
    { url: '*', method: 'post', answer: { delay: 20_000, status: 500, times: 1 } },
    [
      'let remaining = 1;',
      "await page.route('*', async (route) => {",
      "  if (route.request().method() !== 'POST' || remaining-- <= 0) return route.fallback();",
      '  await new Promise((resolve) => setTimeout(resolve, 20_000));',
      '  await route.fulfill({ status: 500 });',
      '});',
    ],
  ],
  [
    { url: '*', answer: { change: true, json: { a: { b: 1, 'c d': { e: null } } } } },
    [
      "await page.route('*', async (route) => {",
      '  const response = await route.fetch();',
      '  const json = await response.json();',
      "  await route.fulfill({ response, json: { ...json, a: { ...json?.a, b: 1, 'c d': { ...json?.a?.['c d'], e: undefined } } } });",
      '});',
    ],
  ],
  [
    { url: '*', answer: { change: true, headers: { a: 'b' }, body: 'x' } },
    [
      "await page.route('*', async (route) => {",
      '  const response = await route.fetch();',
      "  await route.fulfill({ response, headers: { ...response.headers(), a: 'b' }, body: 'x' });",
      '});',
    ],
  ],
  [
    { url: '**/api/*', har: 'api.har' },
    [
      'const folder = dirname(testInfo.file);',
      '',
      "await page.routeFromHAR(join(folder, 'api.har'), { url: '**/api/*' });",
    ],
  ],
])('%j', (rule, lines) => expect(bodyOf([mock(rule)])).toBe(lines.join('\n')))

test('mocks are those of all tabs if there are several', () => {
  const steps = [mock({ url: '*', answer: { fail: true } }), click(button('Go'), { openedTab: 't2' })]
  expect(bodyOf(steps)).toStartWith("await context.route('*', (route) => route.abort());\n\n")
})

test('settings before the first page are options', () => {
  const text = testOf(
    [
      emulate({ viewport: { width: 300, height: 400 }, timezone: 'UTC', headers: { a: 'b' } }),
      emulate({ colorScheme: 'dark', reducedMotion: true, media: 'print', reset: ['offline'] }),
      emulate({ geolocation: { latitude: 1, longitude: 2 }, device: undefined as never }),
      navigate('/'),
    ],
    { options: { storageState: 'state.json', contextOptions: { strictSelectors: true } } },
  )
  expect(text).toBe(
    [
      "import { test } from '@playwright/test';",
      '',
      'test.use({',
      "  storageState: 'state.json',",
      "  contextOptions: { strictSelectors: true, reducedMotion: 'reduce' },",
      '  viewport: { width: 300, height: 400 },',
      "  timezoneId: 'UTC',",
      "  colorScheme: 'dark',",
      '  geolocation: { latitude: 1, longitude: 2 },',
      "  permissions: ['geolocation'],",
      "  extraHTTPHeaders: { a: 'b' },",
      '});',
      '',
      "test('title', async ({ page }) => {",
      "  await page.emulateMedia({ media: 'print' });",
      '',
      "  await page.goto('/');",
      '});',
      '',
    ].join('\n'),
  )
})

test('a device is used in the browser of the recording', () => {
  expect(testOf([emulate({ device: 'iPhone 13', locale: 'de' }), navigate('/')])).toContain(
    [
      "import { devices, test } from '@playwright/test';",
      '',
      'test.use({',
      "  ...devices['iPhone 13'],",
      "  defaultBrowserType: 'chromium',",
      "  locale: 'de',",
      '});',
    ].join('\n'),
  )
})

test.each<[EmulationChange, readonly string[]]>([
  [{ viewport: { width: 1, height: 2 } }, ['await page.setViewportSize({ width: 1, height: 2 });']],
  [
    { colorScheme: 'dark', reducedMotion: false, forcedColors: true },
    [
      "await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'no-preference', forcedColors: 'active' });",
    ],
  ],
  [{ reset: ['media', 'contrast'] }, ['await page.emulateMedia({ media: null, contrast: null });']],
  [{ offline: true }, ['await context.setOffline(true);']],
  [
    { reset: ['offline', 'headers'] },
    ['await context.setExtraHTTPHeaders({});', 'await context.setOffline(false);'],
  ],
  [
    { geolocation: { latitude: 1, longitude: 2 } },
    [
      "await context.grantPermissions(['geolocation']);",
      'await context.setGeolocation({ latitude: 1, longitude: 2 });',
    ],
  ],
  [
    { reset: ['geolocation', 'permissions'] },
    ['await context.setGeolocation(null);', 'await context.clearPermissions();'],
  ],
  [
    { network: 'slow-3g', cpuThrottlingRate: 4 },
    ['// Not repeated here: a network like slow-3g.', '// Not repeated here: a processor 4 times slower.'],
  ],
  [{ userAgent: 'de\nconsole.log(1)' }, ['// Not repeated here: the user agent de console.log(1).']],
])('later %j', (change, lines) => {
  expect(bodyOf([navigate('/'), emulate(change)])).toBe(["await page.goto('/');", ...lines].join('\n'))
})

test('passkeys and session storage of the state that a test begins with', () => {
  const steps = [
    step({ kind: 'passkeys', change: 'set' }),
    navigate('/'),
    step({ kind: 'passkeys', change: 'clear', name: 'a.example' }),
  ]
  expect(bodyOf(steps)).toBe(
    [
      'await context.credentials.install();',
      '',
      "await page.goto('/');",
      "for (const passkey of await context.credentials.get({ rpId: 'a.example' })) {",
      '  await context.credentials.delete(passkey.id);',
      '}',
    ].join('\n'),
  )
  const state = {
    options: { storageState: 'a.json' },
    stateParts: { hasPasskeys: true, hasSessionStorage: true },
  }
  const text = testOf([navigate('/')], state)
  expect(text).toBe(
    `import { readFileSync } from 'node:fs';
import { test } from '@playwright/test';

const state = JSON.parse(readFileSync('a.json', 'utf8'));
// A site refuses a signature counter that it has seen.
const counter = Math.floor((Date.now() - Date.UTC(2026, 0)) / 100);
for (const passkey of state.credentials) passkey.signCount = counter;

test.use({ storageState: state });

test('title', async ({ context, page }) => {
  // Playwright does not restore session storage.
  await context.addInitScript((origins) => {
    for (const { origin, sessionStorage: items = [] } of origins) {
      if (origin !== location.origin || sessionStorage.length > 0) continue;
      for (const { name, value } of items) sessionStorage.setItem(name, value);
    }
  }, state.origins);

  await page.goto('/');
});
`,
  )
  expect(readTest(text)).toEqual(
    ok({
      actions: [{ kind: 'navigate', url: '/', isHydrated: false }],
      leftOut: ['test.use({ storageState: state })'],
    }),
  )
})

test('random numbers are those of a session with the same seed', () => {
  const text = bodyOf([step({ kind: 'seed', seed: 7 }), navigate('/')])
  const script = /addInitScript\((\(seed\) => [^]*?\n\}), 7\);/.exec(text)?.[1] ?? ''
  const shadowMath = Object.create(Math) as Math
  new Function('Math', `(${script})(7)`)(shadowMath)
  // The same as src/features/mock/in-page/mock-in-page.ts.
  expect([shadowMath.random(), shadowMath.random()]).toEqual([0.011704753153026104, 0.06195825757458806])
})
