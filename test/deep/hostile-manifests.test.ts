// The manifest of an extension is anything: it is read or refused, quickly, and none that Chromium may read with a refused right is loaded.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import fc from 'fast-check'
import { parse } from 'jsonc-parser'
import { createFiles } from '../../src/core/base/files/session-files.ts'
import { findExtensionDenial, prepareProfile } from '../../src/features/extension/load-extension.ts'
import { describeExtension, readExtension } from '../../src/features/extension/read-extension.ts'
import { hostileBytes, nearTo } from '../support/hostile-json.ts'

const CASES = 10_000
const LIMIT_MS = 1000

let [top, folder, profile]: [string, string, string] = ['', '', '']
const program = process.cwd()
beforeAll(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'fl-manifests-')))
  folder = join(top, 'project', 'extension')
  profile = join(top, 'profile')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(top, 'diary.json'), '{"name":"the words of a diary"}')
  process.chdir(join(top, 'project'))
})
afterAll(() => {
  process.chdir(program)
  rmSync(top, { recursive: true, force: true })
})

const manifests = nearTo(
  {
    ...{ manifest_version: 3, name: 'Counter', version: '1.0', key: 'AAAA' },
    permissions: ['tabs', 'proxy', { debugger: {} }],
    action: { default_popup: 'popup.html' },
    options_ui: { page: 'options.html' },
  },
  { manifest_version: 3, name: 'a', version: '1', optional_permissions: ['nativeMessaging'] },
  { manifest_version: 3, name: 'a', version: '1', permissions: ['storage'], options_page: 'http://[' },
  { manifest_version: 2, name: 'a', version: '1', app: { background: { scripts: ['a.js'] } } },
  { manifest_version: 3, name: 'a', version: '1', side_panel: { default_path: '//x' }, devtools_page: '\\' },
)
const refusedNames = ['proxy', 'debugger', 'nativeMessaging']
const permissionsOf = (value: unknown): unknown[] =>
  Array.isArray(value)
    ? value.flatMap((one) => (typeof one === 'object' && one !== null ? Object.keys(one) : [one]))
    : []

/** Whether somebody who is less strict about JSON than we are finds a refused right in it. */
function passesRules(bytes: Buffer): boolean {
  // Chromium reads at most 200 levels, and this parser has no limit of its own.
  if (bytes.toString('latin1').split(/[[{]/).length > 1000) return false
  const manifest: any = parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  if (typeof manifest !== 'object' || manifest === null) return false
  const names = ['permissions', 'optional_permissions'].flatMap((key) => permissionsOf(manifest[key]))
  return 'app' in manifest || names.some((name) => refusedNames.includes(name as string))
}

/** Puts a manifest in its place, or what is none. Answers whether somebody can read the bytes there. */
type Place = (path: string, bytes: Buffer) => boolean
const here: Place = (path, bytes) => {
  writeFileSync(path, bytes)
  return true
}
const not =
  (put: (path: string) => unknown): Place =>
  (path) => {
    put(path)
    return false
  }
const place: fc.Arbitrary<Place> = fc.constantFrom<Place[]>(
  ...Array.from({ length: 20 }, () => here),
  not((path) => mkdirSync(path)),
  not((path) => symlinkSync(join(top, 'diary.json'), path)),
  not((path) => symlinkSync('/dev/zero', path)),
  not((path) => symlinkSync(path, path)),
  (path, bytes) => here(path, Buffer.concat([bytes, Buffer.alloc(1_000_001, ' ')])),
)

test('any manifest is read or refused, and no refused right passes', async () => {
  const files = createFiles(join(top, 'project', '.footlight'))
  const path = join(folder, 'manifest.json')
  await fc.assert(
    fc.asyncProperty(place, hostileBytes(manifests), async (write, bytes) => {
      rmSync(path, { recursive: true, force: true })
      const passes = write(path, bytes) && passesRules(bytes)
      const before = process.cpuUsage()
      const read = await readExtension('extension', undefined, files)
      const denial = findExtensionDenial(folder, { isGuarded: true })
      // Whatever it was at first: it may be another one once it is loaded again.
      if (passes) expect(denial?.code).toBe('ACCESS_DENIED')
      if (read.ok) {
        expect(describeExtension(read.value, 'a'.repeat(32)).length).toBeLessThan(5000)
        prepareProfile(profile, folder)
      }
      expect(JSON.stringify([read, denial])).not.toContain('the words of a diary')
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1000).toBeLessThan(LIMIT_MS)
    }),
    { numRuns: CASES, endOnFailure: true },
  )
  expect(readdirSync(top).toSorted()).toEqual(['diary.json', 'profile', 'project'])
  expect(readdirSync(join(top, 'project'))).toEqual(['extension'])
}, 900_000)
