// What a model reads of the built program's answers: the tokens of 17 calls on a small form, and the bytes of the most frequent answers.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { countTokens } from 'gpt-tokenizer'
import { type Answer, type Peer, share } from '../support/client.ts'
import { anyBrowser } from '../support/engines.ts'
import { serveSite, type Site } from '../support/site.ts'
import { callsOn, smallForm } from '../support/small-form.ts'

const ANSWERS_LIMIT_TOKENS = 450
const ARGUMENTS_LIMIT_BYTES = 500
// Of @playwright/mcp 0.0.83.
const REFUSED_LIMIT_TOKENS = 67

let site: Site
beforeAll(async () => {
  site = await serveSite({ '/': smallForm })
})
afterAll(() => site.close())

const textOf = ({ content }: CallToolResult): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')

// The cases of an engine follow one another in one Footlight.
describe.each(anyBrowser)('%s', (browser) => {
  let peer: Peer
  beforeAll(async () => {
    peer = await share(browser)
  }, 300_000)
  afterAll(() => peer.close())

  test('17 calls cost at most 450 tokens of answers and 500 bytes of arguments', async () => {
    const created = await peer.call('create_session')
    const answers: [tool: string, text: string, failed: boolean][] = []
    const add = (tool: string, { result, failed }: Answer) => answers.push([tool, textOf(result), failed])
    add('create_session', created)
    for (const { tool, input } of callsOn(site.url)) add(tool, await peer.call(tool, input))
    add('close_session', await peer.call('close_session'))
    const inputs = [{}, ...callsOn(site.url).map(({ input }) => input), {}]
    const argumentBytes = inputs.reduce((sum, input) => sum + JSON.stringify(input).length, 0)
    expect(argumentBytes).toBeLessThanOrEqual(ARGUMENTS_LIMIT_BYTES)

    expect(answers).toHaveLength(17)
    expect(answers.filter(([, , failed]) => failed).map(([tool]) => tool)).toEqual(['click'])
    const costs = answers.map(([tool, text]) => [tool, countTokens(text), text] as const)
    const total = costs.reduce((sum, [, tokens]) => sum + tokens, 0)
    expect([total <= ANSWERS_LIMIT_TOKENS, ...(total > ANSWERS_LIMIT_TOKENS ? [total, costs] : [])]).toEqual([
      true,
    ])
    // Each tells what an agent cannot know.
    const all = answers.map(([, text]) => text)
    const facts = [
      /Session /,
      /^200 Small form$/,
      /^button "Send" \[\w+\]$/m,
      /^Typed\.$/,
      /^Typed\.$/,
      /^Done\.$/,
      /^~ checkbox "I accept the terms" \[\w+\] checked$/m,
      /^ELEMENT_NOT_FOUND: No element matched #submit .*Take a snapshot[^]*\nscreenshot: \/\S+\.jpeg$/,
      /^~ status \[\w+\]: Thank you$/,
      /^Waited \d+(\.\d)? m?s\.$/,
      /^1 match$/,
      /^Thank you$/,
      /^Small form$/,
      /^\d+ info: sent Ada Lovelace \(\/:\d+:\d+\)$/,
      /^1 GET \/ → 200 document/,
      /^200 Small form\na new page:\n[^]*button "Send" \[\w+\]/,
      /^Session s\d+ is closed\.$/,
    ]
    for (const [index, fact] of facts.entries()) expect(all[index]).toMatch(fact)
  }, 120_000)

  test('the answers of navigate, click and type have at most 60, 30 and 30 bytes, after a snapshot too', async () => {
    const sessionId = await peer.session()
    const bytesOf = async (tool: string, input: object) =>
      Buffer.byteLength(textOf((await peer.call(tool, { sessionId, ...input })).result))
    const limits: [tool: string, input: object, limit: number][] = [
      ['navigate', { url: site.url }, 60],
      ['click', { selector: '#name' }, 30],
      ['type', { selector: '#name', text: 'Ada Lovelace' }, 30],
      ['snapshot', {}, 550],
      ['click', { selector: 'h1' }, 30],
      ['type', { selector: '#email', text: 'ada@example.org' }, 30],
      // What it changed is all that it says.
      ['click', { selector: '#send' }, 30],
    ]
    for (const [tool, input, limit] of limits) {
      const bytes = await bytesOf(tool, input)
      expect([tool, bytes <= limit, bytes]).toEqual([tool, true, bytes])
    }
  }, 120_000)

  test('a server that does not run costs at most 67 tokens, with the code and the next step', async () => {
    const sessionId = await peer.session()
    const closed = await serveSite({})
    closed.close()
    const { failed, data, result } = await peer.call('navigate', { sessionId, url: closed.url })
    expect(failed).toBe(true)
    expect(data).toMatchObject({ errorCode: 'NAVIGATION_FAILED', category: 'browser', sessionId })
    const text = textOf(result)
    expect(text).toMatch(/^NAVIGATION_FAILED: The connection was refused\. Is the server running/)
    expect(countTokens(text)).toBeLessThanOrEqual(REFUSED_LIMIT_TOKENS)
  }, 120_000)
})

test('structured content is smaller than before and says nothing twice', async () => {
  const peer = await share()
  const sessionId = await peer.session()
  await peer.call('navigate', { sessionId, url: site.url })
  const { data } = await peer.call('click', { sessionId, selector: '#name' })
  expect(data).toEqual({ success: true, message: 'Clicked.' })
  await peer.close()
})
