import { expect, test } from 'bun:test'
import {
  isLocatorExpression,
  parseLocatorExpression,
} from '../../../../src/core/browser/playwright/locator.ts'

test.each([
  ["getByRole('button', { name: 'Go' })", 'internal:role=button[name="Go"i]'],
  ['page.getByRole("button", {name: "Go", exact: true,})', 'internal:role=button[name="Go"s]'],
  ['await page . getByText(/page.1/i);', 'internal:text=/page.1/i'],
  ["getByText('page.html')", 'internal:text="page.html"i'],
  ['getByLabel(`E-mail`).nth(2)', 'internal:label="E-mail"i >> nth=2'],
  [
    "locator('#list > li').filter({ hasText: 'Milk' }).getByRole('button').first()",
    '#list > li >> internal:has-text="Milk"i >> internal:role=button >> nth=0',
  ],
  [
    "locator('li').filter({ has: page.getByText('x'), hasNot: page.locator('b') }).last()",
    'li >> internal:has="internal:text=\\"x\\"i" >> internal:has-not="b" >> nth=-1',
  ],
  [
    "page.frameLocator('#f').getByPlaceholder('Name')",
    '#f >> internal:control=enter-frame >> internal:attr=[placeholder="Name"i]',
  ],
  [
    "locator('iframe').contentFrame().getByAltText('x').or(page.getByTitle('y'))",
    'iframe >> internal:control=enter-frame >> internal:attr=[alt="x"i] >> internal:or="internal:attr=[title=\\"y\\"i]"',
  ],
])('%s', async (expression, selector) => {
  expect(isLocatorExpression(expression)).toBe(true)
  expect(await parseLocatorExpression(expression)).toEqual({ ok: true, value: selector })
})

test.each([
  ["getByRole('button', { name: 'Go'", 'Check its quotes, brackets and arguments.'],
  ["page.getByRole('button').click()", 'A locator has no click; it only finds the element.'],
  ["getByRole('button', { nam: 'Go' })", 'getByRole has no option nam.'],
  ['getByText()', 'Check its quotes, brackets and arguments.'],
])('%s: refused in plain words', async (expression, hint) => {
  expect(await parseLocatorExpression(expression)).toEqual({
    ok: false,
    error: {
      code: 'INVALID_PARAMETERS',
      field: 'selector',
      expected: "a locator such as getByRole('button', { name: 'Save' })",
      received: JSON.stringify(expression),
      hint,
    },
  })
})

test.each([
  '#a',
  'button:has-text("x")',
  'text=locator(1)',
  '//div[locator("x")]',
  'getByRole',
  'page.locator',
])('%s is a selector', (selector) => expect(isLocatorExpression(selector)).toBe(false))
