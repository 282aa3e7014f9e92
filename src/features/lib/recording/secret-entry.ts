import type { RecordedAction } from '../../../core/sessions/types/recorded-step.ts'

export const isSecretEntry = (action: RecordedAction): boolean =>
  (action.kind === 'type' && (action.element?.isSecret ?? action.isSecret ?? false)) ||
  (action.kind === 'fill' && action.element.isSecret)
