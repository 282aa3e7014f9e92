// What a session records of the actions on its page.

import { expect, test } from 'bun:test'
import type { Action } from '../../../src/core/base/action.ts'
import type { Failure } from '../../../src/core/base/failure.ts'
import { err, ok } from '../../../src/core/base/result.ts'
import type { OwnedPage } from '../../../src/core/sessions/types/browsers.ts'
import type { RecordedAction, RecordedElement } from '../../../src/core/sessions/types/recorded-step.ts'
import { stillBrowsers, stillResults, stillSessionManager } from '../../support/pages.ts'

const element: RecordedElement = {
  locators: [{ selector: '#a', code: "locator('#a')" }],
  role: 'textbox',
  name: 'A',
  type: 'text',
  isEmpty: true,
  isSecret: false,
}
const a = { ref: 'e1' }

async function recordedAs(
  action: Action,
  page: Partial<OwnedPage> = {},
): Promise<RecordedAction | undefined> {
  const sessions = stillSessionManager(stillBrowsers({ describeElement: async () => element, ...page }))
  const { signal } = new AbortController()
  const caller = { owner: 'me', sessionKey: undefined, signal, progress: () => {}, ask: undefined }
  const call = {
    ...caller,
    description: 'test',
    changesPage: true,
    graceMs: 0,
    timeoutKind: 'action',
  } as const
  const steps = await sessions.runOnPage(call, async (toolPage, deadline, { recording }) => {
    await toolPage.perform(action, deadline)
    return ok(recording.read().steps)
  })
  await sessions.end(0)
  return steps.ok ? steps.value[0]?.action : undefined
}

test('an action is recorded with its elements', async () => {
  const kinds: readonly [Action, RecordedAction][] = [
    [
      { kind: 'click', element: a, options: { clickCount: 2 } },
      { kind: 'click', element, options: { clickCount: 2 } },
    ],
    [
      { kind: 'drag', element: a, to: { ref: 'e2' } },
      { kind: 'drag', element, to: element },
    ],
    [
      { kind: 'press', key: 'Enter' },
      { kind: 'press', key: 'Enter' },
    ],
    [
      { kind: 'select', element: a, values: ['1'] },
      { kind: 'select', element, values: [] },
    ],
    [
      { kind: 'navigate', url: 'https://a.test/' },
      { kind: 'navigate', url: 'https://a.test/', isHydrated: false },
    ],
    [
      { kind: 'mouse', tool: 'mouse', action: { kind: 'move', point: { x: 1, y: 1 } } },
      { kind: 'other', tool: 'mouse' },
    ],
    [
      { kind: 'storage', tool: 'storage_state', change: 'clear', query: {} },
      { kind: 'other', tool: 'storage_state' },
    ],
    [
      { kind: 'check', condition: { text: 'Hi' } },
      { kind: 'check', check: { checks: [], not: false, text: 'Hi' } },
    ],
  ]
  for (const [action, recorded] of kinds) expect(await recordedAs(action)).toEqual(recorded)
})

test('what goes to a secret field is recorded as its text', async () => {
  const isSecretFocused = async () => true
  const text = { kind: 'type', text: 'x', isSecret: true } as const
  expect(await recordedAs({ kind: 'type', text: 'x' }, { isSecretFocused })).toEqual(text)
  expect(await recordedAs({ kind: 'press', key: 'x' }, { isSecretFocused })).toEqual(text)
  const secret = { ...element, isSecret: true }
  expect(
    await recordedAs({ kind: 'press', key: 'x', element: a }, { describeElement: async () => secret }),
  ).toEqual({ kind: 'type', text: 'x', element: secret })
})

test('nothing is recorded of an action that fails, or whose element is gone', async () => {
  const failure: Failure = { code: 'CANCELLED' }
  const hover: Action = { kind: 'hover', element: a }
  expect(await recordedAs(hover)).toEqual({ kind: 'hover', element })
  expect(await recordedAs(hover, { perform: async () => err(failure) })).toBeUndefined()
  expect(await recordedAs(hover, { describeElement: async () => undefined })).toBeUndefined()
})

test('files that were dropped are recorded as dropped', async () => {
  const results = { ...stillResults, upload: 'dropped' } as const
  expect(
    await recordedAs(
      { kind: 'upload', element: a, paths: ['/f'] },
      { perform: async ({ kind }) => ok(results[kind]) },
    ),
  ).toEqual({ kind: 'upload', element, paths: ['/f'], isDrop: true })
})
