// Steps as a session records them, for tests.

import type {
  RecordedAction,
  RecordedCheck,
  RecordedElement,
  RecordedStep,
} from '../../../src/core/sessions/types/recorded-step.ts'
import type { EmulationChange } from '../../../src/features/emulate/emulation.ts'
import type { MockRule } from '../../../src/features/mock/mock-rule.ts'
import type { TestPlan } from '../../../src/features/save-test/code/test-plan.ts'
import { writeTest } from '../../../src/features/save-test/code/write-test.ts'

export const ORIGIN = 'http://localhost:5173'

export const element = (code: string, other: Partial<RecordedElement> = {}): RecordedElement => ({
  locators: [{ selector: code, code }],
  role: '',
  name: '',
  type: 'div',
  isEmpty: true,
  isSecret: false,
  ...other,
})

export const button = (name: string): RecordedElement =>
  element(`getByRole('button', { name: '${name}' })`, { role: 'button', name, type: 'button' })

export const link = (name: string): RecordedElement =>
  element(`getByRole('link', { name: '${name}' })`, { role: 'link', name, type: 'a' })

export const field = (name: string, other: Partial<RecordedElement> = {}): RecordedElement =>
  element(`getByLabel('${name}')`, { role: 'textbox', name, type: 'text', ...other })

export const step = (action: RecordedAction, other: Partial<RecordedStep> = {}): RecordedStep => ({
  seq: 1,
  tab: 't1',
  urlBefore: `${ORIGIN}/`,
  urlAfter: `${ORIGIN}/`,
  durationMs: 20,
  ...other,
  action,
})

export const navigate = (path: string): RecordedStep =>
  step({ kind: 'navigate', url: `${ORIGIN}${path}` }, { urlAfter: `${ORIGIN}${path}` })

export const click = (target: RecordedElement, other: Partial<RecordedStep> = {}): RecordedStep =>
  step({ kind: 'click', element: target, options: {} }, other)

export const type = (target: RecordedElement, text: string, submit = false): RecordedStep =>
  step({ kind: 'type', element: target, text, ...(submit && { submit }) })

export const fill = (target: RecordedElement, value: string): RecordedStep =>
  step({ kind: 'fill', element: target, value })

export const check = (part: Partial<RecordedCheck>, other: Partial<RecordedStep> = {}): RecordedStep =>
  step({ kind: 'check', check: { checks: [], not: false, ...part } }, other)

export const seesText = (text: string): RecordedStep =>
  check({ text, textElement: element(`getByText('${text}')`) })

export const mock = (rule: MockRule): RecordedStep => step({ kind: 'mock', rule })

export const emulate = (change: EmulationChange): RecordedStep => step({ kind: 'emulate', change })

export const plan = (steps: readonly RecordedStep[], other: Partial<TestPlan> = {}): TestPlan => ({
  title: 'title',
  steps,
  origin: ORIGIN,
  options: {},
  secrets: new Map(),
  files: new Map(),
  ...other,
})

/** The text of a test. */
export const testOf = (steps: readonly RecordedStep[], other: Partial<TestPlan> = {}): string =>
  writeTest(plan(steps, other)).text

/** The lines in the body of a test, without their indentation. */
export const bodyOf = (steps: readonly RecordedStep[], other: Partial<TestPlan> = {}): string =>
  testOf(steps, other)
    .replace(/^[^]*?\n?test\([^\n]*\n/, '')
    .replace(/\}\);\n$/, '')
    .replace(/^ {2}/gm, '')
    .trim()
