// What holds for every test that is written.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isDistinctive } from '../../../src/core/base/redaction/secret-values.ts'
import { escapeRegExp } from '../../../src/core/base/text/escape-reg-exp.ts'
import type {
  RecordedAction,
  RecordedElement,
  RecordedStep,
} from '../../../src/core/sessions/types/recorded-step.ts'
import {
  escapeTemplate,
  propertyName,
  quoteText,
  regExpLiteral,
} from '../../../src/features/lib/replay/literals.ts'
import { nameSecrets } from '../../../src/features/save-test/code/name-secrets.ts'
import { describeSteps } from '../../../src/features/save-test/code/step-title.ts'
import { writeTest } from '../../../src/features/save-test/code/write-test.ts'
import { element, fill, ORIGIN, plan, type } from './recorded-steps.ts'
import { runWithStubs } from './stub-playwright.ts'

const RUNS = { numRuns: 300 }
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.stringMatching(/^[ -~\n\r\u2028\u200b`'"\\$\{\}]{0,20}$/),
  fc.constantFrom(
    '${x}',
    '`',
    "it's",
    '"',
    '\\',
    '</script>',
    'a\nb',
    '__proto__',
    '\ud800',
    '///',
    '#{',
    'Save',
  ),
)
const evaluate = (code: string): unknown => new Function(`return ${code}`)()

test('a text is the value of its literals', () => {
  fc.assert(
    fc.property(text, (value) => {
      expect(evaluate(quoteText(value))).toBe(value)
      expect(evaluate(`\`${escapeTemplate(value)}\``)).toBe(value)
      expect(Object.keys(evaluate(`({ ${propertyName(value)}: 1 })`) as object)).toEqual([value])
      expect((evaluate(regExpLiteral(escapeRegExp(value))) as RegExp).exec(`x${value}`)?.[0]).toBe(value)
      expect(quoteText(value)).toMatch(/^[^\n\r\u2028\u200b]*$/)
    }),
    RUNS,
  )
})

const anyElement: fc.Arbitrary<RecordedElement> = fc
  .record({
    code: fc.oneof(
      fc
        .tuple(fc.constantFrom('row', 'button', 'link'), text)
        .map(([role, name]) => `getByRole('${role}', { name: ${quoteText(name)} })`),
      text.map(
        (name) => `locator('iframe').contentFrame().getByText(${quoteText(name)}, { exact: true }).nth(1)`,
      ),
      text.map(
        (name) =>
          `getByRole('listitem').filter({ hasText: ${quoteText(name)} }).getByRole('button', { name: 'Delete' })`,
      ),
      text.map((name) => `locator('div').filter({ has: getByText(${quoteText(name)}) })`),
      fc.constant('getByText(/Total: \\d+\\/[/]"/i)'),
      fc.constant('something unusual`'),
    ),
    name: text,
    role: fc.constantFrom('', 'button', 'link', 'textbox', 'combobox', 'listbox', 'checkbox', 'tab'),
    type: fc.constantFrom('text', 'password', 'textarea', 'select', 'div', 'button', 'file', 'checkbox', ''),
    isEmpty: fc.boolean(),
    isSecret: fc.boolean(),
  })
  .map(({ code, ...rest }) => element(code, rest))

const json = fc.jsonValue({ maxDepth: 3 })
const url = fc.oneof(
  text,
  text.map((path) => `${ORIGIN}/${path}`),
  fc.constantFrom('**/api/*', '/a/', '**', 'a,b{c,d}*'),
)
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const state = fc.constantFrom('visible', 'hidden', 'detached', 'readonly', 'focused')
const elementCheck = fc.oneof(
  fc.record({ kind: fc.constant('state'), state }),
  fc.record({ kind: fc.constant('value'), value: text }),
  fc.record({ kind: fc.constant('text'), text }),
  fc.record({ kind: fc.constant('count'), count: fc.nat(9) }),
)
const headers = fc.dictionary(text, text, { maxKeys: 2 })
const answer = fc.record(
  {
    status: fc.integer({ min: 200, max: 599 }),
    headers,
    json,
    body: text,
    path: text,
    stream: fc.array(fc.record({ data: json }), { maxLength: 2 }),
    delay: fc.nat(20_000),
    times: fc.integer({ min: 1, max: 3 }),
    fail: fc.boolean(),
    change: fc.boolean(),
  },
  { requiredKeys: [] },
)

const withElement = (kind: string, fields: Record<string, fc.Arbitrary<unknown>> = {}) =>
  fc.record({ kind: fc.constant(kind), element: anyElement, ...fields })

const action = fc.oneof(
  fc.record({ kind: fc.constant('navigate'), url, isHydrated: fc.boolean() }),
  fc.record({ kind: fc.constant('history'), direction: fc.constantFrom('back', 'forward', 'reload') }),
  withElement('click', { options: fc.record({ clickCount: fc.constantFrom(1, 2, 3), force: fc.boolean() }) }),
  withElement('type', { text, clear: fc.boolean(), submit: fc.boolean(), delay: fc.constantFrom(0, 20) }),
  fc.record({ kind: fc.constant('type'), text, clear: fc.boolean(), submit: fc.boolean() }),
  withElement('fill', { value: fc.oneof(text, fc.boolean(), fc.array(text, { maxLength: 3 })) }),
  withElement('submit'),
  withElement('select', { values: fc.array(text, { maxLength: 2 }) }),
  withElement('hover'),
  withElement('drag', { to: anyElement }),
  withElement('press', {
    key: fc.oneof(text, fc.constantFrom('ctrl+a', 'Enter')),
    holdMs: fc.constantFrom(0, 100),
  }),
  withElement('upload', { paths: fc.array(text, { minLength: 1, maxLength: 2 }), isDrop: fc.boolean() }),
  fc.record({ kind: fc.constant('dialog'), accept: fc.boolean(), promptText: optional(text) }),
  fc.constantFrom(
    { kind: 'openTab' },
    { kind: 'closeTab' },
    { kind: 'closeTab', id: 't2' },
    { kind: 'other', tool: 'mouse' },
  ),
  fc.record({
    kind: fc.constant('clock'),
    time: optional(fc.date({ noInvalidDate: true }).map((date) => date.toISOString())),
  }),
  fc.record({ kind: fc.constant('seed'), seed: optional(fc.nat()) }),
  fc.record({ kind: fc.constant('passkeys'), change: fc.constantFrom('set', 'clear'), name: optional(text) }),
  fc.record({
    kind: fc.constant('emulate'),
    change: fc.record(
      {
        viewport: fc.record({ width: fc.nat(2000), height: fc.nat(2000) }),
        userAgent: text,
        locale: text,
        device: text,
        colorScheme: fc.constant('dark'),
        headers,
        offline: fc.boolean(),
        network: fc.constant('slow-3g'),
        geolocation: fc.record({ latitude: fc.double({ noNaN: true }), longitude: fc.nat(9) }),
        permissions: fc.array(text, { maxLength: 2 }),
        reset: fc.subarray(['offline', 'headers', 'media', 'locale', 'permissions']),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    kind: fc.constant('mock'),
    rule: fc.record({
      url: optional(url),
      method: optional(fc.constantFrom('get', 'POST')),
      answer,
      har: optional(text),
    }),
  }),
  fc.record({
    kind: fc.constant('mock'),
    rule: fc.record({
      url: optional(url),
      answer: fc.record(
        {
          socket: fc.array(json, { maxLength: 3 }),
          delay: fc.nat(20_000),
          times: fc.integer({ min: 1, max: 3 }),
          fail: fc.boolean(),
        },
        { requiredKeys: ['socket'] },
      ),
    }),
  }),
  fc.record({
    kind: fc.constant('check'),
    check: fc.record(
      {
        element: anyElement,
        checks: fc.array(elementCheck, { maxLength: 2 }),
        not: fc.boolean(),
        isOptionLabel: fc.boolean(),
        aria: fc.oneof(
          text,
          text.map((name) => `list\n listitem ${JSON.stringify(name)}: ${name}`),
        ),
        text,
        textElement: anyElement,
        textGone: text,
        url,
      },
      { requiredKeys: ['checks', 'not'] },
    ),
  }),
) as fc.Arbitrary<RecordedAction>

const tab = fc.constantFrom('t1', 't1', 't1', 't2')
const recordedStep: fc.Arbitrary<RecordedStep> = fc
  .record({
    action,
    tab,
    openedTab: optional(fc.constantFrom('t2', 't3')),
    urlBefore: url,
    urlAfter: url,
    durationMs: fc.nat(6000),
  })
  .map(({ openedTab, ...rest }) => ({ seq: 1, ...rest, ...(openedTab !== undefined && { openedTab }) }))
// Half of them are like the one before, as when an author tries again.
const steps = fc
  .array(fc.tuple(recordedStep, fc.boolean()), { maxLength: 14 })
  .map((pairs) => pairs.flatMap(([one, isRepeated]) => (isRepeated ? [one, one] : [one])))
const files = new Map([['a', 'files/a']])

test('every test is valid code without names that are not there', async () => {
  await fc.assert(
    fc.asyncProperty(steps, text, async (list, title) => {
      const test = plan(list, { title, files })
      const secrets = Object.fromEntries(nameSecrets(test))
      const written = writeTest(test)
      await runWithStubs(written.text, secrets)
      expect(written.text.split('\n').filter((line) => line.endsWith(' '))).toEqual([])
      expect(Object.keys(secrets)).toEqual(expect.arrayContaining([...written.environment]))
    }),
    RUNS,
  )
})

const secret = fc
  .oneof(
    fc.stringMatching(/^[a-z]{3}[A-Z0-9]{4}[!-~]{4,10}$/),
    fc.stringMatching(/^[1-9]{3}07[1-9]{3}$/),
    fc.constantFrom('p\'a"s`s$1', 'pass wörd 1', 'a\\n${b}9', '%41bc+d/9=', 'hunter2'),
  )
  .filter(isDistinctive)

test('no secret is in the text of a test, its titles and comments', () => {
  const insert = (list: readonly RecordedStep[], value: string, seed: number): readonly RecordedStep[] => {
    let count = seed
    const replace = (entry: unknown, key = ''): unknown => {
      if (typeof entry === 'string') {
        count += 1
        const isFixed =
          /^(kind|state|type|role|direction|method|device|network|colorScheme|tab|openedTab|code|id)$/.test(
            key,
          )
        if (isFixed || count % 3 > 0) return entry
        return count % 2 > 0
          ? `${entry} ${value}`
          : /url/i.test(key)
            ? `${ORIGIN}/a?q=${encodeURIComponent(value)}`
            : value
      }
      if (Array.isArray(entry)) return key === 'reset' ? entry : entry.map((item) => replace(item))
      if (typeof entry !== 'object' || entry === null) return entry
      return Object.fromEntries(Object.entries(entry).map(([name, item]) => [name, replace(item, name)]))
    }
    return replace(list) as readonly RecordedStep[]
  }
  fc.assert(
    fc.property(steps, secret, fc.nat(5), fc.boolean(), (list, value, seed, isNamed) => {
      const named = fill(
        element(`getByLabel(${quoteText(value)})`, { type: 'password', isSecret: true }),
        value,
      )
      const all = [...insert(list, value, seed), named]
      const title = `${describeSteps(all)} ${value}`
      const { text: code, environment } = writeTest(
        plan(all, { title, secrets: new Map(isNamed ? [['SECRET', value]] : []) }),
      )
      expect(code).not.toInclude(value)
      expect(code).not.toInclude(encodeURIComponent(value))
      expect(environment.length).toBeGreaterThan(0)
    }),
    RUNS,
  )
})

test('what is typed, filled and selected is what was recorded, whatever is secret', async () => {
  const target = element("getByLabel('A')", { type: 'text' })
  await fc.assert(
    fc.asyncProperty(secret, text, text, async (value, before, after) => {
      const values = [value, `${before}${value}${after}`, `${before} ${value}`, before]
      const test = plan(
        [...values.map((entry) => fill(target, entry)), type({ ...target, isSecret: true }, `${value}2`)],
        {
          secrets: new Map([['SECRET', value]]),
        },
      )
      const { text: code } = writeTest(test)
      const calls = await runWithStubs(code, Object.fromEntries(nameSecrets(test)))
      const entered = calls.filter(({ path }) => path === 'page.getByLabel.fill').map(({ args }) => args[0])
      expect(entered).toEqual([...values, `${value}2`])
    }),
    RUNS,
  )
})
