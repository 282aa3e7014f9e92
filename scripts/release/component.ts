import type { Locked } from './lock.ts'

/** Returns the licence of the package at a place in bun.lock, an SPDX id or expression; undefined if the package is not installed. */
export type Licences = (place: string, version: string) => string | undefined

/** A package URL; the @ of the scope is encoded as %40. */
export const purl = (name: string, version: string): string =>
  `pkg:npm/${name.replace('@', '%40')}@${version}`

export function componentOf(
  { place, name, id, integrity }: Locked,
  licences: Licences,
): Record<string, unknown> {
  const version = id.slice(id.lastIndexOf('@') + 1)
  const scope = name.startsWith('@') ? name.split('/')[0] : undefined
  const licence = licences(place, version)
  const sha512 = integrity.startsWith('sha512-') ? integrity.slice('sha512-'.length) : undefined
  return {
    type: name === 'bun' ? 'platform' : 'library',
    'bom-ref': purl(name, version),
    ...(scope && { group: scope }),
    name: scope ? name.slice(scope.length + 1) : name,
    version,
    ...(sha512 && { hashes: [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }] }),
    ...(licence && { licenses: licenceChoice(licence) }),
    purl: purl(name, version),
  }
}

const licenceChoice = (text: string): object[] =>
  /[ ()]/.test(text) ? [{ expression: text }] : [{ license: { id: text } }]
