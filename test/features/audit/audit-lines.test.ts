import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { describeWholeAudit, fitFindings, sortFindings } from '../../../src/features/audit/audit-lines.ts'
import {
  type Finding,
  findingKinds,
  type FoundElement,
  severities,
} from '../../../src/features/audit/finding.ts'

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ maxLength: 2000 }),
  fc.constant('\u202e\n"\\'),
)
const element: fc.Arbitrary<FoundElement> = fc.record(
  {
    name: text,
    selector: text,
    ref: fc.stringMatching(/^(f\d)?e\d{1,4}$/),
    isExactRef: fc.boolean(),
    source: text,
    detail: text,
  },
  { requiredKeys: ['name', 'selector'] },
)
const finding: fc.Arbitrary<Finding> = fc.record(
  {
    kind: fc.constantFrom(...findingKinds),
    rule: fc.constantFrom('image-alt', 'color-contrast', 'LCP', 'overflow', 'error'),
    severity: fc.constantFrom(...severities),
    isNarrow: fc.boolean(),
    text,
    words: text,
    elements: fc.array(element, { maxLength: 6 }),
    count: fc.nat(1000),
  },
  { requiredKeys: ['kind', 'rule', 'severity', 'elements', 'count'] },
)

const LIMIT_BYTES = 700
const bytesOf = (lines: readonly string[]) => new TextEncoder().encode(JSON.stringify(lines)).length
const fits = (lines: readonly string[]) => bytesOf(lines) <= LIMIT_BYTES

test('whatever is found, the lines fit, and no line is two', () =>
  fc.assert(
    fc.property(fc.array(finding, { maxLength: 40 }), (findings) => {
      const lines = fitFindings(sortFindings(findings), fits)
      expect(fits(lines)).toBe(true)
      expect(lines.filter((line) => /\n(?! )/.test(line))).toEqual([])
    }),
  ))

const of = (
  kind: Finding['kind'],
  rule: string,
  severity: Finding['severity'],
  more: Partial<Finding> = {},
): Finding => ({
  kind,
  rule,
  severity,
  elements: [],
  count: 1,
  ...more,
})

test('the worst first, and of each kind something where not all fits', () => {
  const rules = Array.from({ length: 30 }, (_, index) =>
    of('accessibility', `rule-number-${index}`, 'critical'),
  )
  const others = [of('layout', 'target', 'moderate'), of('console', 'error', 'serious', { words: 'boom' })]
  const lines = fitFindings(sortFindings([...others, ...rules]), fits)
  expect(lines.at(0)).toBe('critical rule-number-0')
  expect(lines).toContain('target')
  expect(lines).toContain('console error: "boom"')
  expect(lines.at(-1)).toBe(`… ${33 - lines.length} more in the file`)
})

test('an element has its ref or its name, its source and what is wrong with it', () => {
  const elements: FoundElement[] = [
    {
      name: '<p>',
      selector: 'p',
      ref: 'e4',
      isExactRef: true,
      source: 'src/a.tsx:3',
      detail: '2.1:1, needs 4.5:1',
    },
    { name: '<b.x>', selector: 'b', ref: 'e2', isExactRef: false },
    { name: '<i>', selector: 'i' },
    { name: '<u>', selector: 'u' },
  ]
  const contrast = of('accessibility', 'color-contrast', 'serious', { elements, count: 9 })
  expect(fitFindings([contrast], fits)).toEqual([
    'serious color-contrast: [e4] src/a.tsx:3 2.1:1, needs 4.5:1, <b.x> in [e2], <i>, +6',
  ])
  const audit = {
    viewport: { width: 1280, height: 720 },
    vitals: [{ name: 'LCP', value: 3100, rating: 'poor' }],
  }
  const first = { ...audit, url: 'http://a/', findings: [contrast], notes: [] }
  expect(describeWholeAudit(first)).toBe(
    'http://a/: 1 findings. LCP 3.1 s at 1280x720.\nserious color-contrast: [e4] src/a.tsx:3 2.1:1, needs 4.5:1, <b.x> in [e2], <i>, <u>, +5',
  )
  const second = { ...first, findings: [contrast, { ...contrast, rule: 'label' }] }
  expect(describeWholeAudit(second, [first])).toMatch(
    /^http:\/\/a\/: 2 findings, 1 of them not found again\..*\nserious label: [^\n]*$/,
  )
  expect(describeWholeAudit(first, [second, first])).not.toContain('\n')
  expect(describeWholeAudit(first, [{ ...first, url: 'http://a/other' }])).toBe(describeWholeAudit(first))
})
