// What every answer of an action carries beside its own: what the page did by itself, the dialog that waits, and, once the agent has
// looked at the page, what changed since.

import * as v from 'valibot'
import type { Failure, Outcome } from '../core/failure.ts'
import { err } from '../core/result.ts'
import type { Room } from '../runtime/ports/desk.ts'
import type { Call, Page } from '../runtime/ports/page.ts'

/** The field of an action's output. */
export const changed = { changes: v.optional(v.string()) }

const LONGEST = 1500

type Data = Readonly<Record<string, unknown>>

export async function withChanges(page: Page, call: Call, room: Room, data: Data): Promise<Data> {
  if (room.view.shown) await page.settle(call)
  const changes = room.view.shown ? await changesOf(page, call, room) : {}
  return { ...withNews(room, data), ...changes }
}

export function withNews(room: Room, data: Data): Data {
  const notes = [...((data['notes'] as string[] | undefined) ?? []), ...room.news()]
  const dialog = room.dialog()
  return { ...data, ...(notes.length > 0 && { notes }), ...(dialog && { dialog }) }
}

async function changesOf(page: Page, call: Call, room: Room): Promise<{ changes?: string }> {
  const [tree] = await Promise.all([page.tree({}, call), page.learn()])
  return tree.ok ? { changes: room.view.since(tree.value, LONGEST) } : {}
}

/** A ref that is gone is told with what it was. */
export function remembered<T>(outcome: Outcome<T>, room: Room): Outcome<T> {
  if (outcome.ok || outcome.error.code !== 'ELEMENT_NOT_FOUND' || !outcome.error.stale) return outcome
  const was = room.view.was(outcome.error.target.replace(/^ref /, ''))
  const failure: Failure = was === undefined ? outcome.error : { ...outcome.error, was }
  return err(failure)
}
