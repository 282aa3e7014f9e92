// A walk through an application by calls of Footlight, the same for the same seed: clicks, texts and choices in what a snapshot lists.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Peer } from '../../../test/support/client.ts'

const ACTION_TIMEOUT_MS = 3000
const REST_MS = 120
const ROLES =
  /^\s*(button|link|textbox|searchbox|spinbutton|combobox|checkbox|radio|switch|tab|menuitem|option)\b/
/** Elements of one role may share a line. */
const ELEMENT = /("(?:[^"\\]|\\.)*")?[^[\]"]*\[(e\d+)\]([^,]*)/g

/** What was done, a line a step. `after` is called after each. */
export async function walk(
  { call }: Peer,
  { seed, steps, after }: { seed: number; steps: number; after?: () => Promise<void> },
): Promise<readonly string[]> {
  const next = createRandom(seed)
  const log: string[] = []
  for (let step = 0; step < steps; step += 1) {
    const { data } = await call('snapshot', { maxChars: 60_000 })
    const elements = listElements(String(data?.snapshot ?? ''))
    const element = choose(elements, next)
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

function listElements(snapshot: string): readonly Element[] {
  return snapshot.split('\n').flatMap((line) => {
    const role = ROLES.exec(line)?.[1]
    if (role === undefined) return []
    return [...line.matchAll(ELEMENT)].flatMap(([, name = '', ref = '', rest = '']) =>
      /→ (?!\/)|disabled/.test(rest) ? [] : { role, name, ref },
    )
  })
}

/** Of a page with many links most steps would only go to other pages. */
function choose(elements: readonly Element[], next: () => number): Element | undefined {
  const others = elements.filter(({ role }) => role !== 'link')
  const chosen = others.length > 0 && next() < 0.75 ? others : elements
  return chosen[Math.floor(next() * chosen.length)]
}

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
