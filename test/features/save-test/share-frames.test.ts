// Frames that are used several times.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { quoteText } from '../../../src/features/lib/replay/literals.ts'
import { check, click, element, fill, navigate, seesText, testOf } from './recorded-steps.ts'

const help = (code: string) => element(`locator('iframe[title="Help"]').contentFrame().${code}`)
const linesOf = (text: string) => text.split('\n').map((line) => line.trim())

test('have one variable, declared before their first use', () => {
  const text = testOf([
    navigate('/'),
    fill(help("getByLabel('Name')"), 'Ada'),
    click(help("getByRole('button', { name: 'Send' })")),
    check({ text: 'Thanks', textElement: help("getByText('Thanks')") }),
  ])
  expect(text).toContain(`  await page.goto('/');
  const helpFrame = page.frameLocator('iframe[title="Help"]');
  await helpFrame.getByLabel('Name').fill('Ada');
  await helpFrame.getByRole('button', { name: 'Send' }).click();
  await expect(helpFrame.getByText('Thanks')).toBeVisible();
`)
})

test('stay as they are where they are used once', () => {
  const text = testOf([
    click(help("getByText('a')")),
    click(element("locator('#b').contentFrame().getByText('b')")),
  ])
  expect(text).not.toContain('const ')
  expect(text).toContain('.contentFrame()')
})

test('in parts: one in each part that uses it twice, with names that differ', () => {
  const part = (name: string) => [
    click(help("getByText('a')")),
    click(help(`getByRole('button', { name: '${name}' })`)),
    seesText(name),
  ]
  const lines = linesOf(testOf([navigate('/'), ...part('One'), ...part('Two'), ...part('Three')]))
  const declarations = lines.filter((line) => line.startsWith('const '))
  expect(declarations).toEqual(
    ['helpFrame', 'helpFrame2', 'helpFrame3'].map(
      (name) => `const ${name} = page.frameLocator('iframe[title="Help"]');`,
    ),
  )
})

test('within others, and with any title: what is declared is an identifier and is used', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 20 }), fc.boolean(), (title, isNested) => {
      const outer = `locator(${quoteText(`iframe[title=${JSON.stringify(title)}]`)}).contentFrame()`
      const frame = isNested ? `${outer}.locator('iframe').contentFrame()` : outer
      const text = testOf([
        click(element(`${frame}.getByText('a')`)),
        click(element(`${frame}.getByText('b')`)),
      ])
      const [, name = ''] = /const ([\w$]+) = /.exec(text) ?? []
      expect(name).toMatch(/^[a-z]\w*$/)
      expect(text.split(`await ${name}.getByText(`).length).toBe(3)
      expect(text).not.toMatch(/contentFrame\(\)\s*\.getByText/)
    }),
    { numRuns: 200 },
  )
})
