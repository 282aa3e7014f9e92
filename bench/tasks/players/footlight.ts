// Footlight. Its answers say what an action has changed, so a look is needed only at first. `steps` makes one turn of several calls.

import { join } from 'node:path'
import { findRef, type Hands } from '../hands.ts'
import type { CreatePlayer } from '../player.ts'
import type { Intent, Target } from '../task.ts'

type Call = { readonly tool: string } & Readonly<Record<string, unknown>>

export const createFootlightPlayer: CreatePlayer = (hands) => {
  const { tools } = hands
  let session: Readonly<Record<string, unknown>> = {}

  async function together(calls: readonly Call[]): Promise<void> {
    if (tools.has('steps') && calls.length > 1) return void (await hands.call('steps', { ...session, calls }))
    for (const { tool, ...input } of calls) await hands.call(tool, { ...session, ...input })
  }

  return {
    async open(url, program) {
      const command = program === undefined ? {} : { command: `node ${program}` }
      const created = await hands.call('create_session', command)
      if (tools.get('snapshot')?.includes('sessionId'))
        session = { sessionId: textOf(/"sessionId":"([^"]+)"/, created) }
      const opened = program === undefined ? url : textOf(/(http:\/\/[^"\s]+)/, created)
      await together([{ tool: 'navigate', url: opened }, { tool: 'snapshot' }])
      return opened
    },
    knows: (target) => refOf(hands, target) !== undefined,
    act: (intents) => together(callsFor(hands, intents)),
    look: () => together([{ tool: 'snapshot' }]),
    readLog: () => together([{ tool: 'read_server_logs', logType: 'stderr' }]),
    close: () => together([{ tool: 'close_session' }]),
  }
}

const refOf = (hands: Hands, target: Target): string | undefined =>
  findRef(hands.seen, target, (role, name) => `${role} "${name}".*?\\[(\\w+)\\]`, true)

function textOf(pattern: RegExp, text: string): string {
  const found = pattern.exec(text)?.[1]
  if (found === undefined) throw new Error(`${pattern} is not in ${text}`)
  return found
}

/** Fields that follow each other are one `fill_form`. */
function callsFor(hands: Hands, intents: readonly Intent[]): readonly Call[] {
  const calls: Call[] = []
  let fields: { ref: string | undefined; value: string | boolean }[] = []
  const flush = () => {
    if (fields.length > 0) calls.push({ tool: 'fill_form', fields })
    fields = []
  }
  for (const intent of intents) {
    const ref = refOf(hands, intent.target)
    if (intent.kind === 'check') fields.push({ ref, value: true })
    else if (intent.kind === 'select' || (intent.kind === 'fill' && !intent.submit))
      fields.push({ ref, value: intent.value })
    else {
      flush()
      if (intent.kind === 'fill') calls.push({ tool: 'type', ref, text: intent.value, submit: true })
      if (intent.kind === 'click' || intent.kind === 'download') calls.push({ tool: 'click', ref })
      if (intent.kind === 'drag') calls.push({ tool: 'drag', ref, toRef: refOf(hands, intent.to) })
      if (intent.kind === 'upload')
        calls.push({ tool: 'upload_file', ref, paths: [join(hands.cwd, intent.path)] })
    }
  }
  flush()
  return calls
}
