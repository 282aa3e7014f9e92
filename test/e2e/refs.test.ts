// A ref belongs to the session and the tab that told it: in another one it is refused, whatever that one has been read.

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect, type Peer } from '../support/client.ts'
import { openShell } from '../support/shell.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const buttonsOf = (...names: string[]) =>
  page(
    `${names.map((name) => `<button onclick="clicked.append('${name} ')">${name}</button>`).join('')}<p id="clicked"></p>`,
  )
const buttons = buttonsOf('One', 'Two', 'Three')

let site: Site
let peer: Peer
beforeAll(async () => {
  site = await serveSite({
    '/': buttons,
    '/others': buttonsOf('Four', 'Five'),
    '/frame': page('<button onclick="document.title = 1">Outside</button><iframe src="/"></iframe>'),
    '/late-frame': page('<p style="height: 6000px"></p><iframe src="/" loading="lazy"></iframe>'),
  })
  peer = await connect()
})
afterAll(async () => {
  await peer.close()
  site.close()
})

const refsOf = (snapshot: string): string[] => [...snapshot.matchAll(/\[(e\d+)\]/g)].map(([, ref]) => ref!)

async function openRead(path = '/') {
  const sessionId = await peer.session()
  await peer.call('navigate', { sessionId, url: `${site.url}${path}` })
  const { data } = await peer.call('snapshot', { sessionId })
  return { sessionId, refs: refsOf(data.snapshot) }
}
const clickedIn = async (sessionId: string) =>
  (await peer.call('evaluate', { sessionId, script: 'document.querySelector("#clicked").textContent' })).data
    .result

test('a ref of a closed session is refused in the next one', async () => {
  const first = await openRead()
  await peer.call('close_session', { sessionId: first.sessionId })
  const second = await openRead()
  expect(second.refs).toHaveLength(3)
  for (const ref of first.refs) {
    const { failed, data } = await peer.call('click', { sessionId: second.sessionId, ref })
    expect({ failed, code: data.errorCode }).toEqual({ failed: true, code: 'ELEMENT_NOT_FOUND' })
  }
  expect(await clickedIn(second.sessionId)).toBe('')
  await peer.call('click', { sessionId: second.sessionId, ref: second.refs[1] })
  expect(await clickedIn(second.sessionId)).toBe('Two ')
  await peer.call('close_session', { sessionId: second.sessionId })
})

test('a ref of another session that is open, and one of another tab, are refused too', async () => {
  const [one, other] = [await openRead(), await openRead()]
  expect(one.refs.some((ref) => other.refs.includes(ref))).toBe(false)
  const inOther = await peer.call('click', { sessionId: other.sessionId, ref: one.refs[0] })
  expect(inOther.data.errorCode).toBe('ELEMENT_NOT_FOUND')

  const { sessionId } = one
  await peer.call('tabs', { sessionId, action: 'new', url: site.url })
  await peer.call('snapshot', { sessionId })
  const inTab = await peer.call('click', { sessionId, ref: one.refs[0] })
  expect(inTab.data.errorCode).toBe('ELEMENT_NOT_FOUND')
  expect(await clickedIn(sessionId)).toBe('')
  await peer.call('tabs', { sessionId, action: 'select', tabId: 't1' })
  await peer.call('click', { sessionId, ref: one.refs[0] })
  expect(await clickedIn(sessionId)).toBe('One ')
  for (const { sessionId: id } of [one, other]) await peer.call('close_session', { sessionId: id })
})

test('elements of frames and of later documents have refs of the same form', async () => {
  const { sessionId, refs } = await openRead('/frame')
  await peer.call('click', { sessionId, ref: refs.at(-1) })
  const { data } = await peer.call('evaluate', {
    sessionId,
    script: 'frames[0].document.querySelector("#clicked").textContent',
  })
  expect(data.result).toBe('Three ')
  await peer.call('navigate', { sessionId, url: site.url })
  const later = await peer.call('snapshot', { sessionId })
  expect(later.data.snapshot).not.toMatch(/\bf\d+e\d+\b/)
  const gone = await peer.call('click', { sessionId, ref: refs[0] })
  expect(gone.data.message).toContain('no longer has ref')
  await peer.call('close_session', { sessionId })
})

test('a ref of a frame is gone with its document, and no other one gets it', async () => {
  const { sessionId, refs } = await openRead('/frame')
  for (const script of ["frames[0].location = '/others'", 'frames[0].location.reload()']) {
    const loading = `new Promise((resolve) => { document.querySelector('iframe').onload = () => resolve(1); ${script} })`
    await peer.call('evaluate', { sessionId, script: loading })
    const { data } = await peer.call('snapshot', { sessionId })
    const inFrame = refsOf(data.snapshot).slice(2)
    expect(inFrame).toHaveLength(2)
    expect(inFrame.filter((ref) => refs.includes(ref))).toEqual([])
    for (const ref of refs.slice(2))
      expect((await peer.call('click', { sessionId, ref })).data.message).toContain('no longer has ref')
    refs.push(...inFrame)
  }
  const script = 'frames[0].document.querySelector("#clicked").textContent'
  expect((await peer.call('evaluate', { sessionId, script })).data.result).toBe('')
  await peer.call('click', { sessionId, ref: refs.at(-1) })
  expect((await peer.call('evaluate', { sessionId, script })).data.result).toBe('Five ')
  await peer.call('close_session', { sessionId })
})

test('a frame that was read while it was empty, and loads late, has refs that work', async () => {
  const { sessionId, refs } = await openRead('/late-frame')
  expect(refs).toHaveLength(1)
  const loading =
    "new Promise((resolve) => { const [frame] = document.querySelectorAll('iframe'); frame.onload = () => resolve(1); frame.scrollIntoView() })"
  await peer.call('evaluate', { sessionId, script: loading })
  const { data } = await peer.call('snapshot', { sessionId })
  const clicked = await peer.call('click', { sessionId, ref: refsOf(data.snapshot).at(-1) })
  expect(clicked.data).toMatchObject({ success: true, changes: expect.stringContaining('Three') })
  await peer.call('close_session', { sessionId })
})

test('the default session of the shell, closed and opened again', async () => {
  const shell = openShell()
  await shell.run('open', site.url)
  const [old] = refsOf((await shell.run('snap')).out)
  await shell.run('close')
  await shell.run('open', site.url)
  const [, second] = refsOf((await shell.run('snap')).out)
  const refused = await shell.run('click', old!)
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('ELEMENT_NOT_FOUND')])
  expect((await shell.run('click', second!)).code).toBe(0)
  expect((await shell.run('eval', 'clicked.textContent')).out).toBe('Two \n')
  await shell.close()
})
