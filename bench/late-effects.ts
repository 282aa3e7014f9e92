// `bun bench/late-effects.ts [BROWSER]`: 200 clicks whose effect comes 0 to 400 ms later, by ten means of a page. Is it told in the answer, or
// in the next one as what came since? Is it charged to the next action, or is "No changes." said although something comes? FOOTLIGHT names
// another executable.

import process from 'node:process'
import { binary, connect } from '../test/support/client.ts'
import { everyMeans, type Means, serveLaterSite } from '../test/support/later-site.ts'

const DELAYS_MS = [0, 5, 10, 20, 30, 50, 80, 120, 200, 400]
const ROUND_COUNT = 2
const outcomes = ['this answer', 'since then', 'untold', 'charged', 'untrue "No changes."'] as const
type Outcome = (typeof outcomes)[number]

const browser = process.argv[2] ?? 'chromium'
const command = [process.env['FOOTLIGHT'] ?? binary] as const
const peer = await connect({ command, args: ['--headless', '--browser', browser] })
const site = await serveLaterSite()

async function measure(means: Means): Promise<readonly Outcome[]> {
  const sessionId = await peer.session()
  const call = async (tool: string, input: Record<string, unknown> = {}) => {
    const { result } = await peer.call(tool, { sessionId, ...input })
    return result.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  }
  await call('navigate', { url: site.url })
  await call('snapshot')
  const found: Outcome[] = []
  let number = 0
  for (let round = 0; round < ROUND_COUNT; round += 1)
    for (const delayMs of DELAYS_MS) {
      number += 1
      await call('evaluate', { script: `ms = ${delayMs}` })
      const effect = `Effect ${number}.`
      const answer = await call('click', { selector: `#${means}` })
      await site.arrival(`/done/${number}`)
      const [since = '', own = ''] = (await call('click', { selector: '#dead' })).split('Clicked.')
      const isTold = answer.includes(effect)
      found.push(
        own.includes(effect) && !isTold
          ? 'charged'
          : isTold
            ? 'this answer'
            : !since.includes(effect)
              ? 'untold'
              : /No changes\.$/m.test(answer)
                ? 'untrue "No changes."'
                : 'since then',
      )
    }
  await call('close_session')
  return found
}

const row = (name: string, found: readonly Outcome[]) => {
  const counts = outcomes.map((outcome) => found.filter((one) => one === outcome).length)
  console.log(`| ${[name, ...counts, found.length].join(' | ')} |`)
}

console.log(`| means | ${outcomes.join(' | ')} | clicks |\n| --- |${' ---: |'.repeat(outcomes.length + 1)}`)
const all: Outcome[] = []
for (const means of everyMeans) {
  // Each session counts its effects from 1.
  site.forget()
  const found = await measure(means)
  row(means, found)
  all.push(...found)
}
row('all', all)
await peer.close()
site.close()
process.exit(0)
