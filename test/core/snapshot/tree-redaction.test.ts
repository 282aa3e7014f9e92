// A page's accessibility tree, redacted.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { REDACTED } from '../../../src/core/base/redaction/spans.ts'
import type { AriaNode, AriaTree } from '../../../src/core/sessions/types/snapshot.ts'
import { findRefsWithValues, redactTree } from '../../../src/core/snapshot/tree-redaction.ts'

const hide = (text: string) => text.replaceAll('s3cret', REDACTED)

test('every text of every node is redacted, and nothing else is changed', () => {
  const tree: AriaTree = [
    'a s3cret text',
    {
      role: 'link',
      name: 's3cret link',
      url: '/?k=s3cret',
      ref: 'e1',
      level: 2,
      children: ['in s3cret', { text: 's3cret' }],
    },
    { role: 'textbox', name: 'City', placeholder: 'no s3cret', text: 'Rome', ref: 'e2' },
  ]
  expect(redactTree(tree, hide, new Set())).toEqual(
    JSON.parse(JSON.stringify(tree).replaceAll('s3cret', REDACTED)),
  )
})

test('property: it is as if each text were redacted alone, also where redacting joins or splits lines', () => {
  const text = fc.stringMatching(/^[ab s3cret\n]{0,20}$/)
  const { tree } = fc.letrec<{ tree: (AriaNode | string)[]; node: AriaNode }>((tie) => ({
    tree: fc.array(fc.oneof(text, tie('node')), { maxLength: 4 }),
    node: fc.record({ role: fc.constantFrom('link', 'button'), name: text, text, children: tie('tree') }),
  }))
  const alone = (part: AriaTree): AriaTree =>
    part.map((node) =>
      typeof node === 'string'
        ? hide(node)
        : {
            ...node,
            name: hide(node.name ?? ''),
            text: hide(node.text ?? ''),
            children: alone(node.children ?? []),
          },
    )
  const joining = (whole: string) => hide(whole).replaceAll('\u0000', whole.includes('b') ? '' : '\u0000')
  fc.assert(
    fc.property(tree, (given) => {
      expect(redactTree(given, hide, new Set())).toEqual(alone(given))
      expect(redactTree(given, joining, new Set())).toEqual(alone(given))
    }),
  )
})

test.each<[AriaNode, hidden: boolean]>([
  [{ role: 'textbox', name: 'Password', text: 'a' }, true],
  [{ role: 'textbox', name: 'City', ref: 'e1', text: 'a' }, true],
  [{ role: 'textbox', name: 'City', ref: 'e1', children: ['a'] }, true],
  [{ role: 'textbox', name: 'City', ref: 'e2', text: 'a' }, false],
  [{ role: 'textbox', name: 'City', text: 'a' }, false],
  [{ role: 'button', name: 'Password', ref: 'e1', text: 'a' }, false],
])('the value of %j is hidden: %s', (node, hidden) => {
  const shown = JSON.stringify(redactTree([node], (text) => text, new Set(['e1'])))
  expect(shown.includes(`"${REDACTED}"`)).toBe(hidden)
  expect(shown).toContain(`"name":"${node.name}"`)
})

test('fields that hold a value are found wherever they are', () => {
  const held = new Set(['admin'])
  const field = (ref: string, more: Partial<AriaNode>) => ({ role: 'textbox', ref, ...more })
  const tree: AriaTree = [
    'admin',
    field('e1', { text: ' admin ' }),
    field('e2', { children: ['admin'] }),
    field('e3', { text: 'admin too' }),
    { role: 'button', ref: 'e4', text: 'admin', children: [field('e5', { text: 'admin' })] },
    { role: 'textbox', text: 'admin' },
  ]
  expect(findRefsWithValues(tree, held)).toEqual(['e1', 'e2', 'e5'])
})
