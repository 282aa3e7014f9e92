import { expect, test } from 'bun:test'
import { createLastSnapshot } from '../../../src/core/snapshot/last-snapshot.ts'

const treeOf = (...names: string[]) =>
  names.map((name, index) => ({ role: 'button', name, ref: `e${index}`, key: `k${index}` }))

test('changes that the client may not have seen are described again', () => {
  const lastSnapshot = createLastSnapshot()
  lastSnapshot.record(treeOf('One'))
  const changes = '+ button "Two" [e1]'
  expect(lastSnapshot.describeChanges(treeOf('One', 'Two'), 1000, { isSeen: false }).changes).toBe(changes)
  expect(lastSnapshot.describeChanges(treeOf('One', 'Two'), 1000).changes).toBe(changes)
  expect(lastSnapshot.describeChanges(treeOf('One', 'Two'), 1000).changes).toBe('')
})
