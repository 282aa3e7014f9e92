import { afterAll, expect, test } from 'bun:test'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { isStateName } from '../../../src/core/sessions/store/session-name.ts'
import { createNamedStates, type StateOwnership } from '../../../src/features/states/named-states.ts'

const root = mkdtempSync(join(tmpdir(), 'fl-states-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const state = (value: string) => ({ cookies: [{ name: 'a', value }], origins: [] })
const open = async (name: string, owner = 'ada', ownership: StateOwnership = 'user') => {
  const result = await createNamedStates(root, ownership).open(name, owner)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

test('of sessions that open a name at once, exactly one saves it', async () => {
  const states = await Promise.all(Array.from({ length: 20 }, () => open('same')))
  expect(states.filter(({ isSaved }) => isSaved)).toHaveLength(1)
  await Promise.all(states.map((entry, index) => entry.save(state(String(index)))))
  for (const entry of states.filter(({ isSaved }) => !isSaved)) await entry.release()
  expect((await open('same')).isSaved).toBe(false)
  const saver = states.findIndex(({ isSaved }) => isSaved)
  await states[saver]?.release()
  const next = await open('same')
  expect([next.isSaved, next.state]).toEqual([true, state(String(saver))])
})

test('the lock of a process that has ended is taken over, by one of many; that of a running one is not', async () => {
  const child = Bun.spawn(['true'])
  await child.exited
  writeFileSync(join(root, 'ended.lock'), String(child.pid))
  const states = await Promise.all(Array.from({ length: 20 }, () => open('ended')))
  expect(states.filter(({ isSaved }) => isSaved)).toHaveLength(1)
  // The number of a process of another container says nothing here.
  writeFileSync(join(root, 'elsewhere.lock'), `${child.pid} pid:[1]`)
  expect((await open('elsewhere')).isSaved).toBe(false)
  writeFileSync(join(root, 'running.lock'), String(process.ppid))
  expect((await open('running')).isSaved).toBe(false)
  // After a restart of the machine, or a day, another process may have that pid.
  utimesSync(join(root, 'running.lock'), 1, 1)
  expect((await open('running')).isSaved).toBe(true)
})

test('owners of a server for several users have states of their own', async () => {
  const [ada, eve] = [await open('work', 'ada', 'client'), await open('work', 'eve', 'client')]
  expect([ada.isSaved, eve.isSaved]).toEqual([true, true])
  await ada.save(state('of ada'))
  await ada.release()
  await eve.release()
  expect((await open('work', 'ada', 'client')).state).toEqual(state('of ada'))
  expect((await open('work', 'eve', 'client')).state).toBeUndefined()
  expect(readdirSync(root)).not.toContain('work.json')
})

test('of 100 who open a profile at once one has it, and 99 learn who', async () => {
  const states = createNamedStates(root)
  const opened = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const result = await states.openProfile('busy', 'ada')
      if (result.ok) await result.value.nameHolder(`session s${index}`)
      return result
    }),
  )
  const holder = opened.findIndex(({ ok }) => ok)
  const failures = opened.filter(({ ok }) => !ok)
  expect(failures).toHaveLength(99)
  for (const failure of failures)
    expect(failure).toMatchObject({
      error: {
        field: 'profile',
        received: `"busy", which session s${holder} of process ${process.pid} has open`,
      },
    })
})

test('names of states are names of files everywhere', () => {
  for (const name of ['a', 'work', 'My-App_2', 'v1.2', 'x'.repeat(64)])
    expect([name, isStateName(name)]).toEqual([name, true])
  for (const name of [
    '',
    '.',
    '..',
    '.a',
    'a.',
    'a/b',
    'a\\b',
    'a b',
    'ä',
    'con',
    'NUL.txt',
    'com1',
    'x'.repeat(65),
    'a\0',
    'a\n',
  ])
    expect([name, isStateName(name)]).toEqual([name, false])
})

test('a server without owners opens none', async () => {
  expect(await createNamedStates(root, 'nobody').open('work', 'ada')).toMatchObject({
    ok: false,
    error: { code: 'ACCESS_DENIED', subject: 'restore' },
  })
})

test.skipIf(process.platform !== 'linux')(
  'however old it is, the lock of a process that runs is held; the number given anew is not that process',
  async () => {
    const namespace = readlinkSync('/proc/self/ns/pid')
    const startTimeOf = (pid: number) =>
      readFileSync(`/proc/${pid}/stat`, 'latin1')
        .replace(/^.*\) /s, '')
        .split(' ')[19]
    const write = (name: string, text: string, age: number) => {
      writeFileSync(join(root, `${name}.lock`), text)
      utimesSync(join(root, `${name}.lock`), age, age)
    }
    write('old', `${process.ppid} ${namespace}@${startTimeOf(process.ppid)} s1`, 1)
    expect((await open('old')).isSaved).toBe(false)
    write('anew', `${process.ppid} ${namespace}@1`, Date.now() / 1000)
    expect((await open('anew')).isSaved).toBe(true)
    // Where the other namespace cannot be asked, age decides; a lock that is held is touched.
    write('far', `${process.ppid} pid:[1]@1`, Date.now() / 1000 - 24 * 3600)
    expect((await open('far')).isSaved).toBe(false)
    write('farther', `${process.ppid} pid:[1]@1`, Date.now() / 1000 - 26 * 3600)
    expect((await open('farther')).isSaved).toBe(true)
    // What this process writes is what it reads.
    const own = await open('own')
    utimesSync(join(root, 'own.lock'), 1, 1)
    expect((await open('own')).isSaved).toBe(false)
    await own.release()
  },
)
