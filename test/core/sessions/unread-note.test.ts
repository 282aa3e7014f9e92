// A call that succeeded, and whose page has not answered since.

import { expect, test } from 'bun:test'
import { addUnreadNote } from '../../../src/core/sessions/call/describe-changes.ts'

const read = (isRecorded: boolean, omitsChanges = false) => {
  const lastSnapshot = { isRecorded } as Parameters<typeof addUnreadNote>[2]['lastSnapshot']
  return addUnreadNote({ data: { message: 'Clicked.', notes: ['one'] } }, { omitsChanges }, { lastSnapshot })
    .data
}

test('after a snapshot an answer says that changes are not known', () => {
  expect(read(true)).toEqual({
    message: 'Clicked.',
    notes: ['one', expect.stringContaining('could not be read after this')],
  })
})

test('without one, or where no changes are wanted, it does not', () => {
  expect(read(false)).toEqual({ message: 'Clicked.', notes: ['one'] })
  expect(read(true, true)).toEqual({ message: 'Clicked.', notes: ['one'] })
})
