// What the executable is made of, as CycloneDX 1.6: the packages that package.json's dependencies reach by bun.lock, and Bun.

import { createHash } from 'node:crypto'
import { componentOf, purl, type Licences } from './component.ts'
import { closure, type Lock } from './lock.ts'
import { description, license, repository, version } from './project.ts'

const own = purl('footlight', version)

/** The document; it has no date, so it is the same each time. `licences` answers what a package's own package.json says. */
export function sbom(lock: Lock, licences: Licences): Record<string, unknown> {
  const packages = [...closure(lock)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, found]) => found)
  const bun = lock.packages['bun']
  const all = bun
    ? [...packages, { place: 'bun', name: 'bun', id: bun[0], integrity: bun[3] ?? '', needs: [] }]
    : packages
  const unique = [...new Map(all.map((found) => [found.id, found])).values()]
  const body = {
    metadata: {
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'footlight',
        version,
        description,
        purl: own,
        licenses: [{ license: { id: license } }],
        externalReferences: [{ type: 'vcs', url: `${repository}.git` }],
      },
    },
    components: unique.map((found) => componentOf(found, licences)),
    dependencies: [
      { ref: own, dependsOn: direct(lock, unique).sort() },
      ...unique.map(({ id, needs }) => ({
        ref: refOf(id),
        dependsOn: [...new Set(needs.map(refOf))].sort(),
      })),
    ],
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serial(JSON.stringify(body)),
    version: 1,
    ...body,
  }
}

function direct(lock: Lock, known: readonly { id: string; name: string }[]): string[] {
  const names = [...Object.keys(lock.workspaces['']?.dependencies ?? {}), 'bun']
  const ids = names.flatMap((name) => lock.packages[name]?.[0] ?? [])
  return ids.filter((id) => known.some((one) => one.id === id)).map(refOf)
}

function refOf(id: string): string {
  const at = id.lastIndexOf('@')
  return purl(id.slice(0, at), id.slice(at + 1))
}

// A UUID (version 8, free form) from the contents.
function serial(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
