// A kind of action whose feature is not in the list.

import { expect, test } from 'bun:test'
import type { PageParts } from '../../../../src/core/browser/page/page-parts.ts'
import { createPerform } from '../../../../src/core/browser/page/perform.ts'
import { deadline } from '../../../support/session-page.ts'

test('an action that no feature performs is an error that names it', async () => {
  const perform = createPerform({ features: [] } as unknown as PageParts)
  const gesture = { kind: 'tap', count: 1, holdMs: 0 } as const
  const performing = perform({ kind: 'touch', tool: 'touch', place: { x: 1, y: 1 }, gesture }, deadline())
  await expect(performing).rejects.toThrow('No feature in the list performs the action touch.')
})
