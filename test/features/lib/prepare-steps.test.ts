import { expect, test } from 'bun:test'
import { firstOfEntry, withLongestLoads } from '../../../src/features/lib/replay/prepare-steps.ts'
import { button, click, field, fill, navigate, seesText, step, type } from '../save-test/recorded-steps.ts'

const hover = step({ kind: 'hover', element: button('Menu') })

test.each([
  [[], -1],
  [[seesText('a')], -1],
  [[navigate('/'), click(button('Remove'))], 1],
  [[navigate('/'), fill(field('Name'), 'Ada'), fill(field('Mail'), 'a@b.c')], 1],
  [[fill(field('Name'), 'Ada'), type(field('Tag'), 'new', true)], 1],
  [[fill(field('Name'), 'Ada'), seesText('3 letters'), fill(field('Mail'), 'a@b.c')], 2],
  [[navigate('/'), click(button('Save')), hover], 1],
])('%#: %j begin at %j', (steps, index) => expect(firstOfEntry(steps)).toBe(index))

test('each load of a page takes as long as its longest one, which may be the one that is left out', () => {
  const slow = { ...navigate('/app'), durationMs: 35_000 }
  const [first, again, other] = withLongestLoads([slow, navigate('/app'), navigate('/')])
  expect([first?.durationMs, again?.durationMs]).toEqual([35_000, 35_000])
  expect(other).toEqual(navigate('/'))
})
