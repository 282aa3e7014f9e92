import type { CallServer, ViewAnswer } from './view-answers.ts'

export type OnState = (state: 'signedIn' | 'signedOut' | 'unreachable') => void

export interface ViewCalls {
  /** Trades a token for a cookie. */
  enter(token: string): Promise<unknown>
  readonly call: CallServer
}

/** The calls of the page at its own server. `onState` gets what the last one has shown. */
export function createServerCalls(onState: OnState): ViewCalls {
  const post = (action: string, body: object, signal?: AbortSignal) =>
    fetch(`${location.pathname}/${action}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    })
  return {
    enter: (token) => post('enter', { token }).catch(() => {}),
    async call(server, method, params, signal) {
      try {
        const response = await post('api', { server, method, params }, signal)
        onState(response.status === 401 ? 'signedOut' : 'signedIn')
        if (response.ok) return (await response.json()) as ViewAnswer
        return { ok: false, text: `The server refused this (${response.status}).` }
      } catch {
        if (!signal?.aborted) onState('unreachable')
        return { ok: false, text: '' }
      }
    },
  }
}
