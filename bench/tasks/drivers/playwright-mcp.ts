// @playwright/mcp with its single tools: `browser_fill_form` for several fields, one call for each other action.

import { join } from 'node:path'
import { type Agent, findRef } from '../agent.ts'
import type { CreateDriver } from '../driver.ts'
import type { Intent, Target } from '../task.ts'
import { createOwnProgram } from './own-program.ts'

export const createPlaywrightDriver: CreateDriver = (agent) => {
  const { call } = agent
  const look = async () => void (await call('browser_snapshot'))
  const program = createOwnProgram(agent, async (url) => {
    await call('browser_navigate', { url })
    await look()
  })
  return {
    open: program.open,
    knows: (target) => refOf(agent, target) !== undefined,
    async act(intents) {
      const fields = intents.filter(isField)
      if (fields.length > 0)
        await call('browser_fill_form', { fields: fields.map((field) => fieldOf(agent, field)) })
      for (const intent of intents.filter((one) => !isField(one))) await doSingly(agent, intent)
      await look()
    },
    look,
    readLog: program.readLog,
    async close() {
      await call('browser_close')
      await program.stop()
    },
  }
}

/** The ref of an element of a Playwright snapshot. */
export const refOf = (agent: Agent, target: Target): string | undefined =>
  findRef(agent.latest, target, (role, name) => `${role} "${name}".*?\\[ref=(\\w+)\\]`)

type Field = Intent & { kind: 'fill' | 'select' | 'check' }

const isField = (intent: Intent): intent is Field =>
  intent.kind === 'select' || intent.kind === 'check' || (intent.kind === 'fill' && !intent.submit)

const fieldOf = (agent: Agent, intent: Field) => ({
  target: refOf(agent, intent.target),
  name: intent.target.name,
  type: intent.target.role,
  value: intent.kind === 'check' ? 'true' : intent.value,
})

async function doSingly(agent: Agent, intent: Intent): Promise<void> {
  const { call } = agent
  const target = refOf(agent, intent.target)
  if (intent.kind === 'fill') await call('browser_type', { target, text: intent.value, submit: true })
  if (intent.kind === 'click' || intent.kind === 'download') await call('browser_click', { target })
  if (intent.kind === 'drag')
    await call('browser_drag', { startTarget: target, endTarget: refOf(agent, intent.to) })
  if (intent.kind !== 'upload') return
  await call('browser_click', { target })
  await call('browser_file_upload', { paths: [join(agent.cwd, intent.path)] })
}
