// Two hundred actions whose effect comes 0 to 400 ms later, by each means of a page: it is told in the answer, or in the next one as what came
// since then, and never as the effect of the next action.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Peer } from '../support/client.ts'
import { everyMeans, type LaterSite, serveLaterSite } from '../support/later-site.ts'

const ROUNDS = 20
const LONGEST_MS = 400
const LIMIT_MS = 300_000

let site: LaterSite
let peer: Peer
beforeAll(async () => {
  site = await serveLaterSite()
  peer = await connect({ args: ['--headless'] })
}, 120_000)
afterAll(async () => {
  await peer.close()
  site.close()
})

test(
  'two hundred late effects',
  async () => {
    const sessionId = await peer.session()
    const call = async (tool: string, input: Record<string, unknown> = {}) => {
      const { result } = await peer.call(tool, { sessionId, ...input })
      const [content] = result.content
      return content?.type === 'text' ? content.text : ''
    }
    await call('navigate', { url: site.url })
    await call('snapshot')
    const counts = { inAnswer: 0, sinceThen: 0, charged: 0, untold: 0, denied: 0 }
    const rows = Array.from({ length: ROUNDS }, (_, round) =>
      everyMeans.map((name) => ({ name, ms: Math.round((round * LONGEST_MS) / (ROUNDS - 1)) })),
    ).flat()
    for (const [index, { name, ms }] of rows.entries()) {
      const effect = `Effect ${index + 1}.`
      await call('evaluate', { script: `ms = ${ms}` })
      const answer = await call('click', { selector: `#${name}` })
      await site.arrival(`/done/${index + 1}`)
      const next = await call('click', { selector: '#dead' })
      const [since, own = ''] = next.startsWith('since then:') ? next.split('Clicked.') : ['', next]
      const isTold = answer.includes(effect)
      if (isTold) counts.inAnswer += 1
      else if (since?.includes(effect)) counts.sinceThen += 1
      else if (!own.includes(effect)) counts.untold += 1
      if (own.includes(effect)) counts.charged += 1
      if (!isTold && answer.includes('No changes.')) counts.denied += 1
    }
    console.info(counts)
    expect(counts).toMatchObject({ charged: 0, untold: 0, denied: 0 })
    expect(counts.inAnswer + counts.sinceThen).toBe(ROUNDS * everyMeans.length)
  },
  LIMIT_MS,
)
