import { expect, test } from 'bun:test'
import type { AriaNode } from '../../../src/core/sessions/types/snapshot.ts'
import { linesOf } from '../../../src/core/snapshot/snapshot-lines.ts'
import { isShownLastingly } from '../../../src/features/save-test/plan/texts.ts'

const text = (content: string): AriaNode => ({ role: 'generic', key: content, text: content })
const around = (role: string, name: string, ...children: AriaNode[]): AriaNode => ({
  role,
  name,
  key: `${role} ${name}`,
  children,
})
const lines = linesOf([
  around('status', '', around('generic', 'inner', text('Drill: 13 in stock'))),
  text('8  items'),
  around('alert', 'The name is missing'),
  around('region', 'Notifications', around('list', '', around('listitem', '', text('Saved')))),
  { ...text('Behind'), hidden: true },
])

test.each([
  ['Drill: 13 in stock', false],
  ['8 items', true],
  ['8 ITEMS', true],
  ['The name is missing', false],
  ['Saved', false],
  ['Behind', false],
  ['Not there', false],
])('"%s" remains: %j', (content, isLasting) => expect(isShownLastingly(lines, content)).toBe(isLasting))
