// The workflows cannot run here; they are at least YAML that names what exists.

import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pack from '../../package.json' with { type: 'json' }
import { root } from './support.ts'

const folder = join(root, '.github/workflows')

const files = [...readdirSync(folder).map((file) => join(folder, file)), join(root, 'deploy/ci/github.yml')]

test.each(files)('%s', (file) => {
  const text = readFileSync(file, 'utf8')
  const flow = Bun.YAML.parse(text) as any
  expect(Object.keys(flow)).toEqual(expect.arrayContaining(['name', 'on', 'permissions', 'jobs']))
  for (const job of Object.values<any>(flow.jobs)) {
    const needs: string[] = [job.needs ?? []].flat()
    expect(Object.keys(flow.jobs)).toEqual(expect.arrayContaining(needs))
    if (job.uses) {
      expect(existsSync(join(root, job.uses))).toBe(true)
      continue
    }
    expect(job['runs-on']).toBeString()
    for (const step of job.steps) {
      expect([step.uses ?? '', step.run ?? ''].filter(Boolean)).toHaveLength(1)
      // A tag can be moved to another commit; the comment beside it says which version the commit is.
      if (step.uses) expect(text).toMatch(new RegExp(`uses: ${step.uses} # v\\d+\\.\\d+\\.\\d+$`, 'm'))
      if (step.uses) expect(step.uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
      for (const [, script = ''] of (step.run ?? '').matchAll(/bun run (\S+)/g))
        expect(Object.keys(pack.scripts)).toContain(script)
      if (step.with?.['bun-version']) expect(step.with['bun-version']).toBe(pack.devDependencies.bun)
    }
  }
})
