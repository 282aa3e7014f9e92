import { describe, expect, test } from 'bun:test'
import { isLocatorExpression, parseLocatorExpression } from '../../../src/core/browser/playwright/locator.ts'
import { parseTarget } from '../../../src/features/shell/target.ts'

const selectorOf = (word: string, isField = false) => {
  const { fields } = parseTarget(word, isField)
  return 'selector' in fields ? fields.selector : fields.ref
}

test.each(['e12', '[e12]', 'ref=e12', '@e12', ' e12 '])('%j is a ref', (word) => {
  expect(parseTarget(word, false)).toEqual({ fields: { ref: 'e12' } })
})

test('a ref of a frame is a ref, what looks like one in quotes is a text', () => {
  expect(parseTarget('f1e5', false)).toEqual({ fields: { ref: 'f1e5' } })
  expect(parseTarget('"e5"', false)).toMatchObject({ text: 'e5' })
})

test('a role is the elements that a snapshot names so, and one without a name its text', () => {
  expect(selectorOf('dialog')).toBe("getByRole('dialog').or(locator('dialog'))")
  expect(isLocatorExpression(selectorOf('dialog'))).toBe(true)
  expect(selectorOf('generic:Payment Terms')).toBe('getByText("Payment Terms")')
  expect(selectorOf('div')).toBe('div')
})

describe('a text', () => {
  test.each([
    'Save',
    'save',
    'Add to cart',
    'Hello, world',
    'Price: $5',
    'Sign in (2)',
    'node.js',
    'Total:5',
    'C++',
    '#1 choice',
    'li[',
  ])('%j', (word) => {
    expect(parseTarget(word, false)).toEqual({
      fields: { selector: `getByText(${JSON.stringify(word)})` },
      text: word,
    })
  })
  test('in quotes is exact; of a field it is its label or placeholder', () => {
    expect(selectorOf('"button"')).toBe('getByText("button", { exact: true })')
    expect(selectorOf("'it'")).toBe('getByText("it", { exact: true })')
    expect(selectorOf('Email', true)).toBe('getByLabel("Email").or(getByPlaceholder("Email"))')
    expect(selectorOf('"E"', true)).toBe(
      'getByLabel("E", { exact: true }).or(getByPlaceholder("E", { exact: true }))',
    )
  })
})

describe('a role with a name', () => {
  test.each([
    ['button:Save', 'getByRole(\'button\', { name: "Save" })'],
    ['button: Save & close', 'getByRole(\'button\', { name: "Save & close" })'],
    ['button:"Save"', 'getByRole(\'button\', { name: "Save", exact: true })'],
    ['button:empty cart', 'getByRole(\'button\', { name: "empty cart" })'],
    ['tab:active', 'getByRole(\'tab\', { name: "active" })'],
  ])('%s', (word, selector) => expect(selectorOf(word)).toBe(selector))
})

test.each([
  ...[
    'ul li',
    'my-app',
    '*',
    '#id',
    '.card',
    '.md\\:flex',
    '[data-x="a ] b"]',
    'input[type=checkbox]:checked',
    'h1, h2',
    '::before',
  ],
  ...[
    'button:hover',
    'a:nth-child(2)',
    'a:visited',
    'a[href*="x"]:not(.y:is(b, i)) > b',
    'li:has-text("a) b")',
    'div >> span',
    '#a.b > c',
  ],
  ...[
    '//div',
    '(//div)[2]',
    'text=Save',
    'role=button[name="x"]',
    'data-testid=save',
    'css=x',
    'getByRole("x")',
    "page.locator('x').first()",
  ],
])('%j is a selector', (word) => expect(parseTarget(word, true)).toEqual({ fields: { selector: word } }))

test('what is made of a text or a role is a locator that the tools read', async () => {
  for (const word of ['a "b" \\ \'c\'', 'button:a "b" \\n', '"a"', 'Ünï\u2028 ©', '/x/'])
    for (const isField of [true, false]) {
      const selector = selectorOf(word, isField)
      expect([selector, isLocatorExpression(selector)]).toEqual([selector, true])
      expect(await parseLocatorExpression(selector)).toMatchObject({ ok: true })
    }
})
