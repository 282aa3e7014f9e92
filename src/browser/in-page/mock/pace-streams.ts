import type { PacedEvent } from '../../../core/mock/event-stream.ts'

/** Gives the page the events of a mock one after the other: `fetch` and `EventSource` get them as one event of the name `eventsName`. Runs
 * before the scripts of the page; a second time it does nothing. */
export function paceStreams(eventsName: string): void {
  const key = Symbol.for(eventsName)
  const realm = window as unknown as Record<symbol, boolean>
  if (realm[key]) return
  realm[key] = true
  const setTimer = window.setTimeout.bind(window)
  const encoder = new TextEncoder()
  const prefix = `event: ${eventsName}\ndata: `

  const wait = (ms: number) => new Promise<void>((resolve) => void setTimer(resolve, ms))

  function paceBody(events: readonly PacedEvent[], signal: AbortSignal | undefined): ReadableStream {
    let isCancelled = false
    return new ReadableStream({
      async start(controller) {
        signal?.addEventListener('abort', () => {
          isCancelled = true
          controller.error(signal.reason)
        })
        for (const { delay, text } of events) {
          if (delay > 0) await wait(delay)
          if (isCancelled) return
          controller.enqueue(encoder.encode(text))
        }
        controller.close()
      },
      cancel: () => void (isCancelled = true),
    })
  }

  async function paceResponse(response: Response, signal: AbortSignal | undefined): Promise<Response> {
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response
    const text = await response.clone().text()
    if (!text.startsWith(prefix)) return response
    const body = paceBody(JSON.parse(text.slice(prefix.length)) as PacedEvent[], signal)
    const { status, statusText, headers, url, type, redirected } = response
    const pacedResponse = new Response(body, { status, statusText, headers })
    for (const [name, value] of Object.entries({ url, type, redirected }))
      Object.defineProperty(pacedResponse, name, { value })
    return pacedResponse
  }

  function paceSource(source: EventSource): EventSource {
    let isPaced = false
    const end = () => {
      isPaced = false
      Reflect.deleteProperty(source, 'readyState')
    }
    source.addEventListener(
      'error',
      (event) => isPaced && event.isTrusted && event.stopImmediatePropagation(),
    )
    source.addEventListener(eventsName, (carrier) => {
      isPaced = true
      Object.defineProperty(source, 'readyState', { value: source.OPEN, configurable: true })
      void deliver(JSON.parse(carrier.data as string) as PacedEvent[], carrier.origin)
    })
    async function deliver(events: readonly PacedEvent[], origin: string): Promise<void> {
      for (const { delay, event, data, id } of events) {
        if (delay > 0) await wait(delay)
        if (!isPaced) return
        source.dispatchEvent(new MessageEvent(event, { data, lastEventId: id, origin }))
      }
      end()
      source.dispatchEvent(new Event('error'))
    }
    const close = source.close.bind(source)
    source.close = () => {
      end()
      close()
    }
    return source
  }

  window.fetch = new Proxy(window.fetch, {
    async apply(target, self, args: Parameters<typeof fetch>) {
      const response = (await Reflect.apply(target, self, args)) as Response
      const [resource, options] = args
      return paceResponse(
        response,
        options?.signal ?? (resource instanceof Request ? resource.signal : undefined),
      )
    },
  })
  window.EventSource = new Proxy(window.EventSource, {
    construct: (target, args, newTarget) =>
      paceSource(Reflect.construct(target, args, newTarget) as EventSource),
  })
}
