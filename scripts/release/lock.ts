// bun.lock, as far as a bill of materials needs it.

export interface Lock {
  readonly workspaces: Readonly<Record<string, { readonly dependencies?: Names }>>
  /** By place: a name, or the place of a package and a name below it. Values: id, tarball, what it needs, integrity. */
  readonly packages: Readonly<Record<string, readonly [string, string?, Needs?, string?]>>
}

type Names = Readonly<Record<string, string>>

interface Needs {
  readonly dependencies?: Names
  readonly optionalDependencies?: Names
}

export interface Locked {
  /** Where it is in bun.lock: its name, below those of the packages that it lies in. */
  readonly place: string
  readonly name: string
  /** name@version */
  readonly id: string
  readonly integrity: string
  /** The ids that it needs itself. */
  readonly needs: readonly string[]
}

/** Every package that the workspace's dependencies reach, by place. */
export function closure({ workspaces, packages }: Lock): Map<string, Locked> {
  const found = new Map<string, Locked>()
  const request = (place: string): void => {
    const locked = packages[place]
    if (!locked || found.has(place)) return
    const [id, , { dependencies = {}, optionalDependencies = {} } = {}, integrity = ''] = locked
    const places = Object.keys({ ...dependencies, ...optionalDependencies }).flatMap(
      (name) => resolve(place, name) ?? [],
    )
    const needs = places.flatMap((at) => packages[at]?.[0] ?? [])
    found.set(place, { place, name: id.slice(0, id.lastIndexOf('@')), id, integrity, needs })
    places.forEach(request)
  }
  // As node_modules is searched: below the package itself, then below each one above it.
  const resolve = (place: string, name: string): string | undefined => {
    for (let above = place; ; above = parent(above)) {
      const at = above === '' ? name : `${above}/${name}`
      if (packages[at]) return at
      if (above === '') return undefined
    }
  }
  Object.keys(workspaces['']?.dependencies ?? {}).forEach(request)
  return found
}

// "a/@s/b" is b of scope s below a.
function parent(place: string): string {
  const parts = place.split('/')
  const last = parts.at(-2)?.startsWith('@') ? 2 : 1
  return parts.slice(0, -last).join('/')
}
