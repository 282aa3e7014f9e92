import type { OnState, ViewCalls } from './server-calls.ts'
import type { ViewAnswer } from './view-answers.ts'

/** The calls of the page where it is an MCP App: its host passes them on. */
export function createHostCalls(onState: OnState): ViewCalls {
  const pending = new Map<number, (result: { structuredContent?: ViewAnswer } | undefined) => void>()
  let lastId = 0
  const post = (message: object) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const request = (method: string, params: object) => {
    const id = (lastId += 1)
    post({ id, method, params })
    return new Promise<{ structuredContent?: ViewAnswer } | undefined>((resolve) => pending.set(id, resolve))
  }
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || data?.jsonrpc !== '2.0') return
    if (data.method !== undefined)
      return data.id === undefined ? undefined : post({ id: data.id, result: {} })
    pending.get(data.id)?.(data.result)
    pending.delete(data.id)
  })
  // The base of its links may be the address of the host.
  document.addEventListener('click', (event) => {
    const link = (event.target as Element).closest('a[href^="#"]')
    if (!link) return
    event.preventDefault()
    location.hash = link.getAttribute('href') ?? ''
  })
  const start = request('ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name: 'footlight', version: '1' },
    appCapabilities: {},
  }).then(() => {
    post({ method: 'ui/notifications/initialized', params: {} })
    const { documentElement: root } = document
    const sendSize = () =>
      post({
        method: 'ui/notifications/size-changed',
        params: { width: root.scrollWidth, height: root.getBoundingClientRect().height },
      })
    new ResizeObserver(sendSize).observe(root)
  })
  return {
    enter: async () => true,
    async call(server, method, params, signal) {
      await start
      const abort = new Promise<undefined>((resolve) =>
        signal?.addEventListener('abort', () => resolve(undefined)),
      )
      const call = request('tools/call', { name: 'view', arguments: { server, method, params } })
      const answer = (await Promise.race([call, abort]))?.structuredContent
      if (!signal?.aborted) onState(answer ? 'signedIn' : 'unreachable')
      return answer ?? { ok: false, text: '' }
    },
  }
}
