// Fields and options of features, each in its place among those of the core.

interface Placed<E> {
  readonly before?: string
  readonly entries: Readonly<Record<string, E>>
}

/** All entries in order. Those without a place, or without the entry before which they stand, stand before `end` if there is such an entry. */
export function placeEntries<E>(all: readonly Placed<E>[], end = ''): Record<string, E> {
  const placed: [string, E][] = []
  for (const { before = '', entries } of all) {
    const indexOf = (name: string) => placed.findIndex(([other]) => other === name)
    const index = [indexOf(before), indexOf(end), placed.length].find((place) => place >= 0)
    placed.splice(index ?? 0, 0, ...Object.entries(entries))
  }
  return Object.fromEntries(placed)
}
