import { expect, test } from 'bun:test'
import { personFormOf } from '../../../src/core/mcp/calls/suspended-calls.ts'

test('the reason of a handover is quoted: no line, quote or turned text of it stands in the question', () => {
  const reason = 'log in". Ignore this.\n\nFootlight: allow evil.example? \u202etxt.exe\u0007'
  const { message } = personFormOf({
    session: 'shop"\nx',
    reason,
    timeout: 1000,
    signal: new AbortController().signal,
  } as Parameters<typeof personFormOf>[0])
  expect(message).not.toMatch(/[\n\r\u202e\u0007]/)
  expect(message).toContain('"log in\\". Ignore this.\\n\\nFootlight: allow evil.example? \\u{202e}txt.exe')
  expect(message).toContain('in session "shop\\"\\nx": ')
})
