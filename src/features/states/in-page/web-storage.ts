export interface WebStorageInput {
  readonly action: 'read' | 'set' | 'clear'
  readonly areas: readonly ('localStorage' | 'sessionStorage')[]
  readonly name?: string | undefined
  readonly value?: string | undefined
}

type Items = { name: string; value: string }[]

/** Reads, sets or clears items of the storage of the page's origin; the result has the items that were read, set or cleared. A page may
 * have no storage: `error` is the reason. */
export function changeWebStorage({ action, areas, name, value }: WebStorageInput) {
  const result: { localStorage: Items; sessionStorage: Items; error?: string } = {
    localStorage: [],
    sessionStorage: [],
  }
  try {
    for (const area of areas) {
      const storage = window[area]
      if (action === 'set' && name !== undefined) storage.setItem(name, value ?? '')
      const names = name === undefined ? Object.keys(storage) : [name]
      for (const key of names) {
        const item = storage.getItem(key)
        if (item === null) continue
        result[area].push({ name: key, value: item })
        if (action === 'clear') storage.removeItem(key)
      }
    }
  } catch (error) {
    result.error = String(error)
  }
  return result
}

/** The local storage of the page's origin, as Playwright saves it. */
export const readLocalStorage = () => ({
  origin: location.origin,
  localStorage: Object.entries(localStorage).map(([name, value]) => ({ name, value: String(value) })),
})

export const readSessionStorage = () => ({
  origin: location.origin,
  items: Object.entries(sessionStorage).map(([name, value]) => ({ name, value: String(value) })),
})

export function replaceSessionStorage(
  items: readonly { readonly name: string; readonly value: string }[],
): void {
  sessionStorage.clear()
  for (const { name, value } of items) sessionStorage.setItem(name, value)
}

/** Fills the session storage of a page of this origin, if it is empty. */
export function fillSessionStorage({
  origin,
  items,
}: {
  readonly origin: string
  readonly items: readonly { readonly name: string; readonly value: string }[]
}): void {
  if (window !== window.top || location.origin !== origin || sessionStorage.length > 0) return
  for (const { name, value } of items) sessionStorage.setItem(name, value)
}
