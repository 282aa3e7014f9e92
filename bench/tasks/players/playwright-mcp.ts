// @playwright/mcp with its single tools: `browser_fill_form` for several fields, one call for each other action.

import { join } from 'node:path'
import { createOwnProgram } from './own-program.ts'
import { findRef, type Hands } from '../hands.ts'
import type { CreatePlayer } from '../player.ts'
import type { Intent, Target } from '../task.ts'

export const createPlaywrightPlayer: CreatePlayer = (hands) => {
  const { call } = hands
  const look = async () => void (await call('browser_snapshot'))
  const program = createOwnProgram(hands, async (url) => {
    await call('browser_navigate', { url })
    await look()
  })
  return {
    open: program.open,
    knows: (target) => refOf(hands, target) !== undefined,
    async act(intents) {
      const fields = intents.filter(isField)
      if (fields.length > 0)
        await call('browser_fill_form', { fields: fields.map((field) => fieldOf(hands, field)) })
      for (const intent of intents.filter((one) => !isField(one))) await doSingly(hands, intent)
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
export const refOf = (hands: Hands, target: Target): string | undefined =>
  findRef(hands.latest, target, (role, name) => `${role} "${name}".*?\\[ref=(\\w+)\\]`)

type Field = Intent & { kind: 'fill' | 'select' | 'check' }

const isField = (intent: Intent): intent is Field =>
  intent.kind === 'select' || intent.kind === 'check' || (intent.kind === 'fill' && !intent.submit)

const fieldOf = (hands: Hands, intent: Field) => ({
  target: refOf(hands, intent.target),
  name: intent.target.name,
  type: intent.target.role,
  value: intent.kind === 'check' ? 'true' : intent.value,
})

async function doSingly(hands: Hands, intent: Intent): Promise<void> {
  const { call } = hands
  const target = refOf(hands, intent.target)
  if (intent.kind === 'fill') await call('browser_type', { target, text: intent.value, submit: true })
  if (intent.kind === 'click' || intent.kind === 'download') await call('browser_click', { target })
  if (intent.kind === 'drag')
    await call('browser_drag', { startTarget: target, endTarget: refOf(hands, intent.to) })
  if (intent.kind !== 'upload') return
  await call('browser_click', { target })
  await call('browser_file_upload', { paths: [join(hands.cwd, intent.path)] })
}
