import { describe, expect, test } from 'bun:test'
import { samples } from '../../../scripts/docs/samples.ts'
import type { Failure } from '../../../src/core/base/failure.ts'
import { ok } from '../../../src/core/base/result.ts'
import { everyTool } from '../../../src/core/cli/tools/catalogue.ts'
import { failureRecordOf } from '../../../src/core/mcp/answers/failure-text.ts'
import { failureResult, successResult } from '../../../src/core/mcp/answers/format-result.ts'
import type { CallToolResult } from '../../../src/features/lib/calls/save-images.ts'
import { formatAnswer, readAnswer } from '../../../src/features/shell/format-answer.ts'
import type { ShellCommand } from '../../../src/features/shell/parse-shell-command.ts'

const writeFile = (name: string) => Promise.resolve(ok({ path: `/files/${name}` }))

/** What a command prints of a result of this tool. */
async function print(toolName: string, result: CallToolResult, format: ShellCommand['format'] = 'text') {
  const tool = everyTool.find(({ name }) => name === toolName)
  if (!tool) throw new Error(toolName)
  const answer = await readAnswer(result, { tool, input: {} }, { writeFile })
  return formatAnswer(answer, { session: 'default', format }, toolName)
}
const success = (data: object, texts = {}, images: Parameters<typeof successResult>[0]['images'] = []) =>
  successResult({ data, images } as Parameters<typeof successResult>[0], texts)

const failures = Object.values(samples).map(({ example }): Failure => example)
const timeouts: readonly Failure[] = [
  { code: 'NAVIGATION_FAILED', url: 'http://a/', reason: 'timeout', waited: 5 },
  { code: 'SERVER_START_FAILED', reason: 'timeout', command: 'x', text: 'no URL' },
  { code: 'TEST_RUN_FAILED', reason: 'timeout', text: 'The run took too long' },
]

describe('exit codes', () => {
  test('3 without a session, 124 after a deadline, 1 for every other failure', async () => {
    const codes = new Map<string, number>()
    for (const failure of failures) {
      const answer = await print('click', failureResult(failureRecordOf(failure, 0)))
      expect(answer).toMatchObject({ stream: 'stdout', text: expect.stringContaining(failure.code) })
      codes.set(failure.code, answer.exitCode)
    }
    const namesOf = (exitCode: number) =>
      [...codes].filter(([, code]) => code === exitCode).map(([name]) => name)
    expect(namesOf(3)).toEqual(['SESSION_NOT_FOUND', 'SESSION_EXPIRED'])
    expect(namesOf(124)).toEqual(['TIMEOUT', 'PAGE_HUNG'])
    expect(codes.size).toBe(namesOf(3).length + namesOf(124).length + namesOf(1).length)
  })

  test.each(timeouts)('124 for $code by a timeout', async (failure) => {
    expect(await print('click', failureResult(failureRecordOf(failure, 0)))).toMatchObject({ exitCode: 124 })
  })
})

describe('formats', () => {
  const result = success({ success: true, message: 'Clicked.', changes: '~ a\n~ b' })
  test('text is what a model reads, json the data on one line, raw the value alone', async () => {
    expect(await print('click', result)).toEqual({ text: '~ a\n~ b\n', exitCode: 0, stream: 'stdout' })
    expect((await print('click', result, 'json')).text).toBe(`${JSON.stringify(result.structuredContent)}\n`)
    expect((await print('click', result, 'raw')).text).toBe('')
    expect((await print('evaluate', success({ result: 'a\nb' }), 'raw')).text).toBe('a\nb\n')
    expect((await print('evaluate', success({ result: { a: [1] } }), 'raw')).text).toBe('{"a":[1]}\n')
    expect((await print('select', success({ selected: ['S', 'M'] }), 'raw')).text).toBe('S\nM\n')
    expect((await print('tabs', success({ tabs: [{ id: 't1' }] }), 'raw')).text).toBe('{"id":"t1"}\n')
    expect((await print('exists', success({ exists: false, count: 0 }), 'raw')).text).toBe('false\n')
  })

  test('a failure is a text, also with raw, and a record with json', async () => {
    const failure = failureResult(failureRecordOf(samples.SCRIPT_ERROR.example, 7))
    expect((await print('evaluate', failure, 'raw')).text).toMatch(/^SCRIPT_ERROR: /)
    expect(JSON.parse((await print('evaluate', failure, 'json')).text)).toMatchObject({
      errorCode: 'SCRIPT_ERROR',
    })
  })

  test('a picture is a path', async () => {
    const image = { bytes: new Uint8Array([1]), mimeType: 'image/png', width: 2, height: 3 } as const
    const shot = success({ width: 2, height: 3 }, {}, [image])
    expect((await print('screenshot', shot)).text).toBe('2 × 3\npath: /files/screenshot.png\n')
    expect((await print('screenshot', shot, 'raw')).text).toBe('/files/screenshot.png\n')
    expect((await print('screenshot', shot, 'json')).text).toBe(
      '{"width":2,"height":3,"path":"/files/screenshot.png"}\n',
    )
  })

  test('the message of a failure names verbs instead of tools', async () => {
    const printed = async (failure: Failure) =>
      (await print('click', failureResult(failureRecordOf(failure, 0)))).text
    expect(await printed({ code: 'SESSION_CLOSED', sessionId: 's1' })).toContain(
      'Run footlight open for a new one.',
    )
    expect(await printed(samples.MAX_SESSIONS_REACHED.example)).toContain('Close one with footlight close')
    const creation = { input: { browser: 'firefox' }, omitted: [] }
    expect(await printed({ ...samples.SESSION_EXPIRED.example, creation })).toContain(
      'Run footlight open to start again;',
    )
  })

  test('a session that is not there names the command that opens it', async () => {
    const failure = failureResult(failureRecordOf({ code: 'SESSION_NOT_FOUND', sessionId: 'default' }, 0))
    expect((await print('click', failure)).text).toBe(
      'SESSION_NOT_FOUND: There is no session default. Open it with footlight open URL; footlight list shows the open ones.\n',
    )
  })
})
