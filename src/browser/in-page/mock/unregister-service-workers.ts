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
