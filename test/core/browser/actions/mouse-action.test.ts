// What each action of the mouse needs, and that a field of another action is no slip that passes.

import { expect, test } from 'bun:test'
import type { MouseAction } from '../../../../src/core/base/action.ts'
import { mouseActionOf, mouseActions } from '../../../../src/core/browser/tools/pointer.ts'

const at = { x: 1, y: 2 }
const point = { x: 1, y: 2 }

const valid: readonly [Parameters<typeof mouseActionOf>[0], MouseAction][] = [
  [
    { action: 'click', ...at },
    { kind: 'click', point, button: 'left', clickCount: 1 },
  ],
  [
    { action: 'click', ...at, button: 'right', clickCount: 2, modifiers: ['Shift'] },
    { kind: 'click', point, button: 'right', clickCount: 2, modifiers: ['Shift'] },
  ],
  [
    { action: 'move', ...at },
    { kind: 'move', point },
  ],
  [
    { action: 'down', ...at, button: 'middle' },
    { kind: 'down', point, button: 'middle' },
  ],
  [
    { action: 'up', ...at },
    { kind: 'up', point, button: 'left' },
  ],
  [
    { action: 'drag', ...at, toX: 0, toY: 4 },
    { kind: 'drag', point, button: 'left', to: { x: 0, y: 4 } },
  ],
  [
    { action: 'wheel', ...at, deltaX: -5 },
    { kind: 'wheel', point, deltaX: -5, deltaY: 0 },
  ],
]

test.each(valid)('%j', (input, action) => expect(mouseActionOf(input)).toEqual({ ok: true, value: action }))

test.each([
  [{ action: 'drag' }, 'toX'],
  [{ action: 'drag', toX: 1 }, 'toY'],
  [{ action: 'wheel' }, 'deltaY'],
  [{ action: 'wheel', deltaX: 0, deltaY: 0 }, 'deltaY'],
  [{ action: 'wheel', deltaY: 1, button: 'left' }, 'button'],
  [{ action: 'move', button: 'left' }, 'button'],
  [{ action: 'down', clickCount: 2 }, 'clickCount'],
  ...mouseActions.filter((action) => action !== 'drag').map((action) => [{ action, toY: 1 }, 'toY'] as const),
  ...mouseActions
    .filter((action) => action !== 'wheel')
    .map((action) => [{ action, deltaX: 1 }, 'deltaX'] as const),
] as const)('%j is refused for %s', (input, field) =>
  expect(mouseActionOf({ ...at, ...input })).toMatchObject({
    ok: false,
    error: { code: 'INVALID_PARAMETERS', field },
  }),
)
