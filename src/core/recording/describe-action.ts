import type { RecordedAction, RecordedElement } from './recorded-step.ts'

const LIMIT_CHARS = 160

/** An action in a few words, such as `click getByRole('button', { name: 'Send' })`, without what was entered. */
export function describeAction(action: RecordedAction): string {
  const { kind } = action
  const subject =
    kind === 'check'
      ? describeCheck(action)
      : kind === 'navigate'
        ? action.url
        : kind === 'press'
          ? [action.key, codeOf(action.element)].filter(Boolean).join(' ')
          : kind === 'other'
            ? action.tool
            : 'element' in action
              ? codeOf(action.element)
              : ''
  return [kind, subject].filter(Boolean).join(' ').slice(0, LIMIT_CHARS)
}

// --- internal ---

const codeOf = (element: RecordedElement | undefined): string => element?.locators[0]?.code ?? ''

function describeCheck({ check }: Extract<RecordedAction, { kind: 'check' }>): string {
  const { element, text, textGone, url } = check
  if (element) return codeOf(element)
  return JSON.stringify(text ?? textGone ?? url ?? 'aria')
}
