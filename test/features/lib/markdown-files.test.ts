import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { comparisonMarkdown } from '../../../src/features/compare/differences/comparison-markdown.ts'
import { renderMarkdown } from '../../../src/features/lib/html/render-markdown.ts'
import { verdictMarkdown } from '../../../src/features/verify/verdict/verdict-markdown.ts'
import { hostileText, readHtml, renderers } from '../../support/rendered-markdown.ts'

type Texts = (index: number) => string

const verdict = (text: Texts): string =>
  verdictMarkdown(
    {
      verdict: 'FAIL',
      base: text(0),
      isBaseKnown: true,
      files: [
        {
          ...{ file: text(1), ran: [1, 2, 5], partly: [7], notRun: [], notLoaded: [], beside: [] },
          by: { call: text(2), session: text(3), at: 0 },
        },
        { file: text(1), ran: [], partly: [], notRun: [], notLoaded: [], beside: [], notSeen: text(4) },
      ],
      claims: [{ say: text(5), verdict: 'FAIL', seen: text(6) }],
      flows: [
        {
          ...{ path: text(7), touches: [{ file: text(8), lines: [4] }], verdict: 'PASS' },
          ...{ at: 0, duration: 1, hasPassed: true },
        },
      ],
      errors: [
        {
          ...{ kind: 'error', at: 0, session: text(3), call: text(2), file: text(9), line: 3 },
          ...{ content: '', name: text(10), isBlank: true },
        },
      ],
      stale: [text(11)],
    },
    0,
    [text(12)],
  )

const comparison = (text: Texts): string =>
  comparisonMarkdown(
    {
      base: text(0),
      current: text(1),
      steps: [
        {
          step: 1,
          title: text(2),
          url: text(3),
          differences: [
            {
              ...{ kind: 'tree', change: 'added', text: text(4), elements: [text(5)] },
              ...{ file: text(6), line: 3, inDiff: false },
            },
          ],
        },
      ],
      stepCount: 2,
      unexplained: 1,
      masked: [{ step: 1, what: text(7), why: text(8) }],
      expect: [{ check: text(9), base: true, current: false }],
      unproven: [`It shared ${text(10)}.`],
      notes: [text(11)],
    },
    new Map([[1, { base: 'step-1-base.png', current: 'step-1-current.png' }]]),
  )

const report = (text: Texts): string =>
  renderMarkdown({
    session: text(0),
    startedAt: 0,
    date: 'today',
    environment: { page: text(1) },
    entries: [
      { seq: 1, at: 0, kind: 'action', level: 'error', text: text(2) },
      { seq: 2, at: 0, kind: 'check', level: 'info', text: text(3) },
    ],
    failures: [{ at: 0, call: text(4), text: text(5) }],
    verdict: {
      ...{ at: 0, verdict: 'FAIL', message: text(7) },
      claims: [{ say: text(8), verdict: 'FAIL', detail: text(9) || 'nothing' }],
    },
    audits: [{ at: 0, text: text(6) }],
    dropped: 0,
  })

const files = { verdict, comparison, report }
const cases = Object.entries(files).flatMap(([name, print]) =>
  Object.entries(renderers).map(([renderer, render]) => [name, renderer, print, render] as const),
)

test.each(cases)(
  'whatever is said in it, a %s has its own elements in %s',
  (_, __, print, render) => {
    const { elements } = readHtml(render(print(() => 'word')))
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 13, maxLength: 13 }), (texts) => {
        const markdown = print((index) => texts[index] ?? '')
        expect(readHtml(render(markdown)).elements).toEqual(elements)
        expect(markdown.replace(/^(`{3,})text\n[^]*?\n\1$/gm, '').match(/^\s*#/gm)).toHaveLength(1)
        expect(markdown).not.toContain('\u001b')
      }),
      { numRuns: 200 },
    )
  },
  60_000,
)
