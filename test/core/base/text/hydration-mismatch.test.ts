// The element of a failed hydration, in the words of the frameworks.

import { expect, test } from 'bun:test'
import { findHydrationMismatch, selectorOf } from '../../../../src/core/base/text/error-lines.ts'

// As React 19.3.1 prints it.
const react = (lines: readonly string[]) =>
  [
    "uncaught Error: Hydration failed because the server rendered text didn't match the client. As a result this tree will be regenerated on the client. This can happen if a SSR-ed Client Component used:",
    '',
    "- A server/client branch `if (typeof window !== 'undefined')`.",
    '- Invalid HTML tag nesting.',
    '',
    'https://react.dev/link/hydration-mismatch',
    '',
    '  ...',
    '    <Page params={Promise}>',
    ...lines,
    '        ...',
    '',
  ].join('\n')

test('React prints the element and both texts', () => {
  const message = react([
    '      <main>',
    '        <h1 className="a">',
    '+         Now 12:01',
    '-         Now 12:00',
  ])
  expect(findHydrationMismatch(message)).toEqual({ tag: 'h1', text: 'Now 12:01' })
})

test('an attribute, an element or a component is no text', () => {
  for (const lines of [
    ['      <main', '+       className="a"', '-       className="b"', '      >'],
    ['      <main>', '+       <p>', '-       <b>'],
    ['      <Title>', '+       Browser', '-       Server'],
  ])
    expect(findHydrationMismatch(react(lines))).toBeUndefined()
  expect(findHydrationMismatch('uncaught Error: no')).toBeUndefined()
})

test('Vue prints the texts', () => {
  const message =
    'warning: [Vue warn]: Hydration text content mismatch on [object HTMLHeadingElement] \n  - rendered on server: Server\n  - expected on client: Browser \n  at <App>'
  expect(findHydrationMismatch(message)).toEqual({ text: 'Browser' })
})

test('a text is quoted in its selector', () => {
  expect(selectorOf({ tag: 'h1', text: 'a "b"' })).toBe('h1:text-is("a \\"b\\"")')
  expect(selectorOf({ text: 'a' })).toBe(':text-is("a")')
})
