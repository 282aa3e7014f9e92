import type { ProvenSteps } from './prove-test.ts'
import { describeAction } from '../../core/recording/describe-action.ts'
import { isActing } from '../../core/recording/prepare-steps.ts'
import type { RecordedStep } from '../../core/recording/recorded-step.ts'
import type { OwnedServer } from '../../runtime/ports/servers.ts'

interface ProofContext {
  /** How many of the first steps the recording no longer has. */
  readonly dropped: number
  readonly replays: number
  readonly statePath: string | undefined
  readonly server: OwnedServer | undefined
}

/** What the author of a test should know about it. */
export function describeProof(
  { steps, added, vacuous }: ProvenSteps,
  { dropped, replays, statePath, server }: ProofContext,
): readonly string[] {
  const others = [...new Set(steps.flatMap(({ action }) => (action.kind === 'other' ? [action.tool] : [])))]
  const hasChecks = steps.some(({ action }) => action.kind === 'check')
  const last = steps.findLastIndex((step) => isActing(step) && step.action.kind !== 'navigate')
  const lastAction = steps[last]?.action
  const isProven = steps
    .slice(last + 1)
    .some((step) => step.action.kind === 'check' && !vacuous.includes(step))
  const notes = [
    added.length > 0 && `Added checks of what changed: ${list(added)}.`,
    !hasChecks && 'It checks nothing: add a wait_for call for what should be seen, and save it again.',
    vacuous.length > 0 && `Held before the action too, so it proves little: ${list(vacuous)}.`,
    hasChecks &&
      lastAction &&
      !isProven &&
      `No check tells whether the last action (${describeAction(lastAction)}) still works: add a wait_for call for what it changes, and save it again.`,
    others.length > 0 && `Left out, because a test has no counterpart: ${others.join(', ')}.`,
    dropped > 0 && `The first ${dropped} actions are no longer recorded.`,
    server?.info().isOwned &&
      `The server was restarted ${replays > 1 ? 'before each replay' : 'before the replay'}.`,
    server && !server.info().isOwned && 'The server was not restarted: it was running before the session.',
    statePath !== undefined &&
      `It begins with the state in ${statePath}, which contains logins: keep it out of version control.`,
  ]
  return notes.filter((note) => typeof note === 'string')
}

// --- internal ---

const list = (steps: readonly RecordedStep[]): string =>
  steps.map(({ action }) => describeAction(action).replace(/^check /, '')).join(', ')
