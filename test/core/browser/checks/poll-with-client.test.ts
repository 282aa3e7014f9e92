// Where the page cannot be reached directly, as on another machine, the checks are the client's own assertions.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { ElementCheck } from '../../../../src/core/base/action.ts'
import { pollWithClient } from '../../../../src/core/browser/checks/wait-for-element.ts'
import { type BrowserPages, openPages } from '../../../support/checks.ts'
import { anyBrowser } from '../../../support/engines.ts'

const content = `<input id="name" value="Ada"><input id="secret" type="password" value="abc"><button disabled>Go</button>
  <input type="checkbox" checked><p class="two">One</p><p class="two">Two</p><i hidden>Gone</i>`
const state = (name: string) => ({ kind: 'state', state: name }) as ElementCheck

describe.each(anyBrowser)('%s', (browser) => {
  let opened: BrowserPages
  beforeAll(async () => {
    opened = await openPages(browser, 1)
    await opened.pages[0]?.setContent(content)
  }, 300_000)
  afterAll(() => opened.close())
  const poll = (selector: string, check: ElementCheck, not: boolean) => {
    const options = { checks: [check], not, durationMs: 100, confirmationMs: not ? 100 : 0 }
    const locator = opened.pages[0]?.locator(selector)
    if (!locator) throw new Error('no page')
    return pollWithClient(locator, options)
  }

  test.each([
    ['#name', { kind: 'value', value: 'Ada' }, true, '"Ada"'],
    ['#name', { kind: 'value', value: 'Bob' }, false, '"Ada"'],
    ['.two', { kind: 'count', count: 2 }, true, '2'],
    ['.two', { kind: 'text', text: 'oNe' }, true, '"One"'],
    ['button', state('disabled'), true, 'disabled'],
    ['button', state('enabled'), false, 'disabled'],
    ['[type=checkbox]', state('checked'), true, 'checked'],
    ['[type=checkbox]', state('unchecked'), false, 'checked'],
    ['i', state('hidden'), true, 'hidden'],
    ['#name', state('empty'), false, 'notEmpty'],
  ] as const)('%s %j', async (selector, check, isMet, seen) => {
    expect(await poll(selector, check, false)).toMatchObject({ isMet })
    const opposite = await poll(selector, check, true)
    expect(opposite.isMet).toBe(!isMet)
    const [[observation] = []] = (isMet ? opposite : await poll(selector, check, false)).observations
    expect(observation?.text).toBe(seen)
  })
  test('neither a check nor its opposite holds for what is not there, or not alone', async () => {
    for (const not of [false, true]) {
      expect(await poll('#none', state('enabled'), not)).toMatchObject({ isMet: false, count: 0 })
      expect(await poll('.two', state('enabled'), not)).toMatchObject({ isMet: false, count: 2 })
    }
  })
})
