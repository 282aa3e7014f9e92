// A walk through an application by calls of Footlight, the same for the same seed: clicks, texts and choices in what a snapshot lists.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Peer } from '../../../test/support/client.ts'

const ACTION_TIMEOUT_MS = 3000
const REST_MS = 120
const ELEMENT =
  /^\s*(button|link|textbox|searchbox|spinbutton|combobox|checkbox|radio|switch|tab|menuitem|option)\b(.*)\[(e\d+)\](.*)$/

/** What was done, a line a step. `after` is called after each. */
export async function walk(
  { call }: Peer,
  { seed, steps, after }: { seed: number; steps: number; after?: () => Promise<void> },
): Promise<readonly string[]> {
  const next = createRandom(seed)
  const log: string[] = []
  for (let step = 0; step < steps; step += 1) {
    const { data } = await call('snapshot', { maxChars: 60_000 })
    const elements = String(data?.snapshot ?? '')
      .split('\n')
      .flatMap((line) => {
        const [, role = '', name = '', ref = '', rest = ''] = ELEMENT.exec(line) ?? []
        const isOutside = /→ (?!\/)/.test(rest) || /disabled/.test(name + rest)
        return ref === '' || isOutside ? [] : { role, name: name.trim(), ref }
      })
    const element = elements[Math.floor(next() * elements.length)]
    if (!element || next() < 0.03) {
      log.push('navigate /')
      await call('navigate', { url: '/' })
    } else {
      log.push(`${elements.length} ${element.role} ${element.name}`)
      await act(call, element)
    }
    await sleep(REST_MS)
    await after?.()
  }
  return log
}

// --- internal ---

interface Element {
  readonly role: string
  readonly name: string
  readonly ref: string
}

async function act(call: Peer['call'], { role, name, ref }: Element): Promise<void> {
  const base = { ref, timeout: ACTION_TIMEOUT_MS }
  if (/^(textbox|searchbox|spinbutton)$/.test(role)) {
    const text = role === 'spinbutton' ? '3' : /mail/i.test(name) ? 'a@b.co' : 'abcd'
    await call('type', { ...base, text, clear: true })
  } else await call('click', base)
}

function createRandom(seed: number): () => number {
  let value = seed >>> 0 || 1
  return () => {
    value ^= value << 13
    value >>>= 0
    value ^= value >>> 17
    value ^= value << 5
    value >>>= 0
    return value / 4294967296
  }
}
