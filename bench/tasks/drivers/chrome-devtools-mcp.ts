// chrome-devtools-mcp: one server, each session an isolated context. `fill_form` for several fields; the last call of a round includes the
// snapshot, as its documentation advises.

import { join } from 'node:path'
import { type Agent, findRef } from '../agent.ts'
import type { CreateDriver } from '../driver.ts'
import type { Intent, Target } from '../task.ts'
import { createOwnProgram } from './own-program.ts'

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>]

let sessionCount = 0

export const createDevtoolsDriver: CreateDriver = (agent) => {
  let pageId = 0
  const call = (tool: string, input: Readonly<Record<string, unknown>> = {}) =>
    agent.call(tool, { pageId, ...input })
  const program = createOwnProgram(agent, async (url) => {
    const isolatedContext = `s${(sessionCount += 1)}`
    const opened = await agent.call('new_page', { url, isolatedContext })
    pageId = Number(/(\d+): [^\n]*\[selected\]/.exec(opened)?.[1])
    await call('take_snapshot')
  })
  return {
    open: program.open,
    knows: (target) => uidOf(agent, target) !== undefined,
    async act(intents) {
      const calls = callsFor(agent, intents)
      for (const [index, [tool, input]] of calls.entries())
        await call(tool, { ...input, ...(index === calls.length - 1 && { includeSnapshot: true }) })
    },
    look: async () => void (await call('take_snapshot')),
    readLog: program.readLog,
    async close() {
      await call('close_page')
      await program.stop()
    },
  }
}

const uidOf = (agent: Agent, target: Target): string | undefined =>
  findRef(agent.latest, target, (role, name) => `uid=(\\w+) ${role} "${name}(?:: [^"]*)?"`)

function callsFor(agent: Agent, intents: readonly Intent[]): readonly Call[] {
  const calls: Call[] = []
  let elements: { uid: string | undefined; value: string }[] = []
  const flush = () => {
    if (elements.length > 0) calls.push(['fill_form', { elements }])
    elements = []
  }
  for (const intent of intents) {
    const uid = uidOf(agent, intent.target)
    if (intent.kind === 'check') elements.push({ uid, value: 'true' })
    else if (intent.kind === 'select' || (intent.kind === 'fill' && !intent.submit))
      elements.push({ uid, value: intent.value })
    else {
      flush()
      if (intent.kind === 'fill')
        calls.push(['fill', { uid, value: intent.value }], ['press_key', { key: 'Enter' }])
      if (intent.kind === 'click' || intent.kind === 'download') calls.push(['click', { uid }])
      if (intent.kind === 'drag') calls.push(['drag', { from_uid: uid, to_uid: uidOf(agent, intent.to) }])
      if (intent.kind === 'upload')
        calls.push(['upload_file', { uid, filePaths: [join(agent.cwd, intent.path)] }])
    }
  }
  flush()
  return calls
}
