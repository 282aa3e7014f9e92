// docs/project/requirements.md: the acceptance criteria, and the tests that show them.

import { requirements } from './criteria.ts'
import { cell, table } from './markdown.ts'

export function requirementsPage(): string {
  const sections = requirements.map(({ title, criteria }, index) => {
    const rows = criteria.map(([criterion, ...tests], criterionIndex) => [
      `${index + 1}.${criterionIndex + 1}`,
      cell(criterion),
      tests.map((shown) => `[${cell(shown.title)}](../../test/${shown.file})`).join('<br>'),
    ])
    return `## ${index + 1}. ${title}\n\n${table(['number', 'criterion', 'shown by'], rows)}`
  })
  return [
    '# Requirements',
    'The acceptance criteria of the session server. Each names the tests that show it, at the lowest level that can: of a function, or of the built executable as a client sees it. `test/peers.test.ts` checks that the tests exist.',
    ...sections,
  ].join('\n\n')
}
