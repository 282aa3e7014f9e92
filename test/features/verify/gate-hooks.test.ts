// `footlight verify --hook CLIENT`: the message of each client as its documentation has it, and everything that goes wrong.

import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { hookAnswers, type HookClient } from '../../../src/features/verify/stop-hook/hook-answers.ts'
import { until } from '../../support/leftovers.ts'
import { openWorkTree, type WorkTree } from './work-tree.ts'

let tree: WorkTree
beforeEach(() => {
  tree = openWorkTree()
})
afterEach(() => tree.close())

const LIMIT_MS = 2000

/** What each client writes, and the field that says that the agent goes on already. */
const messages: Record<HookClient, { input: () => Record<string, unknown>; again: Record<string, unknown> }> =
  {
    'claude-code': {
      input: () => ({
        session_id: 'abc123',
        transcript_path: '/home/ada/.claude/projects/x/abc123.jsonl',
        cwd: tree.top,
        permission_mode: 'default',
        hook_event_name: 'Stop',
        stop_hook_active: false,
        last_assistant_message: 'Done.',
      }),
      again: { stop_hook_active: true },
    },
    codex: {
      input: () => ({
        session_id: '11111111-1111-4111-8111-111111111111',
        turn_id: '22222222-2222-4222-8222-222222222222',
        transcript_path: null,
        cwd: tree.top,
        hook_event_name: 'Stop',
        model: 'gpt-5',
        permission_mode: 'default',
        stop_hook_active: false,
        last_assistant_message: 'Done.',
      }),
      again: { stop_hook_active: true },
    },
    cursor: {
      input: () => ({
        conversation_id: 'cdefee2d',
        generation_id: '26b45fb6',
        model: 'x',
        hook_event_name: 'stop',
        cursor_version: '3.7.21',
        workspace_roots: [tree.top],
        user_email: null,
        status: 'completed',
        loop_count: 0,
      }),
      again: { loop_count: 1 },
    },
    gemini: {
      input: () => ({
        session_id: 'abc',
        transcript_path: '/tmp/x.json',
        cwd: tree.top,
        hook_event_name: 'AfterAgent',
        timestamp: '2026-11-27T12:00:00.000Z',
        prompt: 'Add it.',
        prompt_response: 'Done.',
        stop_hook_active: false,
      }),
      again: { stop_hook_active: true },
    },
    copilot: {
      input: () => ({
        sessionId: 'abc',
        timestamp: 1_795_780_800_000,
        cwd: tree.top,
        transcriptPath: '/tmp/x.jsonl',
        stopReason: 'end_turn',
        stop_hook_active: false,
      }),
      again: { stop_hook_active: true },
    },
  }

const clients = Object.keys(hookAnswers) as HookClient[]

const hook = (client: string, input: unknown, changes: Parameters<WorkTree['run']>[1] = {}) =>
  tree.run(['verify', '--hook', client], {
    stdin: typeof input === 'string' ? input : JSON.stringify(input),
    cwd: tree.home,
    ...changes,
  })

async function expectPass(result: ReturnType<typeof hook>): Promise<void> {
  const { out, code, ms } = await result
  expect({ out, code, isLate: ms > LIMIT_MS }).toEqual({ out: '{}', code: 0, isLate: false })
}

describe.each(clients)('%s', (client) => {
  const { input, again } = messages[client]

  test('is asked to go on with the lines that did not run, once', async () => {
    tree.edit()
    const { out, code, ms } = await hook(client, input())
    expect([code, ms > LIMIT_MS]).toEqual([0, false])
    const answer = JSON.parse(out)
    const reason = answer.reason ?? answer.followup_message
    expect(reason).toStartWith(
      'verify: UNVERIFIED - 0 of 1 changed file ran; nothing tells where the work began: give a base\n not loaded src/total.ts: open a page that uses it\n',
    )
    expect(answer).toEqual(hookAnswers[client](reason))
    tree.write('src/more.ts', 'export const more = 1\n')
    await expectPass(hook(client, { ...input(), ...again }))
  })

  test('may stop where all has run, nothing is changed, or nothing can tell', async () => {
    await expectPass(hook(client, input()))
    tree.write('server.py', 'print(1)\n')
    tree.write('README.md', 'Words.\n')
    await expectPass(hook(client, input()))
    tree.edit()
    await tree.noteRun()
    await expectPass(hook(client, input()))
  })
})

test('an error that names a changed line is a reason', async () => {
  tree.edit()
  await tree.noteRun()
  await tree.noteError()
  const { out } = await hook('claude-code', messages['claude-code'].input())
  expect(JSON.parse(out).reason).toMatch(/^verify: FAIL - .*\n errors +src\/total\.ts:2 TypeError/)
})

test('a prompt is asked once though the flag of the client is false again, and the next one is asked', async () => {
  tree.edit()
  const { input } = messages.codex
  expect((await hook('codex', input())).out).toContain('block')
  await expectPass(hook('codex', input()))
  expect((await hook('codex', { ...input(), turn_id: 'next' })).out).toContain('block')
  expect(tree.readQuestions()).toHaveLength(2)
})

test('a client that says neither is asked once for the same lines', async () => {
  tree.edit()
  const { stop_hook_active: _, ...input } = messages.copilot.input()
  expect((await hook('copilot', input)).out).toContain('block')
  await expectPass(hook('copilot', input))
  expect((await hook('copilot', { ...input, sessionId: 'other' })).out).toContain('block')
  tree.write('src/more.ts', 'export const more = 1\n')
  expect((await hook('copilot', input)).out).toContain('src/more.ts')
})

test('the form of VS Code is that of Copilot with other names', async () => {
  tree.edit()
  const input = { session_id: 'abc', cwd: tree.top, hook_event_name: 'Stop', stop_hook_active: false }
  expect(JSON.parse((await hook('copilot', input)).out).hookSpecificOutput).toMatchObject({
    hookEventName: 'Stop',
    decision: 'block',
  })
  await expectPass(hook('copilot', { ...input, stop_hook_active: true }))
})

test('an agent that was interrupted may stop; each folder of an editor counts', async () => {
  tree.edit()
  const input = messages.cursor.input()
  await expectPass(hook('cursor', { ...input, status: 'aborted' }))
  await expectPass(hook('cursor', { ...input, workspace_roots: [tree.home] }))
  const roots = { ...input, workspace_roots: [tree.home, tree.top] }
  expect((await hook('cursor', roots)).out).toContain('src/total.ts')
})

test('without a folder it is that of the command; the output folder can be named', async () => {
  tree.edit()
  const { cwd: _, ...input } = messages.gemini.input()
  expect((await hook('gemini', input, { cwd: tree.top })).out).toContain('deny')
  await tree.noteRun(tree.home)
  const words = ['verify', '--hook=gemini', '--output-dir', join(tree.home, '.footlight')]
  await expectPass(tree.run(words, { stdin: JSON.stringify(input) }))
})

describe('what goes wrong lets the agent stop, within 2 s:', () => {
  const { input } = messages['claude-code']
  beforeEach(() => tree.edit())

  test.each(['', 'no JSON', '[]', 'null', '{"cwd": 1', '{"cwd":"/nowhere/at/all"}'])(
    'the message %j',
    (text) => expectPass(hook('claude-code', text)),
  )

  test('an input that stays open', () => expectPass(hook('claude-code', '', { stdin: undefined })))

  test('no repository', () => expectPass(hook('claude-code', { ...input(), cwd: tree.home })))

  test('no git', () => expectPass(hook('claude-code', input(), { env: { PATH: join(tree.home, 'none') } })))

  test.each([
    ['that fails', 'exit 1'],
    ['that says something else', 'echo "\\0 diff --git @@ -x"'],
    ['that kills the process which asks', 'kill -9 $PPID; sleep 60'],
    ['after which that process hangs', 'kill -STOP $PPID; sleep 60'],
    ['that never answers', 'echo $$ > "$0.pid"; exec sleep 60'],
  ])('a git %s', (_, script) =>
    expectPass(hook('claude-code', input(), { env: { PATH: tree.replaceGit(script) } })),
  )

  test('a git that never answers is ended', async () => {
    const PATH = tree.replaceGit('echo $$ > "$0.pid"; exec sleep 60')
    await expectPass(hook('claude-code', input(), { env: { PATH } }))
    const pid = Number(await Bun.file(join(tree.home, 'bin/git.pid')).text())
    await until(() => spawnSync('kill', ['-0', String(pid)]).status !== 0)
  })

  test('a ledger that is a folder, and one of which nothing can be read', async () => {
    mkdirSync(tree.ledgerPath, { recursive: true })
    await expectPass(hook('claude-code', input()))
    rmSync(tree.ledgerPath, { recursive: true })
    writeFileSync(tree.ledgerPath, '{"kind":"ru')
    await expectPass(hook('claude-code', input()))
  })

  test('an output folder in which nothing can be noted', async () => {
    symlinkSync(tree.home, dirname(dirname(tree.ledgerPath)))
    await expectPass(hook('codex', messages.codex.input()))
  })

  test('a client without a hook, with an exit code that no client takes for no', async () => {
    const { code, out, err } = await hook('opencode', input())
    expect([code, out]).toEqual([1, ''])
    expect(err).toContain('expected one of claude-code, codex, cursor, gemini, copilot, received "opencode"')
  })

  test('a missing program', () => {
    const { status, stdout } = spawnSync('sh', ['-c', 'footlight-missing verify --hook claude-code'], {
      input: JSON.stringify(input()),
      encoding: 'utf8',
    })
    expect([status, stdout]).toEqual([127, ''])
  })
})
