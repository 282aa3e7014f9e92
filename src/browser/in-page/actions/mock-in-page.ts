import type { PacedEvent } from '../../../core/network/event-stream.ts'

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

/** Refuses new service workers, and leaves the one that controls this document: it would answer requests before a mock does. Runs before
 * the scripts of the page. */
export function blockServiceWorkers(): void {
  const container = (window as Partial<Pick<typeof globalThis, 'ServiceWorkerContainer'>>)
    .ServiceWorkerContainer?.prototype
  if (!container) return
  container.register = () =>
    Promise.reject(new DOMException('Service workers are blocked while requests are mocked', 'SecurityError'))
  try {
    if (!navigator.serviceWorker?.controller) return
    window.stop()
    void navigator.serviceWorker
      .getRegistrations()
      .then((registrations) => Promise.all(registrations.map((registration) => registration.unregister())))
      .then(() => location.reload())
  } catch {
    // A sandboxed frame has none.
  }
}

/** Replaces the random numbers of the page by those of a seed (Mulberry32). Runs before the scripts of the page. */
export function seedRandom(seed: number): void {
  let state = seed >>> 0

  function nextUint32(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = state
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return (bits ^ (bits >>> 14)) >>> 0
  }

  const originalFill = crypto.getRandomValues.bind(crypto)

  function fillRandom<T extends ArrayBufferView<ArrayBuffer>>(array: T): T {
    // Fails for the arrays that the original refuses.
    originalFill(array)
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = nextUint32() & 0xff
    return array
  }

  function createUuid(): string {
    const bytes = [...fillRandom(new Uint8Array(16))]
    bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
    bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
    const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }

  Math.random = () => nextUint32() / 0x1_0000_0000
  Crypto.prototype.getRandomValues = fillRandom as Crypto['getRandomValues']
  // Pages without a secure origin have no UUIDs.
  if ('randomUUID' in Crypto.prototype)
    Crypto.prototype.randomUUID = createUuid as () => ReturnType<Crypto['randomUUID']>
}

/** Unregisters the service workers of the document. Returns whether one controls it, which it does until the document is replaced. */
export async function unregisterServiceWorkers(): Promise<boolean> {
  try {
    const registrations = await navigator.serviceWorker?.getRegistrations()
    await Promise.all((registrations ?? []).map((registration) => registration.unregister()))
    return Boolean(navigator.serviceWorker?.controller)
  } catch {
    // A sandboxed frame has none.
    return false
  }
}
