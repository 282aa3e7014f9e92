// Limits what is said about failed tests: the first one in detail, the others shorter, and no line twice.

import type { FailedTest } from '../../core/base/test-failure.ts'
import { clip } from '../../core/base/text/clip.ts'
import { isErrorLine } from '../../core/base/text/error-lines.ts'
import { stripTerminalCodes } from '../../core/base/text/terminal-codes.ts'

/** The number of failed tests that are shown with evidence. */
export const DETAILED_TEST_LIMIT = 5
const NAME_LIMIT = 30

interface Limits {
  readonly messageChars: number
  readonly snapshotChars: number
  readonly lines: number
  readonly lineChars: number
}

const firstLimits: Limits = { messageChars: 900, snapshotChars: 1500, lines: 6, lineChars: 240 }
const otherLimits: Limits = { messageChars: 500, snapshotChars: 300, lines: 3, lineChars: 160 }

/** The evidence within the limits. Lines that an earlier test has are omitted. */
export function limitFailedTests(tests: readonly FailedTest[]): readonly FailedTest[] {
  const earlierLines = new Set<string>()
  return tests.map((test, index) =>
    limitFailedTest(test, index === 0 ? firstLimits : otherLimits, earlierLines),
  )
}

/** The names of further tests, with their number if there are too many. */
export function limitNames(names: readonly string[]): readonly string[] {
  const moreCount = names.length - NAME_LIMIT
  const listedNames = names.slice(0, NAME_LIMIT).map((name) => clip(name, otherLimits.lineChars))
  return moreCount > 0 ? [...listedNames, `… ${moreCount} more`] : listedNames
}

/** The messages of the errors of a test, without terminal codes and repetition. */
export function joinMessages(messages: readonly string[]): string {
  const texts = messages.map(cleanText).filter(Boolean)
  return [...new Set(texts)].join('\n')
}

/** A text without terminal codes, empty lines and the frames that Playwright draws around its advice. */
export const cleanText = (text: string): string =>
  text
    .split('\n')
    .map((line) => stripTerminalCodes(line).trimEnd())
    .filter((line) => line.trim() !== '' && !/^[╔╚║]/.test(line))
    .join('\n')

/** The last lines that name an error, or else the last lines; at most `count`, in order. */
export function selectLines(lines: readonly string[], count: number): readonly string[] {
  const newestFirst = [...lines.keys()].toReversed()
  const isCause = (index: number) => isErrorLine(lines[index] ?? '')
  const indexes = [...newestFirst.filter(isCause), ...newestFirst.filter((index) => !isCause(index))]
  return indexes
    .slice(0, count)
    .sort((first, second) => first - second)
    .flatMap((index) => lines[index] ?? [])
}

// --- internal ---

function limitFailedTest(test: FailedTest, limits: Limits, earlierLines: Set<string>): FailedTest {
  const { error, page, console: messages, requests, server, output, action, ...rest } = test
  const limitLines = (lines: readonly string[] = []) => {
    const newLines = lines.filter((line) => !earlierLines.has(line))
    for (const line of newLines) earlierLines.add(line)
    return selectLines([...new Set(newLines)], limits.lines).map((line) => clip(line, limits.lineChars))
  }
  const lists = {
    console: limitLines(messages),
    requests: limitLines(requests),
    server: limitLines(server),
    output: limitLines(output),
  }
  return {
    ...rest,
    error: clip(error, limits.messageChars),
    page: page && limitPage(page, limits),
    ...(action !== undefined && { action: clip(action, limits.lineChars * 2) }),
    ...Object.fromEntries(Object.entries(lists).filter(([, lines]) => lines.length > 0)),
  }
}

const limitPage = (page: NonNullable<FailedTest['page']>, { snapshotChars, lineChars }: Limits) => ({
  ...(page.url !== undefined && { url: clip(page.url, lineChars) }),
  ...(page.title !== undefined && { title: clip(page.title, lineChars) }),
  ...(page.snapshot !== undefined && { snapshot: clipLines(page.snapshot, snapshotChars) }),
})

// Whole lines only.
function clipLines(text: string, maximum: number): string {
  if (text.length <= maximum) return text
  const end = text.lastIndexOf('\n', maximum)
  return end > 0 ? `${text.slice(0, end)}\n…` : clip(text, maximum)
}
