// Plays a flow in a session, as an agent does: a look at the page before each call that names an element by what it has read.

import type { Answer, Peer } from '../../test/support/client.ts'
import type { Element, ElementName, Flow, FlowCall } from './flow.ts'

// An element that comes late is looked for again; an agent would wait for it likewise.
const LOOK_LIMIT = 40
const LOOK_PAUSE_MS = 100

export interface Player {
  readonly peer: Peer
  readonly sessionId: string
  /** The origin of the server of the session. */
  readonly origin: string
}

/** Throws if a call has another outcome than the flow says. */
export async function playFlow(player: Player, { name, calls }: Flow): Promise<void> {
  for (const [index, call] of calls.entries()) {
    const { failed, result } = await playCall(player, call)
    if (failed === (call.mustFail ?? false)) continue
    throw new Error(`${name}, call ${index + 1}, ${JSON.stringify(call)}: ${textOf(result)}`)
  }
}

/** The text of an answer. */
export const textOf = ({ content }: Answer['result']): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')

// --- internal ---

async function playCall(player: Player, call: FlowCall): Promise<Answer> {
  const { tool, element, fields, input } = call
  const { peer, sessionId, origin } = player
  const target = element === undefined ? {} : await targetOf(player, element)
  const values = []
  for (const field of fields ?? [])
    values.push({ ...(await targetOf(player, field.element)), value: field.value })
  return peer.call(tool, {
    sessionId,
    ...target,
    ...input,
    ...(fields && { fields: values }),
    ...(tool === 'navigate' && { url: new URL(String(input?.['url']), origin).href }),
  })
}

async function targetOf(player: Player, element: Element): Promise<{ selector: string } | { ref: string }> {
  if (typeof element === 'string') return { selector: element }
  let text = ''
  for (let looks = 0; looks < LOOK_LIMIT; looks += 1) {
    text = textOf((await player.peer.call('snapshot', { sessionId: player.sessionId })).result)
    const ref = refIn(text, element)
    if (ref !== undefined) return { ref }
    await new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS))
  }
  throw new Error(`no ${element.role} "${element.name}" in\n${text}`)
}

/** The ref of the first line of the snapshot with this role and name, below the first one that has the text `after`. */
function refIn(snapshot: string, { role, name, after }: ElementName): string | undefined {
  const lines = snapshot.split('\n')
  const start = after === undefined ? 0 : lines.findIndex((line) => line.includes(after))
  if (start === -1) return undefined
  const prefix = `${role} ${JSON.stringify(name)} [`
  const line = lines.slice(start).find((one) => one.trimStart().startsWith(prefix))
  return line && /\[((?:f\d+)?e\d+)\]/.exec(line)?.[1]
}
