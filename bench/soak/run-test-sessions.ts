// Many concurrent sessions that run random steps; each step checks that no data of another session is visible.

import type { Peer } from '../../test/support/client.ts'
import { closeTestSession, markerOf, openTestSession, steps, type TestSession } from './test-session.ts'

/** Opens `sessionCount` sessions, runs `stepCount` random steps in each of them concurrently, and closes them. Returns the number of steps. */
export async function runTestSessions(
  peer: Peer,
  site: string,
  sessionCount: number,
  stepCount: number,
  random: () => number = Math.random,
): Promise<number> {
  const names = Object.keys(steps)
  const testSessions = await Promise.all(
    Array.from({ length: sessionCount }, (_, index) => openTestSession(peer.call, markerOf(index + 1), site)),
  )
  let total = 0
  const runSteps = async (testSession: TestSession) => {
    for (let step = 0; step < stepCount; step += 1) {
      const name = names[Math.floor(random() * names.length)] ?? 'cookie'
      await steps[name]?.(testSession)
      total += 1
    }
  }
  await Promise.all(testSessions.map(runSteps))
  await Promise.all(testSessions.map(closeTestSession))
  return total
}
