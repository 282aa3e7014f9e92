// What package managers and registries get, checked by their own schemas where those are packages. The executables are stand-ins.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { manifest } from '../../scripts/release/bundle.ts'
import { version } from '../../scripts/release/project.ts'
import { program, slug, targets } from '../../scripts/release/targets.ts'
import { defaultTools } from '../../src/core/cli/tools/catalogue.ts'
import { type Fetched, install } from '../support/npm.ts'
import { serverSchema } from './server-schema.ts'
import { checker, lines, parsed, release, root, type Scratch, scratch, standIns, sumsOf } from './support.ts'

let ground: Scratch
let out: string
let schemas: Fetched

beforeAll(() => {
  ground = scratch()
  out = join(ground.folder, 'out')
  const ran = release(['--all', '--dist', standIns(ground.folder), '--out', out])
  expect([ran.status, ran.stderr]).toEqual([0, ''])
  schemas = install('@anthropic-ai/mcpb@2.1.2', '@cyclonedx/cyclonedx-library@10.3.0')
}, 300_000)
afterAll(() => {
  ground.remove()
  schemas.remove()
})

const at = (file: string): string => join(out, file)

describe('the formula', () => {
  test('has each archive of macOS and of Linux with glibc, with its sum', () => {
    const text = readFileSync(at('footlight.rb'), 'utf8')
    const sums = sumsOf(out)
    const found = [...text.matchAll(/url ".*\/v(.*)\/(.*)"\n\s+sha256 "(.*)"/g)].map(([, ...rest]) => rest)
    expect(found).toEqual(
      ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'].map((name) => {
        const file = `footlight-v${version}-${name}.tar.gz`
        return [version, file, sums[file]!]
      }),
    )
    expect(/desc "(.*)"/.exec(text)?.[1]?.length).toBeLessThanOrEqual(80)
  })

  test.skipIf(!Bun.which('ruby'))('is Ruby (skipped where ruby is not installed)', () => {
    expect(lines('ruby', '-c', at('footlight.rb'))).toEqual(['Syntax OK'])
  })
})

test('server.json is as the registry wants it, and its sums are those of the bundles', () => {
  const server = parsed(at('server.json'))
  expect(v.safeParse(serverSchema, server).issues).toBeUndefined()
  const sums = sumsOf(out)
  const bundles = server.packages.filter(({ registryType }: any) => registryType === 'mcpb')
  expect(bundles).toHaveLength(targets.length)
  for (const { identifier, fileSha256 } of bundles)
    expect(fileSha256).toBe(sums[identifier.split('/').at(-1)]!)
  const refused = [
    { ...server, version: '^0.1.0' },
    { ...server, description: 'x'.repeat(101) },
    { ...server, packages: [{ ...bundles[0], fileSha256: 'none' }] },
  ]
  for (const bad of refused) expect(v.is(serverSchema, bad)).toBe(false)
})

test('each bundle is valid for its own validator, and starts what is in it', () => {
  const cli = join(schemas.folder, 'node_modules/@anthropic-ai/mcpb')
  const schema = parsed(join(cli, 'schemas/mcpb-manifest-v0.3.schema.json'))
  const valid = checker().compile(schema)
  for (const target of targets) {
    const file = at(`footlight-v${version}-${slug(target)}.mcpb`)
    const entry = `server/${program(target)}`
    expect(lines('unzip', '-Z1', file)).toEqual([
      'LICENSE',
      'README.md',
      'THIRD_PARTY_NOTICES.md',
      'icon.png',
      'manifest.json',
      entry,
    ])
    expect(lines('unzip', '-Z', file, entry).join()).toMatch(/^-rwxr-xr-x /)
    const inside = JSON.parse(lines('unzip', '-p', file, 'manifest.json').join('\n'))
    expect(valid(inside) || valid.errors).toBe(true)
    expect(inside.server.mcp_config.command).toBe(`\${__dirname}/${entry}`)
    expect(inside.privacy_policies).toEqual([expect.stringMatching(/^https:.*SECURITY\.md#privacy$/)])
    expect(inside.compatibility.platforms).toEqual([target.platform])
  }
  expect(valid({ ...manifest(targets[0]!), server: { type: 'binary' } })).toBe(false)
  const unpacked = join(ground.folder, 'bundle')
  mkdirSync(unpacked)
  const first = at(`footlight-v${version}-${slug(targets[0]!)}.mcpb`)
  lines('unzip', '-q', first, '-d', unpacked)
  const said = lines('node', join(cli, 'dist/cli/cli.js'), 'validate', join(unpacked, 'manifest.json'))
  expect(said.join('\n')).toContain('Manifest schema validation passes')
  expect(manifest(targets[0]!)['tools']).toHaveLength(defaultTools.length)
})

test('the manifest of Scoop and those of winget name the archive of Windows and its sum', () => {
  const file = `footlight-v${version}-windows-x64.zip`
  const sum = sumsOf(out)[file] ?? ''
  const url = expect.stringMatching(new RegExp(`^https://.*/v${version}/${file}$`))
  const scoop = parsed(at('footlight.json'))
  expect(scoop.architecture).toEqual({ '64bit': { url, hash: sum } })
  expect(scoop.bin).toBe('footlight.exe')
  expect(scoop.autoupdate.architecture['64bit'].url).toEndWith(
    '/v$version/footlight-v$version-windows-x64.zip',
  )
  const read = (name: string): any =>
    Bun.YAML.parse(readFileSync(at(`Footlight.Footlight${name}.yaml`), 'utf8'))
  const kinds = { '': 'version', '.installer': 'installer', '.locale.en-US': 'defaultLocale' }
  for (const [name, kind] of Object.entries(kinds))
    expect(read(name)).toMatchObject({
      PackageIdentifier: 'Footlight.Footlight',
      PackageVersion: version,
      ManifestType: kind,
      ManifestVersion: '1.10.0',
    })
  expect(read('.installer')).toMatchObject({
    InstallerType: 'zip',
    NestedInstallerFiles: [{ RelativeFilePath: 'footlight.exe' }],
    Installers: [{ Architecture: 'x64', InstallerUrl: url, InstallerSha256: sum.toUpperCase() }],
  })
  for (const field of ['PackageLocale', 'Publisher', 'PackageName', 'License', 'ShortDescription'])
    expect(read('.locale.en-US')[field]).toBeString()
})

test('npm packages have no scripts, and say for which machine they are', () => {
  const read = (file: string) =>
    JSON.parse(lines('tar', '-xOf', at(`npm/${file}`), 'package/package.json').join('\n'))
  const launcher = read(`footlight-${version}.tgz`)
  expect(launcher.mcpName).toBe(parsed(at('server.json')).name)
  const names = targets.map((target) => `@footlight/${slug(target)}`)
  expect(launcher.optionalDependencies).toEqual(Object.fromEntries(names.map((name) => [name, version])))
  for (const target of targets) {
    const { name, os, cpu, libc } = read(`footlight-${slug(target)}-${version}.tgz`)
    expect([name, os, cpu]).toEqual([`@footlight/${slug(target)}`, [target.platform], [target.arch]])
    expect(libc).toEqual(target.libc && [target.libc])
  }
  const all = readdirSync(at('npm')).map(read)
  expect(all.filter((pack) => 'scripts' in pack || 'dependencies' in pack)).toEqual([])
})

test('the bill of materials is CycloneDX, and lists what the executable is made of', () => {
  const folder = join(schemas.folder, 'node_modules/@cyclonedx/cyclonedx-library/res/schema')
  const ajv = checker()
  for (const name of ['spdx', 'jsf-0.82']) {
    const file = `${name}.SNAPSHOT.schema.json`
    ajv.addSchema(parsed(join(folder, file)), `http://cyclonedx.org/schema/${file}`)
  }
  const valid = ajv.compile(parsed(join(folder, 'bom-1.6.SNAPSHOT.schema.json')))
  const bom = parsed(at(`footlight-v${version}.cdx.json`))
  expect(valid(bom) || valid.errors).toBe(true)
  expect(valid({ ...bom, components: [{ name: 'x' }] })).toBe(false)
  const { dependencies } = parsed(join(root, 'package.json'))
  const direct = Object.entries(dependencies).map(([name, of]) => `pkg:npm/${name.replace('@', '%40')}@${of}`)
  const refs = bom.components.map((component: any) => component['bom-ref'])
  expect(refs).toEqual(expect.arrayContaining(direct))
  expect(refs.some((ref: string) => /fast-check|deno|tar-stream/.test(ref))).toBe(false)
  expect(new Set(refs).size).toBe(refs.length)
  for (const { dependsOn } of bom.dependencies) expect(refs).toEqual(expect.arrayContaining(dependsOn))
  const bare = bom.components.filter(({ licenses, hashes }: any) => !licenses || !hashes)
  expect(bare.map(({ name }: any) => name)).toEqual([])
})
