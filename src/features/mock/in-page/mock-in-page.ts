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
