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
