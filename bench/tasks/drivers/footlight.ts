// Footlight. Its answers say what an action has changed, so a look is needed only at first. `steps` makes one call of several, and calls the
// tools that are not listed; the only open session need not be named.

import { join } from 'node:path'
import { type Agent, findRef } from '../agent.ts'
import type { CreateDriver } from '../driver.ts'
import type { Intent, Target } from '../task.ts'

type Call = { readonly tool: string } & Readonly<Record<string, unknown>>

export const createFootlightDriver: CreateDriver = (agent) => {
  async function together([first, ...others]: readonly Call[]): Promise<string> {
    if (first === undefined) return ''
    const { tool, ...input } = first
    const isAlone = others.length === 0 && agent.tools.has(tool)
    return isAlone ? agent.call(tool, input) : agent.call('steps', { calls: [first, ...others] })
  }

  return {
    async open(url, program) {
      const page = { tool: 'navigate', url: program === undefined ? url : '/' }
      const command = program === undefined ? {} : { command: `node ${program}` }
      const answer = await together([{ tool: 'create_session', ...command }, page, { tool: 'snapshot' }])
      return program === undefined ? url : (/http:\/\/[^"\s]+/.exec(answer)?.[0] ?? '')
    },
    knows: (target) => refOf(agent, target) !== undefined,
    act: async (intents) => void (await together(callsFor(agent, intents))),
    look: async () => void (await together([{ tool: 'snapshot' }])),
    readLog: async () => void (await together([{ tool: 'read_server_logs', logType: 'stderr' }])),
    close: async () => void (await together([{ tool: 'close_session' }])),
  }
}

const refOf = (agent: Agent, target: Target): string | undefined =>
  findRef(agent.seen, target, (role, name) => `\\b${role} (?:.*, )?"${name}".*?\\[(\\w+)\\]`, true)

/** Fields that follow each other are one `fill_form`. */
function callsFor(agent: Agent, intents: readonly Intent[]): readonly Call[] {
  const calls: Call[] = []
  let fields: { ref: string | undefined; value: string | boolean }[] = []
  const flush = () => {
    if (fields.length > 0) calls.push({ tool: 'fill_form', fields })
    fields = []
  }
  for (const intent of intents) {
    const ref = refOf(agent, intent.target)
    if (intent.kind === 'check') fields.push({ ref, value: true })
    else if (intent.kind === 'select' || (intent.kind === 'fill' && !intent.submit))
      fields.push({ ref, value: intent.value })
    else {
      flush()
      if (intent.kind === 'fill') calls.push({ tool: 'type', ref, text: intent.value, submit: true })
      if (intent.kind === 'click' || intent.kind === 'download') calls.push({ tool: 'click', ref })
      if (intent.kind === 'drag') calls.push({ tool: 'drag', ref, toRef: refOf(agent, intent.to) })
      if (intent.kind === 'upload')
        calls.push({ tool: 'upload_file', ref, paths: [join(agent.cwd, intent.path)] })
    }
  }
  flush()
  return calls
}
