import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { EntryKind } from '../../../src/core/sessions/journal/journal.ts'
import { renderReport } from '../../../src/features/lib/html/render-html.ts'
import { renderMarkdown } from '../../../src/features/lib/html/render-markdown.ts'
import { type Report, type ReportEntry, summarizeReport } from '../../../src/features/lib/html/report.ts'
import { readSummary, renderIndex } from '../../../src/features/report/render-index.ts'

const hashOf = () => 'sha256-x'
const LIMIT_BYTES = 3_000_000

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '</script><script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '"><svg/onload=alert(1)>',
    "' onmouseover='alert(1)",
    '</pre></article><h1>Passed</h1>',
    '</title><meta http-equiv=refresh content=0>',
    '<!--',
    ']]>&amp;&lt;&#60;',
    '\u202egnp.exe\u202c\0\r\n\ud800',
    '```\n<b>x</b>\n````',
    '[x](http://a) ![y](http://b) @team #1',
  ),
)
const kinds: readonly EntryKind[] = ['action', 'page', 'console', 'request', 'server']
const picture = { mimeType: 'image/jpeg', base64: 'AAAA', width: 4, height: 3 } as const

/** A report whose shape is fixed, with these texts in all places. */
function reportOf(texts: readonly string[]): Report {
  const text = (index: number) => texts[index % texts.length] ?? ''
  const entries = kinds.map((kind, index): ReportEntry => ({
    seq: index + 1,
    at: 1000 * index,
    kind,
    level: 'error',
    text: `a ${text(index)}`,
    changes: `b ${text(index + 1)}`,
    ...(kind === 'action' && { picture }),
  }))
  const failure = {
    seq: 1,
    at: 500,
    call: `c ${text(0)}`,
    text: `d ${text(1)}`,
    before: [`g ${text(0)}`],
    picture,
  }
  return {
    session: `e ${text(2)}`,
    startedAt: 0,
    date: 'today',
    environment: { page: `f ${text(3)}` },
    entries,
    failures: [failure],
    verdict: {
      ...{ at: 500, verdict: 'FAIL', message: `h ${text(1)}` },
      claims: [{ say: `i ${text(2)}`, verdict: 'FAIL', detail: `j ${text(3)}` }],
    },
    dropped: 0,
  }
}

/** What a parser of HTML makes of it: its elements with the names of their attributes, and its text. */
async function parse(html: string) {
  const elements: string[] = []
  let text = ''
  const rewriter = new HTMLRewriter().on('*', {
    element: ({ tagName, attributes }) =>
      void elements.push([tagName, ...[...attributes].map(([name]) => name ?? '')].join(' ')),
  })
  rewriter.onDocument({
    text: (chunk) => void (text += chunk.text),
    comments: () => void elements.push('comment'),
  })
  await rewriter.transform(new Response(html)).text()
  return { elements, text }
}

test('whatever a page says is text: the elements of a report and an index are the same for any texts', async () => {
  const calm = (report: Report): Report => ({ ...report, failures: [], entries: report.entries.slice(0, 1) })
  const { elements } = await parse(renderReport(reportOf(['x']), hashOf))
  const calmElements = (await parse(renderReport(calm(reportOf(['x'])), hashOf))).elements
  const indexOf = (report: Report) =>
    renderIndex([{ ...summarizeReport(report), path: report.session }], hashOf)
  const index = await parse(indexOf(reportOf(['x'])))
  await fc.assert(
    fc.asyncProperty(fc.array(hostile, { minLength: 1, maxLength: 6 }), async (texts) => {
      const report = reportOf(texts)
      expect((await parse(renderReport(report, hashOf))).elements).toEqual(elements)
      expect((await parse(renderReport(calm(report), hashOf))).elements).toEqual(calmElements)
      expect((await parse(indexOf(report))).elements).toEqual(index.elements)
    }),
    { numRuns: 300 },
  )
})

test('a report is below 3 MB and a Markdown has at most 60 lines, however much there is: pictures go first', () => {
  const sizes = fc.record({
    entries: fc.integer({ min: 0, max: 4000 }),
    failures: fc.integer({ min: 0, max: 60 }),
    character: fc.constantFrom('<', 'é', '\u{1f600}', '\u202e', 'a\n', '`'),
    length: fc.integer({ min: 1, max: 12_000 }),
    pictureBytes: fc.integer({ min: 0, max: 60_000 }),
  })
  fc.assert(
    fc.property(sizes, ({ entries, failures, character, length, pictureBytes }) => {
      const text = character.repeat(length)
      const large = { ...picture, base64: 'A'.repeat(pictureBytes) }
      const report: Report = {
        ...reportOf([text]),
        entries: Array.from({ length: entries }, (_, index) => ({
          seq: index,
          at: index,
          kind: 'action',
          level: 'info',
          text,
          changes: text,
          picture: large,
        })),
        failures: Array.from({ length: failures }, (_, at) => ({ at, call: text, text, picture: large })),
      }
      const html = renderReport(report, hashOf)
      expect(new TextEncoder().encode(html).length).toBeLessThan(LIMIT_BYTES)
      expect(renderMarkdown(report).split('\n').length).toBeLessThanOrEqual(61)
      // The newest text is there, and with it its picture if any is.
      if (failures > 0) expect(html).toContain(`id="failure-${failures}"`)
      expect(html).not.toContain(`id="failure-${failures + 1}"`)
      if (entries > 0) expect(html).toContain(`id="entry-${entries - 1}"`)
    }),
    { numRuns: 12 },
  )
})

test('where no call failed the first errors of the timeline stand at the top, each text once', () => {
  const entryOf = (seq: number, level: ReportEntry['level'], text: string): ReportEntry => ({
    seq,
    at: seq * 1000,
    kind: 'console',
    level,
    text,
  })
  const errors = Array.from({ length: 20 }, (_, seq) => entryOf(seq + 2, 'error', `error ${seq % 12}`))
  const render = (entries: readonly ReportEntry[]) =>
    renderReport({ ...reportOf(['x']), failures: [], entries }, hashOf).replace(/<ol id="timeline">[^]*/, '')
  const html = render([entryOf(1, 'warning', 'a warning'), ...errors])
  expect(
    [...html.matchAll(/<a href="#entry-(\d+)">(.+?)<\/a> <span class="text">(.+?)</g)].map(
      ([, ...parts]) => parts,
    ),
  ).toEqual(
    Array.from({ length: 10 }, (_, seq) => [`${seq + 2}`, `+${seq + 2}.0 s console error`, `error ${seq}`]),
  )
  expect(render([entryOf(1, 'warning', 'a warning')])).toContain('<p>No call failed.</p>')
})

test('errors that name their source come first: a console error with its lines, and what the dev server printed', () => {
  const entryOf = (seq: number, more: Partial<ReportEntry>): ReportEntry => ({
    ...{ seq, at: seq * 1000, kind: 'console', level: 'error', text: `error ${seq}` },
    ...more,
  })
  const entries = [
    entryOf(1, { kind: 'request', text: 'GET /items → 500' }),
    entryOf(2, { kind: 'server', level: 'warning', text: 'Error: closed\n    at load (src/items.js:6:9)' }),
    entryOf(3, { kind: 'server', level: 'warning', text: 'a notice' }),
    entryOf(4, { codeFrame: 'src/cart.js:7\n7> count.length' }),
  ]
  const html = renderReport({ ...reportOf(['x']), failures: [], entries }, hashOf)
  const [list = ''] = /<ul class="errors">[^]*?<\/ul>/.exec(html) ?? []
  expect([...list.matchAll(/#entry-(\d)/g)].map(([, seq]) => seq)).toEqual(['2', '4', '1'])
  expect(list).toContain('src/items.js:6:9')
  expect(list).toContain('7&#62; count.length')
})

test('what is left out is counted', () => {
  const entries = Array.from({ length: 500 }, (_, seq): ReportEntry => ({
    seq,
    at: seq,
    kind: 'console',
    level: 'info',
    text: 'x'.repeat(12_000),
  }))
  const html = renderReport({ ...reportOf(['x']), entries, dropped: 7 }, hashOf)
  const kept = html.match(/<li class="entry/g)?.length ?? 0
  expect(kept).toBeLessThan(500)
  expect(html).toContain(`<p>Left out, the oldest first: ${507 - kept} entries.</p>`)
})

test('the summary of a report is read again, and nothing else is', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const summary = readSummary(renderReport(reportOf([text]), hashOf).slice(0, 8000))
      expect(summary).toMatchObject({ failures: 1, actions: 1, consoleErrors: 1, failedRequests: 1 })
    }),
  )
  for (const content of ['', '{}', '[1]', 'null', '{&#34;session&#34;:1}'])
    expect(readSummary(`<meta name="footlight-report" content="${content}">`)).toBeUndefined()
})
