// The agent asks for a person: by a form where the client has one.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { Page } from 'playwright'
import { expect as assertion } from 'playwright/test'
import { type BrowserPages, openPages } from '../../support/checks.ts'
import { connect } from '../../support/client.ts'
import { bothBrowsers } from '../../support/engines.ts'
import { connectModern } from '../../support/modern.ts'
import { page, serveSite, type Site } from '../../support/site.ts'

// A slider that only a mouse moves, as some captchas have it.
const CAPTCHA = `<style>body{margin:0}#track{width:300px;height:40px;background:#ddd}#knob{width:40px;height:40px;background:#06c;position:absolute}</style>
<div id="track"><div id="knob"></div></div><p id="state">Not verified</p><button disabled>Continue</button>
<script>
const knob = document.querySelector('#knob'), button = document.querySelector('button')
let from
knob.onpointerdown = ({ clientX, pointerId }) => { from = clientX; knob.setPointerCapture(pointerId) }
knob.onpointermove = ({ clientX }) => { if (from !== undefined) knob.style.left = Math.max(0, clientX - from) + 'px' }
knob.onpointerup = () => {
  from = undefined
  if (parseFloat(knob.style.left) < 200) return
  document.querySelector('#state').textContent = 'Verified'
  button.disabled = false
}
button.onclick = () => { document.title = 'Inside' }
</script>`

let site: Site
let person: BrowserPages
beforeAll(async () => {
  site = await serveSite({}, page(CAPTCHA, 'Captcha'))
  person = await openPages('chromium', 1, { network: true })
}, 120_000)
afterAll(async () => {
  await person.close()
  await site.close()
})

const done = { action: 'accept' as const, content: { note: 'solved it' } }
const reason = 'Solve the captcha'

test('the user is asked by a form; their note is the answer, and the agent goes on', async () => {
  const peer = await connect({ args: ['--headless'], elicitation: true })
  const asked: string[] = []
  let isDone = true
  peer.client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.push(params.message)
    // While it is asked, the session is the person's.
    const { data } = await peer.call('snapshot', { sessionId })
    expect(data).toMatchObject({ errorCode: 'SESSION_BUSY', details: { reason: 'person' } })
    return isDone ? done : { action: 'decline' }
  })
  const sessionId = await peer.session()
  await peer.call('navigate', { sessionId, url: site.url })
  const { data } = await peer.call('handover', { sessionId, reason })
  expect(data).toMatchObject({ success: true, note: 'solved it' })
  expect(asked[0]).toContain(`in session "s1": "${reason}".`)
  const clicked = await peer.call('click', { sessionId, selector: '#state' })
  expect(clicked.data).not.toHaveProperty('errorCode')
  isDone = false
  const declined = await peer.call('handover', { sessionId, reason })
  expect(declined.data).toMatchObject({ errorCode: 'TIMEOUT', details: { observed: ['the user declined'] } })
  await peer.close()
}, 60_000)

test.each([...bothBrowsers])(
  '%s: a person solves a captcha in the view, and the agent goes on',
  async (browser) => {
    const peer = await connect({ args: ['--headless', '--view', '--browser', browser] })
    const sessionId = await peer.session({ viewport: { width: 600, height: 300 } })
    await peer.call('navigate', { sessionId, url: site.url })
    await peer.call('snapshot', { sessionId })
    const answer = peer.call('handover', { sessionId, reason })
    const [view] = person.pages as [Page]
    await view.goto(/http:\S+#\S+/.exec(peer.stderr())?.[0] ?? '')
    await view.getByRole('link', { name: /Solve the captcha/ }).click()
    await view.getByRole('button', { name: 'Take over' }).click()
    const picture = view.getByRole('img', { name: 'The page of s1' })
    await assertion(picture).toHaveAttribute('src', /^data:image\/jpeg/, { timeout: 20_000 })
    await assertion(view.getByRole('textbox', { name: /mouse and keyboard go there/ })).toBeFocused()
    const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0 }
    const scale = box.width / 600
    const y = box.y + 20 * scale
    await view.mouse.move(box.x + 20 * scale, y)
    await view.mouse.down()
    await view.mouse.move(box.x + 130 * scale, y)
    await view.mouse.move(box.x + 270 * scale, y)
    await view.mouse.up()
    await view.getByLabel('Note').fill('verified')
    await view.getByRole('button', { name: 'Return' }).click()
    const { data } = await answer
    expect(data).toMatchObject({ success: true, note: 'verified' })
    expect(data.changes).toContain('Verified')
    const clicked = await peer.call('click', { sessionId, selector: 'text=Continue' })
    expect(clicked.data).not.toHaveProperty('errorCode')
    expect((await peer.call('evaluate', { sessionId, script: 'document.title' })).data.result).toBe('Inside')
    await view.goto('about:blank')
    await peer.close()
  },
  120_000,
)

test('a comment in the view is the result of wait_for with a picture, and a later one is in the next answer', async () => {
  const peer = await connect({ args: ['--headless', '--view'] })
  const sessionId = await peer.session({ viewport: { width: 600, height: 300 } })
  await peer.call('navigate', { sessionId, url: site.url })
  const { data } = await peer.call('snapshot', { sessionId })
  const ref = /button "Continue".*?\[(e\d+)\]/.exec(data.snapshot)?.[1]
  const { data: place } = await peer.call('evaluate', {
    sessionId,
    script:
      'const r = document.querySelector("button").getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]',
  })
  const [x, y] = place.result
  const waiting = peer.call('wait_for', { sessionId, comment: true })
  const [view] = person.pages as [Page]
  await view.goto(/http:\S+#\S+/.exec(peer.stderr())?.[0] ?? '')
  await view.getByRole('link', { name: /s1/ }).click()
  const picture = view.getByRole('img', { name: 'The page of s1' })
  const comment = async (note: string) => {
    await view.getByRole('button', { name: 'Comment', exact: true }).click()
    const box = (await picture.boundingBox()) ?? { x: 0, y: 0, width: 0 }
    await view.mouse.click(box.x + (x * box.width) / 600, box.y + (y * box.width) / 600)
    await view.getByLabel('What do you say about it?').fill(note)
    await view.getByRole('button', { name: 'Send' }).click()
  }
  await assertion(picture).toHaveAttribute('src', /^data:image\/jpeg/, { timeout: 20_000 })
  await comment('make it green')
  const { result } = await waiting
  const [text, image] = result.content as never as [{ text: string }, { mimeType: string }]
  const told = { ref, name: 'button "Continue"', locator: "getByRole('button', { name: 'Continue' })" }
  expect(JSON.parse(text.text).comment).toEqual({ ...told, number: 1, note: 'make it green' })
  expect(image.mimeType).toBe('image/jpeg')
  await comment('and larger')
  await assertion(view.getByText('The agent gets your comment').last()).toBeVisible()
  const next = await peer.call('click', { sessionId, selector: '#state' })
  expect(next.data.comments).toEqual([
    { ...told, number: 2, note: 'and larger', picture: expect.stringMatching(/comment-2\.jpeg$/) },
  ])
  await view.goto('about:blank')
  await peer.close()
}, 120_000)

test('in the modern era by input_required', async () => {
  const peer = await connectModern([], () => done)
  await peer.call('create_session')
  const { data } = await peer.call('handover', { reason })
  expect(data).toMatchObject({ success: true, note: 'solved it' })
  await peer.close()
}, 60_000)

test('without a form it is said on stderr where a person finds the session; nobody comes', async () => {
  const peer = await connect({ args: ['--headless'] })
  const sessionId = await peer.session()
  const { data } = await peer.call('handover', { sessionId, reason, timeout: 100 })
  expect(data).toMatchObject({ errorCode: 'TIMEOUT', message: expect.stringContaining('footlight view') })
  expect(peer.stderr()).toContain(reason)
  await peer.close()
}, 60_000)
