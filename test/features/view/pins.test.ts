// A person sets pins in the view of the executable, and the agent reads and answers them.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import type { Page } from 'playwright'
import { expect as assertion } from 'playwright/test'
import { type BrowserPages, openPages } from '../../support/checks.ts'
import { callOrThrow, connect } from '../../support/client.ts'
import { bothBrowsers } from '../../support/engines.ts'
import { page as document, serveSite, type Site } from '../../support/site.ts'

const BUTTON = 'position:absolute;left:20px;width:120px;height:30px'
const SHOP = `<body style="margin:0">
<button style="${BUTTON};top:20px">Add</button>
<button style="${BUTTON};top:80px" onclick="this.remove()">Remove</button>
<button style="${BUTTON};top:140px">Pay</button>`

let [site, person]: [Site | undefined, BrowserPages | undefined] = [undefined, undefined]
beforeAll(async () => {
  site = await serveSite({}, document(SHOP, 'Shop'))
  person = await openPages('chromium', 1, { network: true })
}, 120_000)
afterAll(async () => {
  await person?.close()
  await site?.close()
})

test.each([...bothBrowsers])(
  '%s: a batch by touch; what was loaded again is found, what is gone is said to both',
  async (browser) => {
    const peer = await connect({ args: ['--headless', '--view', '--browser', browser] })
    await peer.session({ name: 'shop', viewport: { width: 600, height: 300 } })
    await callOrThrow(peer, 'navigate', { url: site?.url })
    await callOrThrow(peer, 'snapshot')
    const context = await (person?.pages[0] as Page).context().browser()!.newContext({ hasTouch: true })
    const view = await context.newPage()
    await view.goto(/http:\S+#\S+/.exec(peer.stderr())?.[0] ?? '')
    await view.getByRole('link', { name: /shop/ }).tap()
    const picture = view.getByRole('img', { name: 'The page of shop' })
    await assertion(picture).toHaveAttribute('src', /^data:image\/jpeg/, { timeout: 20_000 })
    await view.getByRole('button', { name: 'Comment', exact: true }).tap()
    for (const [index, y] of [35, 95, 155].entries()) {
      const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0 }
      await view.touchscreen.tap(box.x + (60 * box.width) / 600, box.y + (y * box.width) / 600)
      await view.getByLabel('What do you say about it?').fill(`words ${index + 1}`)
      await view.getByRole('button', { name: 'Add another' }).tap()
      await assertion(view.locator('#comment')).toBeHidden()
    }
    const items = view.getByRole('list', { name: 'Comments' }).getByRole('listitem')
    await assertion(items).toHaveText([
      /1 button "Add"words 1not sent/,
      /2 button "Remove"/,
      /3 button "Pay"/,
    ])
    const marks = view.locator('#marks span')
    await assertion(marks).toHaveText(['1', '2', '3'])
    // Of a page that is loaded again all refs are lost.
    await callOrThrow(peer, 'history', { direction: 'reload' })
    await callOrThrow(peer, 'click', { selector: 'text=Remove' })
    await assertion(items.nth(1)).toContainText('The element is gone from the page.')
    await assertion(marks).toHaveText(['1', '3'])
    await view.getByRole('button', { name: 'Send 3 comments' }).tap()
    const { comments } = await callOrThrow(peer, 'wait_for', { comment: true })
    const pictures = comments.map(({ picture }: { picture: string }) => existsSync(picture))
    expect(pictures).toEqual([true, true, true])
    const told = (number: number, name: string) => ({
      number,
      name: `button "${name}"`,
      locator: `getByRole('button', { name: '${name}' })`,
      note: `words ${number}`,
      picture: expect.stringContaining(`comment-${number}.jpeg`),
    })
    expect(comments).toMatchObject([told(1, 'Add'), { ...told(2, 'Remove'), missing: true }, told(3, 'Pay')])
    expect(comments[0]).not.toHaveProperty('missing')
    // The ref is one of the page as it is now.
    const { result } = await callOrThrow(peer, 'evaluate', {
      ref: comments[2].ref,
      script: 'return element.textContent',
    })
    expect(result).toBe('Pay')
    const wrong = await peer.call('wait_for', { answers: ['1 done: green', 'all done'] })
    expect(wrong.data).toMatchObject({ errorCode: 'INVALID_PARAMETERS', details: { field: 'answers[1]' } })
    await callOrThrow(peer, 'wait_for', { answers: ['1 done: green', '2 question: which one?'] })
    await assertion(items).toHaveText([/done: green/, /question: which one\?/, /with the agent/])
    await view.getByRole('button', { name: 'Reply to comment 2' }).tap()
    await view.getByLabel('What do you say about it?').fill('the red one')
    const waiting = callOrThrow(peer, 'wait_for', { comment: true })
    await view.getByRole('button', { name: 'Send', exact: true }).tap()
    expect((await waiting).comment).toMatchObject({ number: 2, note: 'the red one', missing: true })
    await context.close()
    await peer.close()
  },
  180_000,
)
