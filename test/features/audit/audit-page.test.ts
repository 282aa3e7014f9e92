// What an audit finds of the layout and of the metrics of a page, and that the page is afterwards as it was.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { auditPage } from '../../../src/features/audit/audit-page.ts'
import type { Finding, PageAudit } from '../../../src/features/audit/finding.ts'
import { bothBrowsers } from '../../support/engines.ts'
import { deadline, openSessionPage, type SessionPage, valueOf } from '../../support/session-page.ts'
import { serveSite, type Site } from '../../support/site.ts'

const HEAD =
  '<!doctype html><html lang="en"><title>Audited</title><style>body{font:16px/20px sans-serif}</style><main><h1>Audited</h1>'

/** Bodies with the layout issues that they have. */
const layouts: readonly (readonly [string, string, readonly string[]])[] = [
  ['a page that fits', '<p>Some text</p><button style="width:40px;height:40px">A</button>', []],
  ['wider than 320 px', '<div id="w" style="width:700px">Wide</div>', ['overflow@320 <div#w> 388']],
  ['wider than the window', '<div id="w" style="width:1500px">Wide</div>', ['overflow <div#w> 228']],
  [
    'wide, in a box that can be scrolled',
    '<div style="overflow:auto"><div style="width:700px">Wide</div></div>',
    [],
  ],
  [
    'a text that is cut below',
    '<div id="c" style="height:24px;width:100px;overflow:hidden">One two three four five six seven</div>',
    ['cut <div#c>'],
  ],
  [
    'a text that is cut at the right',
    '<div id="c" style="width:60px;overflow:hidden;white-space:nowrap">One two three four</div>',
    ['cut <div#c>'],
  ],
  [
    'a text with an ellipsis',
    '<div style="width:60px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis">One two three four</div>',
    [],
  ],
  [
    'a text for screen readers only',
    '<span style="position:absolute;width:1px;height:1px;overflow:hidden">Hidden words</span>',
    [],
  ],
  [
    'texts over each other',
    '<p id="a">The first text</p><p id="b" style="margin-top:-30px">The second text</p>',
    ['overlap <p#b>'],
  ],
  [
    'a layer over a text',
    '<p>The first text</p><p style="position:relative;background:#fff;margin-top:-30px">The second text</p>',
    [],
  ],
  [
    'controls over each other',
    '<button id="a" style="width:80px;height:40px">A</button><button id="b" style="width:80px;height:40px;margin-left:-30px">B</button>',
    ['overlap <button#b>'],
  ],
  [
    'a button in a field',
    '<label>Find <input style="width:200px;height:40px"></label><button style="position:fixed;left:200px;width:30px;height:30px">X</button>',
    [],
  ],
  [
    'small targets beside each other',
    '<button id="a" style="width:12px;height:12px;padding:0">A</button><button id="b" style="width:12px;height:12px;padding:0">B</button>',
    ['target <button#a>', 'target <button#b>'],
  ],
  ['a small target alone', '<button style="width:12px;height:12px;padding:0">A</button>', []],
  ['links in a sentence', '<p>Read <a href="#a">this</a>, <a href="#b">that</a> or more.</p>', []],
]

const issuesOf = ({ findings }: PageAudit): readonly string[] =>
  findings
    .filter(({ kind }) => kind === 'layout')
    .flatMap(({ rule, isNarrow = false, elements }) =>
      elements.map(({ name, detail = '' }) =>
        [`${rule}${isNarrow ? '@320' : ''}`, name, rule === 'overflow' ? /\d+/.exec(detail)?.[0] : '']
          .join(' ')
          .trim(),
      ),
    )

const rulesOf = ({ findings }: PageAudit, kind: Finding['kind']): readonly string[] =>
  findings.filter((finding) => finding.kind === kind).map(({ rule, count }) => `${rule} ${count}`)

const INNER = `<!doctype html><html lang="en"><title>Inner</title><main><h1>Inner</h1><img src="data:,a"><iframe title="Deep" srcdoc="<html lang=en><body><main><img src='data:,b'></main>"></iframe>`

describe.each(bothBrowsers)('in %s', (browser) => {
  let session: SessionPage
  let site: Site
  let other: Site
  const audit = async (body: string): Promise<PageAudit> => {
    await session.open(HEAD + body)
    return valueOf(await auditPage(session.page, deadline()))
  }
  beforeAll(async () => {
    session = await openSessionPage({ browser })
    other = await serveSite({ '/': INNER })
    const policy = "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; frame-src *"
    site = await serveSite({
      '/': (_, response) => {
        response.setHeader('content-security-policy', policy)
        response.setHeader('content-type', 'text/html')
        response.end(
          `${HEAD}<script src="/page.js"></script><img src="data:,c"><iframe title="Inner" src="${other.url.replace('127.0.0.1', 'localhost')}"></iframe><div id="host"></div><div id="box" style="height:50px;overflow:auto"><p style="height:900px">Long</p></div><div style="height:3000px"></div>`,
        )
      },
      '/page.js': (_, response) => {
        response.setHeader('content-type', 'text/javascript')
        response.end(`window.axe = 'of the page'; window.define = Object.assign(() => { window.defined = true }, { amd: true })
          addEventListener('load', () => {
            document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = '<p><input></p>'
            document.querySelector('#box').scrollTop = 70
            scrollTo(0, 500)
            window.changes = 0
            new MutationObserver((list) => { window.changes += list.length }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
          })`)
      },
    })
  }, 120_000)
  afterAll(async () => {
    await session?.close()
    site?.close()
    other?.close()
  })

  test.each(layouts)('%s', async (_, body, expected) => {
    expect(issuesOf(await audit(body))).toEqual([...expected])
  })

  test('frames of other origins and shadow roots are audited under a policy; the page is as it was', async () => {
    await session.open(`${site.url}/`)
    const read = () =>
      session.read(
        `[axe, window.defined, changes, scrollY, document.querySelector('#box').scrollTop, innerWidth, innerHeight, Object.keys(window).sort(), Object.hasOwn(document, 'elementsFromPoint')]`,
      )
    const before = await read()
    for (let round = 0; round < 2; round += 1) {
      const page = valueOf(await auditPage(session.page, deadline()))
      expect(rulesOf(page, 'accessibility')).toContain('image-alt 3')
      const images = page.findings.find(({ rule }) => rule === 'image-alt')?.elements ?? []
      expect(new Set(images.map(({ ref }) => ref)).size).toBe(3)
      expect(images.every(({ isExactRef }) => isExactRef)).toBe(true)
      for (const { selector } of images) expect(valueOf(await session.page.count({ selector }))).toBe(1)
      const [input] = page.findings.find(({ rule }) => rule === 'label')?.elements ?? []
      expect(input?.name).toBe('<input>')
      expect(valueOf(await session.page.count({ selector: input?.selector ?? '' }))).toBe(1)
    }
    expect(await read()).toEqual(before)
  })

  test('a document that hangs is a timeout, and the window is as wide as before', async () => {
    await session.open(
      `${HEAD}<script>addEventListener('resize', () => { if (innerWidth < 400) for (const end = Date.now() + 6000; Date.now() < end;); })</script>`,
    )
    const outcome = await auditPage(session.page, deadline(4000))
    expect(outcome.ok).toBe(false)
    expect(await session.read('new Promise((resolve) => setTimeout(() => resolve(innerWidth), 3000))')).toBe(
      1280,
    )
  }, 60_000)
})

describe('the metrics, in Chromium', () => {
  let session: SessionPage
  let site: Site
  beforeAll(async () => {
    session = await openSessionPage({ browser: 'chromium' })
    site = await serveSite({
      '/': `${HEAD}<p id="top">Top</p><div style="height:500px;background:#ddd"><p>Some text that moves down</p></div><button onclick="for (const end = Date.now() + 400; Date.now() < end;);">Work</button>
        <script>setTimeout(() => { const banner = document.createElement('div'); banner.id = 'banner'; banner.textContent = 'Banner'; banner.style.height = '200px'; document.querySelector('#top').after(banner) }, 300)</script>`,
    })
  }, 120_000)
  afterAll(async () => {
    await session?.close()
    site?.close()
  })

  test('name what moved the page, and the control that answers late', async () => {
    await session.open(`${site.url}/`)
    await session.read(
      `new Promise((resolve) => { const look = () => requestAnimationFrame(document.querySelector('#banner') ? () => setTimeout(resolve) : look); look() })`,
    )
    valueOf(
      await session.page.perform({ kind: 'click', element: { selector: 'button' }, options: {} }, deadline()),
    )
    const page = valueOf(await auditPage(session.page, deadline()))
    const found = page.findings.filter(({ kind }) => kind === 'vitals')
    expect(found.map(({ rule, elements }) => [rule, elements[0]?.name])).toEqual([
      ['CLS', '<div#banner>'],
      ['INP', '<button>'],
    ])
  })
})
