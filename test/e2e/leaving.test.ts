// A page that shows its next step once an animation has removed the old one: what follows an action is of the new step, or says that the
// old one is still leaving.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect, type Peer } from '../support/client.ts'
import { page, serveSite, type Site } from '../support/site.ts'

const EXIT_MS = 300

/** A step that `leave(element, done)` removes, which calls `done` then. */
const steps = (leave: string, style = '') =>
  page(`<style>${style}</style><main></main><button id="next">Next</button><script>
    const names = ['Details', 'People', 'Confirm']
    let step = 0
    const show = () => { document.querySelector('main').innerHTML = '<section><h2>' + names[step] + '</h2></section>' }
    show()
    const leave = ${leave}
    document.querySelector('#next').onclick = () =>
      leave(document.querySelector('section'), () => { step += 1; show() })
  </script>`)

/** As the libraries do it: by the Web Animations API, a frame later (Motion, Svelte), by classes and a transition (Vue, React Transition
 * Group), by keyframes, frame by frame (Motion), in a view transition. */
const pages = {
  '/waapi': `(element, done) => requestAnimationFrame(() => { element.animate({ opacity: [1, 0] }, ${EXIT_MS}).onfinish = done })`,
  '/transition': `(element, done) => {
    element.classList.add('fade-leave-active')
    requestAnimationFrame(() => requestAnimationFrame(() => element.classList.add('fade-leave-to')))
    element.addEventListener('transitionend', done)
  }`,
  '/keyframes': `(element, done) => { element.classList.add('out'); element.addEventListener('animationend', done) }`,
  '/frames': `(element, done) => {
    const start = performance.now()
    const draw = (now) => {
      const part = Math.min(1, Math.max(0, now - start) / ${EXIT_MS})
      element.style.transform = 'translateX(' + -600 * part * part + 'px)'
      part < 1 ? requestAnimationFrame(draw) : done()
    }
    requestAnimationFrame(draw)
  }`,
  '/view': `(element, done) => { document.startViewTransition(done) }`,
} as const
const style = `.fade-leave-active { transition: opacity ${EXIT_MS}ms } .fade-leave-to { opacity: 0 }
  .out { animation: out ${EXIT_MS}ms } @keyframes out { to { height: 0; opacity: 0 } }`

let site: Site
let peer: Peer
beforeAll(async () => {
  const routes = Object.entries(pages).map(([path, leave]) => [path, steps(leave, style)] as const)
  site = await serveSite({
    ...Object.fromEntries(routes),
    // Motion leaves its styles on what it has animated.
    '/frames': steps(pages['/frames'], style).replaceAll('<section>', '<section style="transform: none">'),
    '/slow': steps(`(element) => { element.animate({ opacity: [1, 0] }, 60_000) }`),
    '/hover': page(`<style>button { transition: background 60s } button:hover { background: red }</style>
      <button id="next">Next</button>`),
  })
  peer = await connect()
})
afterAll(async () => {
  await peer.close()
  site.close()
})

async function open(path: string) {
  const sessionId = await peer.session()
  await peer.call('navigate', { sessionId, url: `${site.url}${path}` })
  return sessionId
}

describe.each(Object.keys(pages))('%s', (path) => {
  const follow = async () => {
    const sessionId = await open(path)
    await peer.call('click', { sessionId, selector: '#next' })
    const { data } = await peer.call('snapshot', { sessionId })
    expect(data.snapshot).toContain('heading "People"')
    expect(data.snapshot).not.toContain('Details')
    const second = await peer.call('click', { sessionId, selector: '#next' })
    expect(second.data.changes).toContain('heading "Confirm"')
    await peer.call('close_session', { sessionId })
  }
  // A busy machine may draw no frame before the answer, and nothing leaves before its first frame.
  test('the first snapshot after a click, and the changes of the next one', follow, { retry: 3 })
})

test('what takes long is named', async () => {
  const sessionId = await open('/slow')
  await peer.call('click', { sessionId, selector: '#next' })
  const { data } = await peer.call('snapshot', { sessionId })
  expect(data.snapshot).toContain('Details')
  expect(data.notes.join(' ')).toContain('still removing "Details"')
  await peer.call('close_session', { sessionId })
})

test('an animation that removes nothing is not waited for', async () => {
  const sessionId = await open('/hover')
  await peer.call('click', { sessionId, selector: '#next' })
  const { data } = await peer.call('snapshot', { sessionId })
  expect(data.notes).toBeUndefined()
  await peer.call('close_session', { sessionId })
})
