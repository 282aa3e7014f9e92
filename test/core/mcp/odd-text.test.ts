// Names, paths, URLs and selectors with control characters or lone surrogates are refused, with the name of the field. The fields are read
// from the schemas, so that none is forgotten.

import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { failureRecordOf } from '../../../src/core/mcp/answers/failure-text.ts'
import { parseInput } from '../../../src/core/mcp/calls/parse-input.ts'
import { fieldsOf, oddText } from '../../support/text-fields.ts'

/** Text that is typed, stored, searched for, looked up or run may have all characters. */
const ANY_TEXT =
  /sessionId$|\.(text|textGone|script|promptText|pattern|values\[\]|fields\[\]\.value(\[\])?)$|^wait_for\.(url|value|aria)$|^storage_state\.value$|^create_session\.(name|initScript|storageState.*)$/
/** Arguments of a program may have all characters except NUL and lone surrogates. */
const ARGUMENT = /^(?:create_session|compare|run_test)\.(command(\[\])?|args\[\]|env\{(key)?\})$/

const fields = fieldsOf()
const strict = fields.filter(({ path }) => !ANY_TEXT.test(path))

test('the fields are found', () => {
  const paths = fields.map(({ path }) => path)
  for (const path of ['navigate.url', 'create_session.cwd', 'create_session.env{}', 'upload_file.paths[]'])
    expect(paths).toContain(path)
  expect(strict.length).toBeGreaterThan(40)
})

test.each(strict)('$path refuses what it cannot be', ({ path, tool, inputWith }) => {
  fc.assert(
    fc.property(oddText, (text) => {
      const result = parseInput(tool, inputWith(text))
      const isAccepted = ARGUMENT.test(path) && !/[\0\p{Cs}]/u.test(text)
      if (isAccepted) return expect(result.ok).toBe(true)
      if (result.ok) throw new Error(`took ${JSON.stringify(text)}`)
      const { errorCode, message, details } = failureRecordOf(result.error, 1)
      expect(errorCode).toBe('INVALID_PARAMETERS')
      expect(String(details['field'])).toStartWith(path.replace(/^\w+\./, '').split(/[[{]/)[0] ?? '')
      // Invisible characters are escaped.
      expect(message).not.toMatch(/[\p{Cc}\p{Cs}]/u)
    }),
    { numRuns: 30 },
  )
})

test('ordinary text of any language, long or over several lines, is taken', () => {
  const long = 'ä€😀 \t\n'.repeat(100_000)
  const rows: [tool: string, input: Record<string, unknown>][] = [
    ['navigate', { url: `http://localhost/${long}` }],
    ['click', { selector: 'text=Öffnen 😀 >>\n nth=0' }],
    ['upload_file', { selector: 'a', paths: ['größe/文件 1.txt'] }],
    ['create_session', { command: 'export A=1\n\tnpm run dev', env: { GREETING: 'a\u001b[1mb' } }],
    ['emulate', { headers: { 'X-Own_1': 'a\tb é' } }],
  ]
  for (const [name, input] of rows) {
    const { tool } = fields.find((field) => field.tool.name === name) ?? {}
    const session = name === 'create_session' ? {} : { sessionId: 's' }
    expect(tool && parseInput(tool, { ...session, ...input })).toMatchObject({ ok: true })
  }
})
