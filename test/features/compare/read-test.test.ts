import { expect, test } from 'bun:test'
import type { RecordedAction } from '../../../src/core/sessions/types/recorded-step.ts'
import { readTest } from '../../../src/features/compare/flow/read-test.ts'
import { button, element, field, navigate, step, testOf } from '../save-test/recorded-steps.ts'

const inFrame = element("locator('iframe').contentFrame().getByLabel('Fruit')")
/** As a test has a frame that it uses more than once. */
const shorten = (text: string) => text.replace("locator('iframe').contentFrame()", "frameLocator('iframe')")
const select = field('Size', { role: 'combobox', type: 'select' })
const row = element("getByRole('listitem').filter({ hasText: /it's; (a) \\/b/ })")

/** What a replay performs of an action. */
const essence = (action: RecordedAction): string => {
  const codes = ['element', 'to'].map((name) => (action as any)[name]?.locators[0].code)
  return JSON.stringify([{ ...action, element: undefined, to: undefined }, codes])
}

test('what was written from steps is read as the same steps, with its parts, frames and odd texts', () => {
  const actions: readonly RecordedAction[] = [
    { kind: 'click', element: button('It; {done}'), options: {} },
    { kind: 'click', element: row, options: { modifiers: ['Shift'], clickCount: 2 } },
    { kind: 'fill', element: field('Name'), value: 'a "b" \\ \'c\' // `d`; é\n😀' },
    { kind: 'fill', element: inFrame, value: 'one' },
    { kind: 'hover', element: inFrame },
    { kind: 'drag', element: button('A'), to: row },
    { kind: 'select', element: select, values: ['S', 'M'] },
    { kind: 'press', element: field('Name'), key: 'Enter' },
    { kind: 'press', key: 'Escape' },
    { kind: 'history', direction: 'back' },
    { kind: 'fill', element: field('On', { type: 'checkbox', role: 'checkbox' }), value: true },
  ]
  const text = testOf([
    navigate('/'),
    ...actions.map((action) => step(action)),
    step({
      kind: 'check',
      check: { element: row, checks: [{ kind: 'state', state: 'visible' }], not: false },
    }),
  ])
  const result = readTest(text)
  if (!result.ok) throw new Error(`${result.error}\n${text}`)
  expect(result.value.leftOut).toEqual([])
  expect(result.value.actions.slice(1).map(essence)).toEqual(
    actions.map((action) => shorten(essence(action))),
  )
})

test('what is no step of one page is named with its line; settings are left out', () => {
  const read = (...lines: string[]) =>
    readTest(`test.use({ locale: 'de' });\n\ntest('a', async ({ page }) => {\n${lines.join('\n')}\n});\n`)
  const named = (...lines: string[]) => {
    const result = read(...lines)
    return result.ok ? result.value : result.error
  }
  const go = "await page.goto('/');"
  expect(named(go)).toMatchObject({ leftOut: ["test.use({ locale: 'de' })"] })
  expect(named(go, 'const popup = await popupPromise;')).toBe('line 5: const popup = await popupPromise')
  expect(named(go, "await page.getByLabel('A').fill(process.env['A'] ?? '');")).toStartWith('line 5: ')
  expect(named(go, '});', "test('b', async ({ page }) => {", go)).toBe('line 6: a second test')
  expect(named('')).toBe('it has no step')
})

test('of a test that is too long, or of a step that is, only that is said', () => {
  const read = (text: string) => JSON.stringify(readTest(`test('a', async ({ page }) => {\n${text}\n});`))
  expect(read('x'.repeat(400_000)).length).toBeLessThan(500)
  expect(read(`${' '.repeat(500_000)}await page.goto('/');`)).toContain('more than 500000 characters')
})
