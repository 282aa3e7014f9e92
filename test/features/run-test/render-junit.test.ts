import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { isOwnJunit, renderJunit, type TestResult } from '../../../src/features/run-test/render-junit.ts'
import { casesOf, readJunit } from '../../support/junit.ts'

const passed: TestResult = {
  file: 'tests/cart.spec.ts',
  title: 'cart › adds an item',
  project: 'chromium',
  outcome: 'passed',
  duration: 1234,
  output: '',
}

test('each test is a case of the suite of its file and project, with its outcome, time and output', () => {
  const error = 'Error: expect(locator).toHaveText\nat tests/cart.spec.ts:9\n9> await expect(h1)'
  const xml = renderJunit([
    passed,
    { ...passed, title: 'fails', outcome: 'failed', error, output: 'a < b' },
    { ...passed, project: 'firefox', outcome: 'skipped', duration: 0 },
    { ...passed, file: 'tests/late.spec.ts', project: '', outcome: 'interrupted', error: 'interrupted' },
  ])
  const root = readJunit(xml)
  expect(root.attributes).toEqual({
    name: 'footlight',
    tests: '4',
    failures: '1',
    errors: '1',
    time: '3.702',
  })
  expect(root.children.map(({ attributes }) => [attributes['name'], attributes['tests']])).toEqual([
    ['tests/cart.spec.ts [chromium]', '2'],
    ['tests/cart.spec.ts [firefox]', '1'],
    ['tests/late.spec.ts', '1'],
  ])
  const [first, failed, skipped, interrupted] = casesOf(root)
  expect(first).toMatchObject({
    attributes: { name: 'cart › adds an item', classname: 'tests/cart.spec.ts [chromium]', time: '1.234' },
    children: [],
  })
  const message = 'Error: expect(locator).toHaveText'
  expect(failed?.children).toMatchObject([
    { name: 'failure', attributes: { message, type: 'failed' }, text: error },
    { name: 'system-out', text: 'a < b' },
  ])
  expect(skipped?.children).toMatchObject([{ name: 'skipped' }])
  expect(interrupted?.children).toMatchObject([{ name: 'error', attributes: { message: 'interrupted' } }])
})

test('a run that failed outside of its tests is red too', () => {
  const root = readJunit(renderJunit([passed], 'The web server did not start\nError: port'))
  expect(root.attributes).toMatchObject({ tests: '2', errors: '1' })
  expect(casesOf(root)[1]).toMatchObject({
    attributes: { name: 'run', classname: 'playwright test' },
    children: [{ name: 'error', text: 'The web server did not start\nError: port' }],
  })
  expect(readJunit(renderJunit([])).children).toEqual([])
})

test('whatever tests are called and print, it is well-formed, and the texts are in it', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({
      unit: fc.constantFrom('\ufffe', '\uffff', '\ud800', '\udc00', '\0', '\u001b', '&', '<'),
      maxLength: 8,
    }),
    fc.constantFrom(
      ']]>',
      '&lt;&#0;',
      '"\'<>',
      '</system-out></testcase>',
      '<![CDATA[x',
      '<!--',
      'a\r\nb\tc',
    ),
  )
  const outcome = fc.constantFrom('passed', 'flaky', 'failed', 'interrupted', 'skipped', 'without browser')
  const result = fc.record({
    file: text,
    title: text,
    project: text,
    outcome,
    duration: fc.nat(),
    error: text,
    output: text,
  })
  fc.assert(
    fc.property(
      fc.array(result, { maxLength: 5 }),
      fc.option(text, { nil: undefined }),
      (results, runError) => {
        const xml = renderJunit(results as TestResult[], runError)
        const cases = casesOf(readJunit(xml))
        expect(cases).toHaveLength(results.length + (runError === undefined ? 0 : 1))
        expect(isOwnJunit(xml)).toBe(true)
        const printable = results.find(({ output }) => /^[\n -~]+$/.test(output))
        const printed = cases.flatMap(({ children }) => children.filter(({ name }) => name === 'system-out'))
        if (printable) expect(printed.map((one) => one.text)).toContain(printable.output)
      },
    ),
    { numRuns: 500 },
  )
})
