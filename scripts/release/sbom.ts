// The SBOM of the executable, as CycloneDX 1.6: the direct and transitive dependencies from bun.lock, and Bun.

import { createHash } from 'node:crypto'
import { componentOf, type Licences, purl } from './component.ts'
import { collectPackages, type Lock } from './lock.ts'
import { description, license, repository, version } from './project.ts'

const ownPurl = purl('footlight', version)

/** The document; it has no date, so that it is reproducible. `licences` returns the licence in the package.json of a package. */
export function sbom(lock: Lock, licences: Licences): Record<string, unknown> {
  const packages = [...collectPackages(lock)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, locked]) => locked)
  const bun = lock.packages['bun']
  const all = bun
    ? [...packages, { place: 'bun', name: 'bun', id: bun[0], integrity: bun[3] ?? '', needs: [] }]
    : packages
  const unique = [...new Map(all.map((locked) => [locked.id, locked])).values()]
  const body = {
    metadata: {
      component: {
        type: 'application',
        'bom-ref': ownPurl,
        name: 'footlight',
        version,
        description,
        purl: ownPurl,
        licenses: [{ license: { id: license } }],
        externalReferences: [{ type: 'vcs', url: `${repository}.git` }],
      },
    },
    components: unique.map((locked) => componentOf(locked, licences)),
    dependencies: [
      { ref: ownPurl, dependsOn: directDependencies(lock, unique).sort() },
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
    serialNumber: serialNumberOf(JSON.stringify(body)),
    version: 1,
    ...body,
  }
}

function directDependencies(lock: Lock, known: readonly { id: string; name: string }[]): string[] {
  const names = [...Object.keys(lock.workspaces['']?.dependencies ?? {}), 'bun']
  const ids = names.flatMap((name) => lock.packages[name]?.[0] ?? [])
  return ids.filter((id) => known.some((component) => component.id === id)).map(refOf)
}

function refOf(id: string): string {
  const at = id.lastIndexOf('@')
  return purl(id.slice(0, at), id.slice(at + 1))
}

// A UUID (version 8, custom) from a hash of the content.
function serialNumberOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
