// The agent asks for a person: by a form where the client has one.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { connect } from '../support/client.ts'
import { connectModern } from '../support/modern.ts'
import { page, serveSite, type Site } from '../support/site.ts'

let site: Site
beforeAll(async () => {
  site = await serveSite({}, page('<button>I am no robot</button>', 'Captcha'))
})
afterAll(() => site.close())

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
  expect(asked[0]).toContain(`in session "s1": ${reason}.`)
  const clicked = await peer.call('click', { sessionId, selector: 'button' })
  expect(clicked.data).not.toHaveProperty('errorCode')
  isDone = false
  const declined = await peer.call('handover', { sessionId, reason })
  expect(declined.data).toMatchObject({ errorCode: 'TIMEOUT', details: { observed: ['the user declined'] } })
  await peer.close()
}, 60_000)

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
