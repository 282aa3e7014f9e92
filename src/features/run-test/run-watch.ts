// Ends a run that would say nothing true: one on the server of another project, and one that waits for a server that nobody ends.

import process from 'node:process'
import { abortWith } from '../../core/base/system/race-deadline.ts'
import { startTimer } from '../../core/base/system/timer.ts'
import type { TestRunFailed } from '../../core/base/test-failure.ts'
import { describeHolder, readHolder } from '../../core/devserver/process/port-holders.ts'
import { type ProcessTree, readOutputs } from '../../core/devserver/process/process-tree.ts'
import { findForeignServer } from './foreign-servers.ts'
import type { RunEvent } from './in-playwright/run-event.ts'

/** How long a run may be silent after its last test before what it waits for is looked at. */
const SILENCE_MS = 15_000

interface RunWatch {
  readonly signal: AbortSignal
  look(event: RunEvent, tree: ProcessTree): void
  /** Ends the watch. Returns why it has ended the run, if it has. */
  end(): TestRunFailed | undefined
}

export function createRunWatch(places: { readonly folder: string; readonly workspace: string }): RunWatch {
  const controller = new AbortController()
  const endedTests = new Set<string>()
  let [total, timer] = [Infinity, startTimer(0, () => {})]
  let failure: TestRunFailed | undefined
  const fail = (text: string, next: string) => {
    failure = { code: 'TEST_RUN_FAILED', reason: 'web_server', text, next }
    abortWith(controller, 'closed')
  }
  return {
    signal: controller.signal,
    look(event, tree) {
      timer.stop()
      if (event.type === 'begin') total = event.total
      if (event.type === 'testEnd') endedTests.add(event.id)
      const isOwn = (pid: number) => tree.members().some((member) => member.pid === pid)
      const server = event.type === 'begin' && findForeignServer(event.urls ?? [], places, isOwn)
      if (server)
        return fail(
          `${server.url} is not served by this project but by ${server.holder}, which ran already; its tests would have been run on that`,
          'Stop that server, or let the tests use another port; then call again.',
        )
      if (endedTests.size < total || event.type === 'finish') return undefined
      timer = startTimer(SILENCE_MS, () => {
        const left = findLeft(tree)
        if (left === undefined) return
        fail(
          `The tests have ended, but Playwright Test waits for ${describeHolder(readHolder(left))}, which the command of the web server leaves running with its output open`,
          'Let webServer.command start the server itself, or let the server end with its parent: a run by hand does not end either.',
        )
      })
      return undefined
    },
    end() {
      timer.stop()
      return failure
    },
  }
}

// --- internal ---

/** A process whose parent is none of the run, besides Playwright Test itself. */
function findLeft(tree: ProcessTree): number | undefined {
  const members = tree.members()
  const pids = new Set(members.map(({ pid }) => pid))
  const isLeft = (pid: number, parent: number) =>
    !pids.has(parent) && parent !== process.pid && readOutputs(pid).length > 0
  return members.find(({ pid, parent }) => isLeft(pid, parent))?.pid
}
