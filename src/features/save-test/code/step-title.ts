// What a part of a test, or the test as a whole, is called.

import { clip, normalizeSpace } from '../../../core/base/text/clip.ts'
import type { RecordedAction, RecordedStep } from '../../../core/sessions/types/recorded-step.ts'
import { isStepOfUser } from './divide-steps.ts'

/** What the last action of the user does, such as `Sign in` or `Fill in Email`. */
export function describeSteps(steps: readonly RecordedStep[]): string {
  const action = steps.findLast(isStepOfUser)?.action
  return action ? clip(upperFirst(normalizeSpace(describe(action))), TITLE_LIMIT_CHARS) : 'Check the page'
}

// --- internal ---

const TITLE_LIMIT_CHARS = 60

function describe(action: RecordedAction): string {
  const name = 'element' in action ? (action.element?.name.trim() ?? '') : ''
  switch (action.kind) {
    case 'navigate':
      return `open ${pathnameOf(action.url)}`
    case 'openTab':
      return 'open a tab'
    case 'click':
      return name || 'click'
    case 'type':
    case 'fill':
    case 'select':
      return `fill in ${name}`
    case 'press':
      return `press ${action.key}`
    case 'upload':
      return `upload ${action.paths.map(baseName).join(', ')}`
    case 'history':
      return { back: 'go back', forward: 'go forward', reload: 'reload the page' }[action.direction]
    default:
      return `${action.kind} ${name}`
  }
}

const baseName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path

const pathnameOf = (url: string): string => /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] || '/'

const upperFirst = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)
