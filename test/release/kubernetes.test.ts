// The manifests of deploy/, against the schemas of Kubernetes that an npm package carries.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { optionNames } from '../../src/core/cli/options/option-list.ts'
import { variableNameOf } from '../../src/core/cli/options/option-names.ts'
import { type Fetched, install } from '../support/npm.ts'

const deploy = resolve(import.meta.dir, '../../deploy')
const read = (name: string): string => readFileSync(join(deploy, name), 'utf8')
const manifests = Bun.YAML.parse(read('kubernetes.yaml')) as any[]
const named = (kind: string, name: string) =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)

let models: Fetched
beforeAll(() => void (models = install('kubernetes-models@5.1.0')), 180_000)
afterAll(() => models.remove())

test.each(manifests.map((manifest) => [manifest.kind, manifest.metadata.name, manifest]))(
  'the schema of Kubernetes allows %s %s',
  async (kind, _, manifest) => {
    const path = join(models.folder, 'node_modules/kubernetes-models', manifest.apiVersion, `${kind}.js`)
    const { [kind]: Model } = await import(path)
    expect(() => new Model(manifest).validate()).not.toThrow()
  },
)

// The schemas allow any further field; the types do not.
test('no manifest has a field that Kubernetes does not know', () => {
  const source = manifests.map(
    ({ apiVersion, kind, ...rest }, index) =>
      `import type { I${kind} as I${index} } from 'kubernetes-models/${apiVersion}/${kind}'
export const m${index}: I${index} = ${JSON.stringify({ apiVersion, kind, ...rest })}`,
  )
  writeFileSync(join(models.folder, 'manifests.ts'), source.join('\n'))
  const compilerOptions = { strict: true, module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true }
  writeFileSync(
    join(models.folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { ...compilerOptions, noEmit: true, types: [] },
      files: ['manifests.ts'],
    }),
  )
  const { stdout, stderr } = spawnSync(process.execPath, ['check', '--no-script'], {
    cwd: models.folder,
    encoding: 'utf8',
  })
  expect(stdout + stderr).toContain('No type errors')
})

test('the variables are those of options, and a replica has the time to drain', () => {
  const { terminationGracePeriodSeconds, containers } = named('Deployment', 'footlight').spec.template.spec
  const env: { name: string; value?: string }[] = containers[0].env
  const known = ['FOOTLIGHT_TOKEN', ...optionNames.map(variableNameOf)]
  expect(env.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
  const drainTimeout = Number(env.find(({ name }) => name === 'FOOTLIGHT_DRAIN_TIMEOUT')?.value)
  expect(terminationGracePeriodSeconds * 1000).toBeGreaterThan(drainTimeout)
})

test('its HAProxy is configured as in haproxy.cfg, with the replicas of the service', () => {
  const config: string = named('ConfigMap', 'haproxy').data['haproxy.cfg']
  const withoutServers = (text: string) => text.replace(/^(#| {2}server).*\n/gm, '')
  expect(withoutServers(config)).toStartWith(withoutServers(read('haproxy.cfg')))
  const path = join(models.folder, 'haproxy.cfg')
  writeFileSync(path, config)
  const { status, stderr } = spawnSync(Bun.which('haproxy') ?? '/usr/sbin/haproxy', ['-c', '-f', path], {
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, expect.not.stringContaining('WARNING')])
})

test('the Grid of the chart has a place for each session of the replicas', () => {
  const { chromeNode } = Bun.YAML.parse(read('grid/values.yaml')) as any
  const { replicas, template } = named('Deployment', 'footlight').spec
  const limit = template.spec.containers[0].env.find(
    ({ name }: { name: string }) => name === 'FOOTLIGHT_MAX_SESSIONS',
  )
  expect(chromeNode.replicas * chromeNode.nodeMaxSessions).toBe(replicas * Number(limit.value))
})
