import type { RecordedStep } from '../../recording/recorded-step.ts'
import { isSetting } from './divide-steps.ts'

/** How a dialog was answered. */
export interface DialogAnswer {
  readonly accept: boolean
  readonly promptText?: string
}

/** A step with the answers to the dialogs that it opened. */
export interface TestStep {
  readonly step: RecordedStep
  readonly dialogs: readonly DialogAnswer[]
}

/** Gives the answers to dialogs to the last action before them in the same tab, which opened them; they are answered while it runs. */
export function attachDialogs(steps: readonly RecordedStep[]): readonly TestStep[] {
  const attached: { step: RecordedStep; dialogs: DialogAnswer[] }[] = []
  for (const step of steps) {
    const { action, tab } = step
    const opener = attached.findLast((other) => other.step.tab === tab && !isPassive(other.step))
    if (action.kind === 'dialog' && opener) {
      const { accept, promptText } = action
      opener.dialogs.push({ accept, ...(promptText !== undefined && { promptText }) })
    } else attached.push({ step, dialogs: [] })
  }
  return attached
}

// --- internal ---

const isPassive = ({ action: { kind } }: RecordedStep): boolean =>
  kind === 'check' || kind === 'dialog' || isSetting(kind)
