import { expect, test } from 'bun:test'
import { createLastSnapshot } from '../../../src/core/snapshot/last-snapshot.ts'

const treeOf = (...names: string[]) =>
  names.map((name, index) => ({ role: 'button', name, ref: `e${index}`, key: `k${index}` }))

test('another element that has the focus is a change only after what may move it', () => {
  const lastSnapshot = createLastSnapshot()
  const focus = (focused: number) =>
    treeOf('One', 'Two').map((node, index) => ({ ...node, ...(index === focused && { active: true }) }))
  const changesTo = (focused: number, movesFocus: boolean) =>
    lastSnapshot.describeChanges(focus(focused), 1000, { movesFocus }).changes
  lastSnapshot.record(focus(0))
  expect(lastSnapshot.text()).toBe('button "One" [e0] focused\nbutton "Two" [e1]')
  expect(changesTo(1, true)).toBe('~ button "Two" [e1] focused')
  expect(changesTo(1, true)).toBe('')
  expect(changesTo(0, false)).toBe('')
  expect(changesTo(2, true)).toBe('')
})

test('changes that the client may not have seen are described again', () => {
  const lastSnapshot = createLastSnapshot()
  lastSnapshot.record(treeOf('One'))
  const changes = '+ button "Two" [e1]'
  expect(lastSnapshot.describeChanges(treeOf('One', 'Two'), 1000, { isSeen: false }).changes).toBe(changes)
  expect(lastSnapshot.describeChanges(treeOf('One', 'Two'), 1000).changes).toBe(changes)
  expect(lastSnapshot.describeChanges(treeOf('One', 'Two'), 1000).changes).toBe('')
})
