// Many sessions that do random things side by side; each step checks that nothing of another session is seen.

import { arrive, leave, signOf, steps, type Visitor } from './visitor.ts'
import type { Peer } from '../test/support/client.ts'

/** Opens `sessions`, lets each take `turns` random steps, all at once, and closes them. Answers how many steps were taken. */
export async function crowd(
  peer: Peer,
  site: string,
  sessions: number,
  turns: number,
  random: () => number = Math.random,
): Promise<number> {
  const names = Object.keys(steps)
  const visitors = await Promise.all(
    Array.from({ length: sessions }, (_, index) => arrive(peer.call, signOf(index + 1), site)),
  )
  let taken = 0
  const walk = async (visitor: Visitor) => {
    for (let turn = 0; turn < turns; turn += 1) {
      const name = names[Math.floor(random() * names.length)] ?? 'cookie'
      await steps[name]?.(visitor)
      taken += 1
    }
  }
  await Promise.all(visitors.map(walk))
  await Promise.all(visitors.map(leave))
  return taken
}
