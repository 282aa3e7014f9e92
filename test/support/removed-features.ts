import { features } from '../../src/features/index.ts'

/** A feature and those that build on it, which go with it. */
export function removedWith(name: string): ReadonlySet<string> {
  const names = new Set([name])
  for (let size = 0; size !== names.size;) {
    size = names.size
    for (const feature of features)
      if (feature.after?.some((other) => names.has(other))) names.add(feature.name)
  }
  return names
}
