// The parts of bun.lock that an SBOM needs.

export interface Lock {
  readonly workspaces: Readonly<Record<string, { readonly dependencies?: Names }>>
  /** By place: a name, or the place of a package and a name below it. Values: id, tarball, dependencies, integrity. */
  readonly packages: Readonly<Record<string, readonly [string, string?, Needs?, string?]>>
}

type Names = Readonly<Record<string, string>>

interface Needs {
  readonly dependencies?: Names
  readonly optionalDependencies?: Names
}

export interface Locked {
  /** Its key in bun.lock: its name, below the names of the packages that contain it. */
  readonly place: string
  readonly name: string
  /** name@version */
  readonly id: string
  readonly integrity: string
  /** The ids of its direct dependencies. */
  readonly needs: readonly string[]
}

/** Every direct and transitive dependency of the workspace, by place. */
export function collectPackages({ workspaces, packages }: Lock): Map<string, Locked> {
  const lockedByPlace = new Map<string, Locked>()
  const addPackage = (place: string): void => {
    const locked = packages[place]
    if (!locked || lockedByPlace.has(place)) return
    const [id, , { dependencies = {}, optionalDependencies = {} } = {}, integrity = ''] = locked
    const places = Object.keys({ ...dependencies, ...optionalDependencies }).flatMap(
      (name) => resolve(place, name) ?? [],
    )
    const needs = places.flatMap((candidate) => packages[candidate]?.[0] ?? [])
    lockedByPlace.set(place, { place, name: id.slice(0, id.lastIndexOf('@')), id, integrity, needs })
    places.forEach(addPackage)
  }
  // As in node_modules: below the package itself, then below each parent.
  const resolve = (place: string, name: string): string | undefined => {
    for (let ancestor = place; ; ancestor = parentOf(ancestor)) {
      const candidate = ancestor === '' ? name : `${ancestor}/${name}`
      if (packages[candidate]) return candidate
      if (ancestor === '') return undefined
    }
  }
  Object.keys(workspaces['']?.dependencies ?? {}).forEach(addPackage)
  return lockedByPlace
}

// "a/@s/b" is b of scope s below a.
function parentOf(place: string): string {
  const parts = place.split('/')
  const nameParts = parts.at(-2)?.startsWith('@') ? 2 : 1
  return parts.slice(0, -nameParts).join('/')
}
