import type { ActionWatch } from './action-watch.ts'

/** Reports how a person answers dialogs, in Firefox, where nothing else says so. */
export function watchDialogs(watch: ActionWatch): void {
  if (!('mozInnerScreenX' in window)) return
  const opens: Record<string, (...args: unknown[]) => unknown> = window as never
  for (const name of ['alert', 'confirm', 'prompt']) {
    const open = opens[name]
    opens[name] = (...args) => {
      const answer = open?.apply(window, args)
      const promptText = typeof answer === 'string' ? { promptText: answer } : {}
      watch.report({ kind: 'dialog', accept: answer !== false && answer !== null, ...promptText })
      return answer
    }
  }
}
