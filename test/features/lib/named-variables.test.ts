import { expect, test } from 'bun:test'
import {
  declareProcess,
  neededLine,
  readNamed,
  readNeeded,
} from '../../../src/features/lib/test-files/named-variables.ts'

test('the variables that a file reads, and those that it says that it needs', () => {
  const [header = ''] = neededLine(['PASSWORD', 'API_KEY'])
  const text = `${header}
    import { test } from '@playwright/test'
    // process.env.COMMENT
    const { USER_NAME, PORT: port = '3' } = process.env
    page.fill(process.env.PASSWORD!); page.fill(process.env['OTHER'] ?? "process.env.STRING")
    page.fill(\`a \${process.env.IN_TEMPLATE}\`)`
  expect(readNeeded(text)).toEqual(['PASSWORD', 'API_KEY'])
  expect(readNamed(text).toSorted()).toEqual(
    ['PASSWORD', 'API_KEY', 'USER_NAME', 'PORT', 'OTHER', 'IN_TEMPLATE'].toSorted(),
  )
  expect([neededLine([]), readNeeded('// nothing'), readNamed('')]).toEqual([[], [], []])
})

test('a declaration for a type checker', () => {
  expect(declareProcess(['CI', 'a-b'])).toBe(
    "declare const process: { env: { CI?: string; 'a-b'?: string } };",
  )
})
