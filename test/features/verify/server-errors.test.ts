// The places of a server's failures, from its output.

import { expect, test } from 'bun:test'
import type { OpenSession } from '../../../src/core/sessions/types/open-session.ts'
import type { ChangedPath } from '../../../src/features/verify/change/changed-path.ts'
import { findServerErrors } from '../../../src/features/verify/server-errors.ts'

const file = (path: string, editedAt = 5): ChangedPath => ({
  ...{ path, change: 'edited', content: 'a()\n', lines: [1], removals: [], editedAt },
})

function find(output: string, { status = 500, at = 10, editedAt = 5 } = {}) {
  const entries = output.split('\n').map((text) => ({ at, text }))
  const session = {
    record: { name: 's1' },
    journal: { read: () => ({ entries }) },
    network: { read: () => ({ entries: status >= 500 ? [{ at: 9 }] : [] }) },
  } as unknown as OpenSession
  const changed = ['api.mjs', 'app.py', 'app.rb', 'index.php'].map((path) => file(path, editedAt))
  return findServerErrors(session, '/srv/shop', changed).map(
    (entry) => `${entry.file}:${entry.line} ${entry.name}`,
  )
}

const NODE =
  'TypeError: Cannot read properties of undefined\n    at handle (file:///srv/shop/api.mjs:4:27)\n    at Server.<anonymous> (/srv/shop/other.mjs:2:3)'

test.each([
  [NODE, ['api.mjs:4 TypeError']],
  ['    at /srv/shop/api.mjs:7:1', ['api.mjs:7 an error of the server']],
  [
    'Traceback (most recent call last):\n  File "/srv/shop/app.py", line 12, in total',
    ['app.py:12 an error of the server'],
  ],
  ["\tfrom /srv/shop/app.rb:3:in `total'", ['app.rb:3 an error of the server']],
  ['#0 /srv/shop/index.php(8): total()', ['index.php:8 an error of the server']],
  ['Listening at http://localhost:3000/, see /srv/shop/api.mjs:4', []],
  ['    at handle (/elsewhere/api.mjs:4:27)', []],
])('%s', (output, places) => expect(find(output)).toEqual(places))

test('only with an answer that says so, and of the present content', () => {
  expect(find(NODE, { status: 404 })).toEqual([])
  expect(find(NODE, { at: 60_000 })).toEqual([])
  expect(find(NODE, { editedAt: 11 })).toEqual([])
})
