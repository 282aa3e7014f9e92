import { describe, expect, test } from 'bun:test'
import { type SandboxFacts, sandboxProblem } from '../../../../src/core/browser/process/sandbox.ts'

describe('the sandbox', () => {
  const facts: SandboxFacts = {
    platform: 'linux',
    isRoot: false,
    maxUserNamespaces: 100,
    unprivilegedUsernsClone: 1,
    apparmorRestrictUserns: 0,
    hasSetuidHelper: false,
  }
  test.each<[Partial<SandboxFacts>, string | undefined]>([
    [{}, undefined],
    [{ isRoot: true }, 'root'],
    [{ maxUserNamespaces: 0 }, 'user namespaces'],
    [{ unprivilegedUsernsClone: 0 }, 'user namespaces'],
    [{ apparmorRestrictUserns: 1 }, 'user namespaces'],
    [{ apparmorRestrictUserns: 1, hasSetuidHelper: true }, undefined],
    [{ platform: 'darwin', isRoot: true }, undefined],
  ])('%p: off because of %p', (more, words) => {
    const problem = sandboxProblem({ ...facts, ...more })
    if (words === undefined) expect(problem).toBeUndefined()
    if (words !== undefined) expect(problem).toContain(words)
  })
})
