// Which processes belong to a server, whatever their numbers were before.

import { expect, test } from 'bun:test'
import { selectTree } from '../../../../src/core/devserver/process/process-tree.ts'

const one = (pid: number, parent: number, group: number, startTime = `${pid}`) => ({
  pid,
  parent,
  group,
  session: group,
  startTime,
})
const pidsOf = (...options: Parameters<typeof selectTree>) => selectTree(...options).map(({ pid }) => pid)
const untagged = () => false

test('the leader, its group, its descendants, and what has the tag', () => {
  const all = [one(1, 0, 1), one(10, 1, 10), one(11, 10, 11), one(12, 11, 12), one(13, 1, 10), one(20, 1, 20)]
  expect(pidsOf(all, [one(10, 1, 10)], ({ pid }) => pid === 20)).toEqual([10, 13, 20, 11, 12])
})

test('another process with the number of the leader has neither a group nor children of ours', () => {
  const all = [one(10, 1, 10, 'later'), one(11, 10, 10, 'later')]
  expect(pidsOf(all, [one(10, 1, 10)], untagged)).toEqual([])
})

test('a group goes on after its leader while a known member runs, and not longer', () => {
  const known = [one(10, 1, 10), one(11, 10, 10)]
  expect(pidsOf([one(11, 1, 10), one(12, 1, 10)], known, untagged)).toEqual([11, 12])
  expect(pidsOf([one(12, 1, 10)], known, untagged)).toEqual([])
  expect(pidsOf([one(12, 1, 10)], known, untagged, { groups: [10] })).toEqual([12])
})

test('the group of a leader that has just ended is not that of a process which has its number already', () => {
  const all = [one(10, 1, 10, 'later'), one(12, 10, 10, 'later')]
  expect(pidsOf(all, [one(10, 1, 10)], untagged, { groups: [10] })).toEqual([])
})

test('a session of the tree goes on while a known member is in it', () => {
  const left = { ...one(12, 1, 12), session: 10 }
  const known = [one(10, 1, 10), one(11, 10, 11)]
  const member = { ...one(11, 1, 11), session: 10 }
  expect(pidsOf([member, left], known, untagged, { sessions: new Set([10]) })).toEqual([11, 12])
  expect(pidsOf([member, left], known, untagged)).toEqual([11])
  expect(pidsOf([left], known, untagged, { sessions: new Set([10]) })).toEqual([])
})

test('neither this process nor its group is in a tree, whatever of the tree is in that group', () => {
  const all = [one(5, 1, 5), one(10, 5, 5), one(20, 10, 5), one(30, 10, 30)]
  const known = [one(20, 10, 5), one(30, 10, 30)]
  expect(pidsOf(all, known, ({ pid }) => pid === 10, { ownPid: 10 })).toEqual([20, 30])
})
