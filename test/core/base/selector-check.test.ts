import { expect, test } from 'bun:test'
import { checkSelector } from '../../../src/core/base/failure.ts'

test('selectors that can never match are refused before the browser is asked', () => {
  for (const bad of [
    '[name=',
    'a[href="x\']',
    'li:nth-child(2',
    '#a)',
    '//a[@b',
    '',
    '  ',
    'nth=foo',
    'button >> nth=1.5',
    'aria-ref=e2',
  ])
    expect(checkSelector(bad)?.code).toBe('INVALID_PARAMETERS')
  for (const good of [
    'text=(',
    'text="a >> b"',
    "'it (",
    "getByText('a (')",
    "role=button[name=/it's/]",
    '[title="("]',
    'button',
    'button >> nth=-1',
    'text=nth=foo',
    '//a',
    '#a >> nth=0',
  ])
    expect(checkSelector(good)).toBeUndefined()
})
